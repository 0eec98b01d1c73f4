/** Where a service's buckets start, learned from the timestamps of its answers: its days may start at six, its weeks on Monday. */
import { type BucketRule, findNetwork, type Interval } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import type { Plan, PlannedWindow } from "../plan/plan.ts";
import { stampAt } from "../series/point-operations.ts";
import { findFirstInstant, findLastInstant } from "../series/settle.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { bucketStartBy, shiftBuckets } from "../time/buckets.ts";
import { DAY, MINUTE } from "../time/local-time.ts";
import { parseStamp } from "../time/stamp.ts";

/** The answers to one window of a plan. */
export interface Observation {
  readonly plan: Plan;
  readonly window: PlannedWindow;
  readonly timeSeries: readonly TimeSeries[];
}

/** Returns the service's bucket rule when it shows that it is not the plan's. */
export type PhaseDetector = (observation: Observation) => BucketRule | undefined;

/** Learns from the first answer that shows where buckets start, and checks the later ones. Warns, once, where they disagree. */
export function createPhaseDetector(warn: (text: string) => void): PhaseDetector {
  let learnedFrom: string | undefined;
  let warned = false;
  return ({ plan: { query, limits, windows }, window, timeSeries }) => {
    const isCut = learnedFrom !== undefined || window !== windows.at(-1);
    if (warned || !isCut || !limits || query.interval === undefined || LABELLED.has(query.interval)) return undefined;
    const offset = findOffset(query.network, timeSeries);
    const { shifts, certain } = observe({ timeSeries, window, rule: limits.bucket, offset: offset ?? 0 });
    const [shift] = shifts;
    if (!shift || (!certain && learnedFrom !== undefined)) return undefined;
    const rule = shifts.length === 1 ? applyShift(limits.bucket, shift.ms, offset) : undefined;
    const isNew = rule !== limits.bucket;
    if (!certain) return isNew ? rule : undefined;
    if (isNew && (!rule || learnedFrom !== undefined)) {
      warned = true;
      warn(describeUnclear(query.interval, [learnedFrom, ...shifts.map(({ stamp }) => stamp)]));
      return undefined;
    }
    learnedFrom ??= shift.stamp;
    return isNew ? rule : undefined;
  };
}

/** Their timestamps are names, not starts: a financial year's is 1 January of the year in which it ends (in-practice.md, Windows). */
const LABELLED: ReadonlySet<Interval> = new Set(["season", "fy"]);

function describeUnclear(interval: Interval, stamps: readonly (string | undefined)[]): string {
  const examples = [...new Set(stamps.filter((stamp) => stamp !== undefined))];
  return (
    `cannot tell where the service's ${interval} buckets start, from timestamps such as ${examples.join(" and ")}; ` +
    `values may be wrong where the window is split; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`
  );
}

/** Milliseconds by which the network's clock is ahead of UTC; undefined for an unknown network whose answer does not say. */
function findOffset(network: string, timeSeries: readonly TimeSeries[]): number | undefined {
  const known = findNetwork(network)?.offsetMinutes;
  if (known !== undefined) return known * MINUTE;
  const points = timeSeries.flatMap(({ series }) => series).find((series) => series.points.instants.length > 0)?.points;
  const { network_timezone_offset: sent = points && stampAt(points, 0) } = timeSeries[0]?.fields ?? {};
  const offset = typeof sent === "string" ? OFFSET.exec(sent)?.[0] : undefined;
  const epoch = offset === undefined ? undefined : parseStamp("1970-01-01", offset);
  return epoch === undefined ? undefined : -epoch;
}

const OFFSET = /[+-]\d\d:\d\d$/;

/** How far a bucket start is from that of a rule, and a timestamp that shows it. */
interface Shift {
  readonly ms: number;
  readonly stamp: string;
}

interface Scene extends Pick<Observation, "timeSeries" | "window"> {
  readonly rule: BucketRule;
  readonly offset: number;
}

/**
 * At most two different shifts. A partial bucket may be stamped with the end of its window, or with its first reading:
 * what the first and the last timestamp alone say is not certain.
 */
function observe({ timeSeries, window: { window }, rule, offset }: Scene): {
  readonly shifts: readonly Shift[];
  readonly certain: boolean;
} {
  const list = (keep: (instant: number) => boolean) =>
    listShifts(timeSeries, (instant) => (keep(instant) ? measureShift(rule, instant + offset) : undefined));
  const [first, last] = [findFirstInstant(timeSeries), findLastInstant(timeSeries)];
  const isEnd = (instant: number) => instant + offset === window.start || instant + offset === window.end;
  const inner = list((instant) => instant > first && instant < last);
  if (inner.length > 0) return { shifts: inner, certain: true };
  const others = list((instant) => !isEnd(instant));
  if (others.length > 0) return { shifts: others, certain: true };
  return { shifts: list(() => true), certain: false };
}

/** Enough of each series to notice a change: an answer can have hundreds of thousands of points. */
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

/** Months are of different lengths: their shift is from the nearest start, so that it is the same for all. */
function measureShift(rule: BucketRule, local: number): number {
  return local - bucketStartBy(rule, "months" in rule ? local + HALF_DAY : local);
}

/** The shifted rule; undefined for months that would start on another day, as their timestamps may be names, and for an unknown offset. */
function applyShift(rule: BucketRule, ms: number, offset: number | undefined): BucketRule | undefined {
  if (ms === 0) return rule;
  return offset === undefined || ("months" in rule && ms > HALF_DAY) ? undefined : shiftBuckets(rule, ms);
}
