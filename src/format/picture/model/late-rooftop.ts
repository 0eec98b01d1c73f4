/** Rooftop solar in a stack: half-hourly, or not there yet. */
import { ROOFTOP } from "../../../base/fueltechs.ts";
import { HOUR } from "../../../time/local-time.ts";
import { ROOFTOP_REACH } from "../../../base/provisional.ts";
import type { DrawnSeries } from "./legend.ts";

export interface RooftopResult {
  readonly entries: readonly DrawnSeries[];
  readonly isHalfHourly: boolean;
  /** The times after the last value of rooftop solar, which comes later than the others. */
  readonly late: readonly number[];
}

/** Draws a half-hourly value for its half hour, and finds what is late. `entries`: of a stack, with the same times. */
export function holdRooftop(entries: readonly DrawnSeries[]): RooftopResult {
  let isHalfHourly = false;
  const late = new Set<number>();
  const has = (index: number) => entries.some(({ values }) => !Number.isNaN(values[index]));
  const held = entries.map((entry): DrawnSeries => {
    if (entry.source?.fuel !== ROOFTOP) return entry;
    const { times } = entry;
    const values = entry.values.slice();
    const known = [...times.keys()].filter((index) => !Number.isNaN(values[index]));
    for (const [at, from] of known.entries()) {
      const [time, until = times.length] = [times[from] as number, known[at + 1]];
      // The last is as long as the one before it.
      const step =
        until < times.length ? (times[until] as number) - time : time - (times[known[at - 1] ?? from] as number);
      for (let index = from + 1; index < until; index++) {
        const age = (times[index] as number) - time;
        if (!has(index)) continue;
        if (step === HOUR / 2 && age < step) {
          values[index] = values[from] as number;
          isHalfHourly = true;
        } else if (until === times.length && age <= ROOFTOP_REACH) late.add(time + age);
      }
    }
    return { ...entry, values };
  });
  return { entries: held, isHalfHourly, late: [...late] };
}
