import { refuse } from "../refusal.ts";

/** The sandbox's one token: no secret, since it opens nothing but synthetic data on this machine. */
export const TOKEN = "sandbox-token";

/** Throws the 401 of in-practice.md for a missing or another token. */
export function checkToken(header: string | undefined): void {
  if (header === undefined) throw refuse(401, "Not authenticated", CHALLENGE);
  const [scheme, token] = header.split(/\s+/, 2);
  if (scheme?.toLowerCase() !== "bearer" || token !== TOKEN) throw refuse(401, "Authentication failed", CHALLENGE);
}

const CHALLENGE = { "www-authenticate": "Bearer" };
