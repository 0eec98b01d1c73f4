import { setImmediate } from "node:timers/promises";
import { dayOfStep, type Step, STEPS_PER_DAY } from "../model/clock.ts";
import type { DayStore } from "../model/days.ts";
import type { Buckets, Segment } from "./buckets.ts";
import { MEASURES, printedValue } from "./measures.ts";
import type { DayValues, Series } from "./series.ts";

/** A series that has points in the window: those of the buckets from `from` to `to`, both inclusive. */
export interface Stretch {
  readonly series: Series;
  readonly from: number;
  readonly to: number;
}

/** The value of a stretch in its n-th bucket. */
export type ReadPoint = (n: number) => number | null;

interface Tally {
  readonly stretch: Stretch;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

/** How long the event loop may be held at a time: client and sandbox can share one. */
const HOLD_MS = 15;

/** The share of a series in the window, or undefined where it has none. */
export function clipSeries(series: Series, buckets: Buckets): Stretch | undefined {
  const first = Math.max(series.first, buckets.first);
  const last = Math.min(series.last, buckets.last);
  return first > last ? undefined : { series, from: buckets.indexOf(first), to: buckets.indexOf(last) };
}

/** Walks the window's days once and aggregates all the stretches from their 5-minute values; stops early once aborted. */
export async function aggregate(
  stretches: readonly Stretch[],
  buckets: Buckets,
  given: { days: DayStore; signal: AbortSignal },
): Promise<ReadPoint[]> {
  const tallies = stretches.map(startTally);
  const into = { values: new Float64Array(STEPS_PER_DAY), present: new Uint8Array(STEPS_PER_DAY) };
  const { first, last } = spanOf(stretches, buckets);
  let since = performance.now();
  for (let day = dayOfStep(first); day <= dayOfStep(last) && !given.signal.aborted; day++) {
    const segments = buckets.segmentsOfDay(day);
    for (const tally of tallies) {
      if (!livesOn(tally.stretch.series, day)) continue;
      into.values.fill(0);
      into.present.fill(0);
      tally.stretch.series.fill(given.days.at(day), into);
      addDay(tally, into, segments);
    }
    if (performance.now() - since < HOLD_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return tallies.map(openTally);
}

function startTally(stretch: Stretch): Tally {
  const length = stretch.to - stretch.from + 1;
  return { stretch, sums: new Float64Array(length), counts: new Uint32Array(length) };
}

/** The days outside every stretch's life need not be walked. */
function spanOf(stretches: readonly Stretch[], buckets: Buckets): { first: Step; last: Step } {
  const firsts = stretches.map(({ series }) => Math.max(series.first, buckets.first));
  const lasts = stretches.map(({ series }) => Math.min(series.last, buckets.last));
  return { first: Math.min(...firsts), last: Math.max(...lasts) };
}

function livesOn(series: Series, day: number): boolean {
  return series.first < (day + 1) * STEPS_PER_DAY && series.last >= day * STEPS_PER_DAY;
}

function addDay(tally: Tally, day: DayValues, segments: readonly Segment[]): void {
  const { sums, counts, stretch } = tally;
  for (const { from, to, bucket } of segments) {
    if (bucket < stretch.from || bucket > stretch.to) continue;
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i++) {
      sum += day.values[i]!;
      count += day.present[i]!;
    }
    sums[bucket - stretch.from]! += sum;
    counts[bucket - stretch.from]! += count;
  }
}

function openTally({ stretch, sums, counts }: Tally): ReadPoint {
  const measure = MEASURES[stretch.series.metric];
  return (n) => (counts[n] === 0 ? null : printedValue(measure, sums[n]!, counts[n]!));
}
