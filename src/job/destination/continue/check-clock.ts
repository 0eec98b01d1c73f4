import { EntsError } from "../../../base/errors.ts";
import { INTERVALS } from "../../../base/vocabulary.ts";
import { formatInstant } from "../../../series/series-log.ts";
import type { Query } from "../../../query/query.ts";
import { DAY } from "../../../time/local-time.ts";

/** What an update asks for, and when. */
export interface Asked {
  readonly query: Pick<Query, "interval" | "window">;
  /** By the clock of this machine. */
  readonly now: number;
}

/** The latest instant of a row, in milliseconds since 1970 UTC: later ones are of the future. */
export function findHorizon({ query: { interval, window }, now }: Asked): number {
  // With --complete the window ends now: a later run would remove rows after its end.
  if (window.end !== undefined) return now;
  // A service may send forecasts, or stamp a year with a day in its middle.
  return now + (interval === undefined || "ms" in INTERVALS[interval].bucket ? DAY : YEAR);
}

/** `last`: the instant of the last row. @throws {EntsError} output: an output has rows of the future. */
export function checkClock(name: string, last: number, asked: Asked): void {
  if (last <= findHorizon(asked)) return;
  throw new EntsError("output", `cannot update ${name}: its last row, ${formatInstant(last)}, is after now, ${formatInstant(asked.now)}`, {
    hint: `check the clock of this machine\nif it is right, the service sent a timestamp in the future: move ${name} away to fetch all of it again (it is unchanged)`,
  });
}

const YEAR = 366 * DAY;
