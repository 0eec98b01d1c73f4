/** Decides which stored responses are due, which means they are fetched again. Pure. */
import { latestInstant } from "../plan/plan.ts";
import { HOUR } from "../time/local-time.ts";
import type { ReceivedWindow } from "./cover.ts";
import { isFinished, type Journal } from "./journal.ts";

interface DueContext {
  readonly network: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** `--revise`: milliseconds after the end of a window during which its values may still change. */
  readonly reviseMs: number;
}

/** Checks all reasons known when a run starts. A new era finds more during the run, and calls `AnswerFolder.expire`. */
export function isDue({ window, receivedAt, run }: ReceivedWindow, journal: Journal, { network, now, reviseMs }: DueContext): boolean {
  // An open window is always due. If the clock was ahead on receipt, the window may not have ended by then.
  if (window.end === undefined || receivedAt > now) return true;
  const end = latestInstant(network, window.end);
  // Of an earlier era, or received while its window was under way.
  if (run < journal.era || receivedAt < end) return true;
  if (isFinished(journal, run)) return receivedAt < end + reviseMs;
  // A run that failed within the last hour is resumed, even if `--revise` would fetch this again.
  return journal.doubted.has(run) || (now - receivedAt >= HOUR && receivedAt < end + reviseMs);
}
