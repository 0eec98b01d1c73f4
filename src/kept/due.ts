/** Whether an answer is asked for again. Pure. */
import { latestInstant } from "../plan/plan.ts";
import type { ReceivedWindow } from "./cover.ts";
import { isFinished, type Journal } from "./journal.ts";

export interface DueContext {
  readonly network: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Milliseconds in which values of a window may still change after its end. */
  readonly reviseMs: number;
}

export interface ReceivedAnswer extends ReceivedWindow {
  readonly name: string | undefined;
}

/** What a run that did not finish has received is used by the next one for so long. */
const RECENT_MS = 60 * 60 * 1000;

/**
 * An answer is due until it was received so long after the end of its window, and has taken nothing away that the answer before
 * it had; and where something has shown since that it may be wrong. A clock that was ahead must not make a window end.
 */
export function isDue(answer: ReceivedAnswer, journal: Journal, moment: DueContext): boolean {
  const { runs, doubted, era } = journal;
  const { window, receivedAt, run, name } = answer;
  const { network, now, reviseMs } = moment;
  if (window.end === undefined || receivedAt > now || run < era || doubted.has(run)) return true;
  const end = latestInstant(network, window.end);
  if (receivedAt < end) return true;
  if (!isFinished(journal, run) && now - receivedAt < RECENT_MS) return false;
  return receivedAt < end + reviseMs || (name !== undefined && (runs.at(-1)?.dueAgain.includes(name) ?? false));
}
