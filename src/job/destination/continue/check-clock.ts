import { EntsError } from "../../../base/errors.ts";
import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import { DAY } from "../../../time/local-time.ts";

interface Last {
  /** Of the last row, in milliseconds since 1970 UTC. */
  readonly instant: number;
  readonly interval: Interval;
  /** Of this machine. */
  readonly now: number;
  /** Whether the window ends where the clock says: rows after that would be removed. */
  readonly ends: boolean;
}

/** @throws {EntsError} output: an output has rows of a time to come. */
export function checkClock(name: string, { instant, interval, now, ends }: Last): void {
  // A service may have forecasts, and name a year after a day in its middle.
  const slack = ends ? 0 : "ms" in INTERVALS[interval].bucket ? DAY : YEAR;
  if (instant <= now + slack) return;
  throw new EntsError("output", `cannot update ${name}: its last row, ${formatUtc(instant)}, is after now, ${formatUtc(now)}`, {
    hint: `check the clock of this machine; ${name} is unchanged`,
  });
}

function formatUtc(instant: number): string {
  return new Date(instant).toISOString();
}

const YEAR = 366 * DAY;
