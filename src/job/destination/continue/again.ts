import type { Again } from "../../package/descriptor.ts";
import type { Denied } from "../interface.ts";

/** After so many runs it is given up: a window that always fails must not cost requests every night. */
const MAX_TRIES = 3;

interface Outcome {
  readonly denied: Denied | undefined;
  /** Where the gap begins of a series that is back, as this run has found. */
  readonly returnedSince: number | undefined;
  /** The first instant of rows to be fixed; Infinity for none. */
  readonly unlikeSince: number;
  /** The first instant of withdrawn values. */
  readonly withdrawnSince: number | undefined;
}

/**
 * What a later run is to fetch again; undefined for nothing. After an error: what this run tried to fetch, or more, in up to
 * three runs; after those, only a gap that this run has found, with three runs of its own. Otherwise: withdrawn values,
 * in three more runs, as a service that has lost data for a night does not say so.
 */
export function planAgain(
  asked: Again | undefined,
  { denied, returnedSince, unlikeSince, withdrawnSince = Number.POSITIVE_INFINITY }: Outcome,
): Again | undefined {
  const tries = (asked?.tries ?? 0) + 1;
  if (denied?.error && tries < MAX_TRIES)
    return { ...asked, since: Math.min(asked?.since ?? denied.since, denied.since, unlikeSince, withdrawnSince), tries };
  if (denied?.error && returnedSince !== undefined) return { since: returnedSince, tries: 1 };
  const expected = asked?.withdrawn && !denied && tries < MAX_TRIES ? { since: asked.since, tries } : undefined;
  const since = Math.min(withdrawnSince, expected?.since ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(since) ? { since, tries: expected?.tries ?? 0, withdrawn: true } : undefined;
}
