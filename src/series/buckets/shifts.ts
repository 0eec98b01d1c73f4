/**
 * Where the buckets of an answer start, compared with a rule. Days by the rule start at 00:00; timestamps at 06:00 of three days
 * are shifts of six hours: days of this service start then. One of 00:00 among them is another shift, so nothing is known.
 */
import type { BucketRule } from "../../base/vocabulary.ts";
import { bucketStartBy } from "../../time/buckets.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { stampAt } from "../point-operations.ts";
import { findFirstInstant, findLastInstant } from "../overlap.ts";
import type { TimeSeries } from "../time-series.ts";

/** How many milliseconds a bucket starts after that of the rule, and a timestamp that shows it. */
export interface Shift {
  readonly ms: number;
  readonly stamp: string;
}

export interface Shifts {
  /** At most two different ones; none without points. */
  readonly shifts: readonly Shift[];
  /** Whether they come from buckets that the window cannot have cut. */
  readonly certain: boolean;
}

export interface BucketFrame {
  readonly rule: BucketRule;
  /** The window that was asked for. */
  readonly start: LocalTime | undefined;
  readonly end: LocalTime | undefined;
  /** Milliseconds by which network time is ahead of UTC. */
  readonly offset: number;
}

/** A service may stamp a partial bucket with the end of the window: the first and the last timestamp count only if there are no others. */
export function findShifts(timeSeries: readonly TimeSeries[], { rule, start, end, offset }: BucketFrame): Shifts {
  const list = (isKept: (instant: number) => boolean) =>
    listShifts(timeSeries, (instant) => (isKept(instant) ? measureShift(rule, instant + offset) : undefined));
  const [first, last] = [findFirstInstant(timeSeries), findLastInstant(timeSeries)];
  const inner = list((instant) => instant > first && instant < last);
  if (inner.length > 0) return { shifts: inner, certain: true };
  const others = list((instant) => instant + offset !== start && instant + offset !== end);
  if (others.length > 0) return { shifts: others, certain: true };
  return { shifts: list(() => true), certain: false };
}

/** Timestamps read of each series: enough to notice a change, few of hundreds of thousands. */
const PROBES = 100;

function listShifts(timeSeries: readonly TimeSeries[], measure: (instant: number) => number | undefined): Shift[] {
  const shifts: Shift[] = [];
  for (const { points } of timeSeries.flatMap(({ series }) => series)) {
    const { instants } = points;
    for (let index = 0; index < instants.length; index += Math.ceil(instants.length / PROBES)) {
      const ms = measure(instants[index] as number);
      if (ms === undefined || ms === shifts[0]?.ms) continue;
      shifts.push({ ms, stamp: stampAt(points, index) });
      if (shifts.length === 2) return shifts;
    }
  }
  return shifts;
}

const HALF_DAY = DAY / 2;

/** Months differ in length: their shift is from the nearest start, before or after. */
export function measureShift(rule: BucketRule, local: LocalTime): number {
  return local - bucketStartBy(rule, "months" in rule ? local + HALF_DAY : local);
}

/** Whether timestamps with this shift are starts: those of months on another day than the first may be names (their middle, their last day). */
export function isStart(rule: BucketRule, ms: number): boolean {
  return "ms" in rule || ms <= HALF_DAY;
}
