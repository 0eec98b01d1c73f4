import { isSummed } from "../../base/vocabulary.ts";
import { HOUR } from "../../time/local-time.ts";
import { type CheckedSeries, compareAll, keyOfSeries, pairSeries, readAt, type Rule } from "../check.ts";

export const dayHours: Rule = {
  name: "day-hours",
  says: "a day is the sum of its hours (within 0.5 % or 1)",
  needs: "MWh, $ or t of the same series at 1d and at 1h",
  source: "both are sums of the same readings",
  find: ({ series }) => {
    const summed = series.filter(({ metric, unit }) => isSummed(metric, unit));
    const keyOf = (one: CheckedSeries) => one.metric + keyOfSeries({ ...one, interval: "1h" });
    const ofLength = (length: string) => summed.filter(({ interval }) => interval === length);
    const pairs = pairSeries(ofLength("1d"), ofLength("1h"), keyOf);
    if (pairs.length === 0) return undefined;
    return pairs.flatMap(([days, hours]) =>
      compareAll(days, (day) => addHours(hours, day), { share: 0.005, least: 1 }),
    );
  },
};

/** NaN if an hour has no value. */
function addHours(hours: CheckedSeries, day: number): number {
  let sum = 0;
  for (let hour = 0; hour < 24; hour++) sum += readAt(hours, day + hour * HOUR);
  return sum;
}
