import { refuse } from "../refusal.ts";

/** Not a secret: it gives access to synthetic data on this machine only. */
export const TOKEN = "sandbox-token";

/** Throws the 401 of in-practice.md for a missing or wrong token. */
export function checkToken(header: string | undefined): void {
  if (header === undefined) throw refuse(401, "Not authenticated", CHALLENGE);
  const [scheme, token] = header.split(/\s+/, 2);
  if (scheme?.toLowerCase() !== "bearer" || token !== TOKEN) throw refuse(401, "Authentication failed", CHALLENGE);
}

const CHALLENGE = { "www-authenticate": "Bearer" };
