import type { Again } from "../../package/descriptor.ts";
import type { Denied } from "../interface.ts";

/** A window that the service cannot give at all is not to cost its requests every night. */
const MAX_TRIES = 3;

interface Outcome {
  readonly denied: Denied | undefined;
  /** Of a series that is back after a gap, which this run has found. */
  readonly returnedSince: number | undefined;
  /** Of what is to be mended; Infinity for nothing. */
  readonly unlikeSince: number;
  /** Of what was withdrawn. */
  readonly withdrawnSince: number | undefined;
}

/**
 * What a later run is to fetch again; undefined for nothing. Where an error kept it from this one: the same, or from an earlier
 * start, up to three runs in all; then what this run has found, for itself. Else what was withdrawn, on three more runs: a service that has
 * lost some of its data for a night does not say so.
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
