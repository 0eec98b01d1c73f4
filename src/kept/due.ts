/** Whether an answer stays true. Pure. */
import { latestInstant } from "../plan/plan.ts";
import type { Candidate } from "./cover.ts";

interface Moment {
  readonly network: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Milliseconds in which values of a window may still change after its end. */
  readonly settlesAfter: number;
}

/**
 * An answer is due until it was received so long after the end of its window. What a service says of a window under way, also
 * that it has no data, changes. A clock that was ahead must not make a window end.
 */
export function isDue({ window: { end }, receivedAt }: Candidate, { network, now, settlesAfter }: Moment): boolean {
  return end === undefined || receivedAt < latestInstant(network, end) + settlesAfter || receivedAt > now;
}
