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
  /** False for a plain export, which resumes failed runs only: what an update keeps may be outdated. */
  readonly isUpdate: boolean;
}

export interface ReceivedAnswer extends ReceivedWindow {
  readonly name: string | undefined;
}

/** Checks all reasons known when a run starts. Rechecks and eras find more during the run, and call `AnswerFolder.expire`. */
export function isDue(
  { window, receivedAt, run, name }: ReceivedAnswer,
  journal: Journal,
  { network, now, reviseMs, isUpdate }: DueContext,
): boolean {
  // An open window is always due. If the clock was ahead on receipt, the window may not have ended by then.
  if (window.end === undefined || receivedAt > now) return true;
  // The service's units have changed since, or another response of that run was wrong.
  if (run < journal.era || journal.doubted.has(run)) return true;
  if (!isUpdate && isFinished(journal, run)) return true;
  const end = latestInstant(network, window.end);
  if (receivedAt < end) return true;
  // A run that failed within the last hour is resumed, even if `--revise` would fetch this again.
  if (!isFinished(journal, run) && now - receivedAt < HOUR) return false;
  const hasTakenAway = name !== undefined && journal.runs.at(-1)?.dueAgain.includes(name);
  return receivedAt < end + reviseMs || hasTakenAway === true;
}
