import { refuse } from "../refusal.ts";

/** Not a secret: it gives access to synthetic data on this machine only. */
export const TOKEN = "sandbox-token";

/** Whether a path reads the token of a request, and needs one (in-practice.md, "Seen by running its code"). */
export type Access = "public" | "optional" | "required";

export type Caller = "key" | "anonymous";

/** Throws 401 for a wrong token that is read, and 403 for a missing one that is needed. */
export function identify(header: string | undefined, access: Access): Caller {
  if (access === "public") return "anonymous";
  const [scheme, token] = header?.split(/\s+/, 2) ?? [];
  if (scheme?.toLowerCase() === "bearer" && token) {
    if (token !== TOKEN) throw refuse(401, "Authentication failed", { "www-authenticate": "Bearer" });
    return "key";
  }
  if (access === "required") throw refuse(403, "Not authenticated");
  return "anonymous";
}
