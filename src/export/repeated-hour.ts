/** The hour that comes twice when clocks go back: without an offset, nothing tells its two halves apart. */
import { isDayOrLonger } from "../base/intervals.ts";
import type { Report } from "../base/report.ts";
import type { Query } from "../query/query.ts";
import { findFirstInstant, findLastInstant } from "../series/overlap.ts";
import { DAY, formatMinute, type LocalTime, MINUTE } from "../time/local-time.ts";
import type { Zone } from "../time/zone.ts";
import type { Observer } from "./observe.ts";
import type { Output } from "./output.ts";

/** `from`: where new data begin, in network time; older ones were told of before. */
export function observeRepeatedHour(
  { formatName, formatOptions, zone }: Output,
  { interval }: Pick<Query, "interval">,
  { from = Number.NEGATIVE_INFINITY, warn }: Pick<Report, "warn"> & { readonly from: LocalTime | undefined },
): Observer[] {
  const hasNoOffset = formatName === "xlsx" || formatOptions.timeFormat === "local";
  if (!hasNoOffset || !zone.offsetAt || isDayOrLonger(interval)) return [];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return [
    {
      onChunk: ({ timeSeries }) => {
        first = Math.min(first, findFirstInstant(timeSeries));
        last = Math.max(last, findLastInstant(timeSeries));
      },
      finish: () => {
        const found = findRepeatedHour(zone, Math.max(first, from - DAY), last);
        if (found === undefined) return;
        const name = `the hour from ${formatMinute(found)} comes twice in ${zone.name}`;
        warn(`${name}, and times without an offset do not tell which is which; --time-zone network has no such hour`);
      },
    },
  ];
}

/** Offsets change at most once a day, at a half hour. */
const STEP = 30 * MINUTE;

/** The first wall clock that comes twice between two instants. */
function findRepeatedHour({ offsetAt = () => 0 }: Zone, first: number, last: number): LocalTime | undefined {
  for (let day = first; day < last; day += DAY) {
    if (offsetAt(day) <= offsetAt(day + DAY)) continue;
    for (let change = Math.ceil(day / STEP) * STEP; change <= Math.min(day + DAY, last); change += STEP)
      if (offsetAt(change - STEP) > offsetAt(change)) return change + offsetAt(change) * MINUTE;
  }
  return undefined;
}
