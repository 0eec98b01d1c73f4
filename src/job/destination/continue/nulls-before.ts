import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import { createStep } from "../../../series/gap-evidence.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { toItems } from "./known-columns.ts";

interface Opening {
  /** The first bucket of the window does not start before this instant. */
  readonly opening: number;
  readonly interval: Interval;
  /** A timestamp as the service writes it. */
  readonly spell: (instant: number) => string;
}

/** A null for each series, in a bucket before the window. */
export function listNulls(series: readonly LoggedSeries[], { opening, interval, spell }: Opening): TimeSeries[] {
  return series.flatMap((one) => {
    const [item] = toItems([one]) as [TimeSeries];
    const instant = findInstant(one, item, { interval, opening });
    if (instant === undefined) return [];
    const points = { stamps: [spell(instant)], instants: [instant], values: [null] };
    return [{ ...item, series: item.series.map((same) => ({ ...same, points })) }];
  });
}

/** A start of its buckets, before which the first one of the window cannot start. */
function findInstant(
  { first }: LoggedSeries,
  item: TimeSeries,
  { interval, opening }: Pick<Opening, "interval" | "opening">,
): number | undefined {
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) {
    const buckets = Math.floor((opening - first) / bucket.ms) - 1;
    return buckets < 0 ? undefined : first + buckets * bucket.ms;
  }
  const step = createStep(item, interval);
  let instant: number | undefined;
  for (let at = first; step && step.next(at) <= opening; at = step.next(at)) instant = at;
  return instant;
}
