/** Points before the window of an update: from them on, a service that fills gaps would have filled those of the file. */
import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import { createStep } from "../../../series/gap-evidence.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { DAY, MINUTE } from "../../../time/local-time.ts";
import { createMover } from "../../../time/stamp.ts";
import type { UpdateFacts } from "./facts.ts";
import type { Continued } from "./find-continued.ts";
import { toItems } from "./known-columns.ts";

/** A null for each series that has points on both sides of `from`, a bucket before the window that is fetched. */
export function listPointsBefore(continued: UpdateFacts & Continued): TimeSeries[] {
  const { from, descriptor, interval, networkOffset, start } = continued;
  if (from === Number.NEGATIVE_INFINITY) return [];
  const opening = start - (networkOffset ?? 0) * MINUTE - (networkOffset === undefined ? DAY : 0);
  const spell = createSpelling(continued);
  const series = descriptor.series.filter(({ first, last }) => first < from && last >= from);
  return listNulls(series, { opening, interval, spell });
}

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

/** Timestamps as the service writes them, where they are printed as sent. */
function createSpelling({ old: { last }, output }: UpdateFacts & Continued): (instant: number) => string {
  const { zone, formatOptions } = output;
  const isSent = zone.name === "network" && (formatOptions.timeFormat ?? "iso") === "iso";
  const move = createMover(isSent ? last.stamp : new Date(last.instant).toISOString());
  return (instant) => move(instant - last.instant);
}
