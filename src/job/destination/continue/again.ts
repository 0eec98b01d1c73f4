import type { Again } from "../../package/descriptor.ts";
import type { Denied } from "../interface.ts";

/** A window that the service cannot give at all is not to cost its requests every night. */
const MAX_TRIES = 3;

/** What a later run is to fetch again, after one that could not have it; undefined for nothing. `since`: of what else is to be mended. */
export function planAgain({ again }: { readonly again?: Again | undefined }, denied: Denied | undefined, since: number): Again | undefined {
  if (!denied?.error) return undefined;
  const tries = (again?.tries ?? 0) + 1;
  return tries < MAX_TRIES ? { since: Math.min(denied.since, since), tries } : undefined;
}
