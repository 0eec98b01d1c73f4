import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import { createStepOf, type Step } from "../../../series/gap-evidence.ts";
import type { GapOptions } from "../../../series/gaps.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import { keyOfLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import type { Destination, More } from "../interface.ts";
import { toItems } from "./known-columns.ts";
import type { NetworkClock } from "./network-clock.ts";

/** What earlier runs know of gaps. */
export function findKnownGaps(
  { fillsGaps: fills, sendsNulls }: Pick<Descriptor, "fillsGaps" | "sendsNulls">,
  { since }: More,
  kept: Pick<GapOptions, "before" | "from">,
): Destination["gaps"] {
  // All is fetched again, so what earlier runs have noted may no longer apply.
  return since === Number.NEGATIVE_INFINITY ? {} : { fills, sendsNulls, ...kept };
}

interface Opening {
  /** Rows from this instant on are replaced. */
  readonly from: number;
  /** The start of the window that is fetched. */
  readonly start: LocalTime;
  readonly clock: NetworkClock;
  readonly interval: Interval;
  /** A timestamp as the service writes it. */
  readonly spell: (instant: number) => string;
}

/** A null for each series that has points on both sides of `from`, in a bucket before the window. */
export function listNulls(all: readonly LoggedSeries[], { from, start, clock, interval, spell }: Opening): TimeSeries[] {
  const opening = start - clock.offset - clock.slack;
  const step = createStepOf(interval, clock.offset);
  const goesOn = ({ first, last }: LoggedSeries) => first < from && last >= from;
  const keys = new Set(all.filter(goesOn).map(keyOfLogged));
  // Other series of the same labels are listed without a point, since they are told apart by their number.
  const series = all.filter((one) => keys.has(keyOfLogged(one)));
  return toItems(series).map((item, index) => {
    const one = series[index] as LoggedSeries;
    // A series that begins in the window has its first point there.
    if (!goesOn(one) || one.first >= start - clock.offset) return item;
    const instant = findInstant(one.first, opening, { interval, step });
    const points = { stamps: [spell(instant)], instants: [instant], values: [null] };
    return { ...item, series: item.series.map((same) => ({ ...same, points })) };
  });
}

/**
 * A bucket start of the series that is not after the first bucket of the window; no earlier than its first point, which
 * replaces the null if the service sends it.
 */
function findInstant(first: number, opening: number, { interval, step }: { readonly interval: Interval; readonly step: Step }): number {
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return first + Math.max(0, Math.floor((opening - first) / bucket.ms) - 1) * bucket.ms;
  let instant = first;
  for (let at = first; step.next(at) <= opening; at = step.next(at)) instant = at;
  return instant;
}
