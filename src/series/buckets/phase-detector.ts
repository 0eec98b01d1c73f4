/**
 * Detects where a service's buckets start from the timestamps of its responses: its days may start at 06:00, its weeks on Monday.
 * Example: the plan's days start at 00:00. Timestamps at 06:00 on three days all have a shift of six hours, so this service's days
 * start at 06:00. A timestamp at 00:00 among them would be a second shift, so nothing would be learned.
 */
import { type BucketRule, type Interval, INTERVALS } from "../../base/intervals.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import type { Plan, PlannedWindow } from "../../plan/plan.ts";
import type { Window } from "../../query/window.ts";
import { bucketStart, isCalendarYearSeason, shiftBuckets } from "../../time/buckets.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { findFirstInstant, findLastInstant } from "../overlap.ts";
import { stampAt } from "../point-operations.ts";
import { findOffsetMs, type TimeSeries } from "../time-series.ts";

/** The responses for one window of a plan. */
export interface Observation {
  readonly plan: Plan;
  readonly window: PlannedWindow;
  readonly timeSeries: readonly TimeSeries[];
}

/** Returns the service's bucket rule if a response shows that it differs from the plan's. */
export type PhaseDetector = (observation: Observation) => BucketRule | undefined;

/** Learns from the first response that shows where buckets start, and checks later ones. Warns once if they disagree. */
export function createPhaseDetector(warn: (text: string) => void): PhaseDetector {
  let learnedFrom: string | undefined;
  let warned = false;
  return ({ plan: { query, limits, windows }, window: planned, timeSeries }) => {
    const { network, interval } = query;
    const { window } = planned;
    const hasLearned = learnedFrom !== undefined;
    const willBeCut = planned !== windows.at(-1);
    // The public service stamps a financial year not with its start but with 1 January of the year in which it ends.
    if (warned || !(hasLearned || willBeCut) || !limits || interval === undefined || interval === "fy") return undefined;
    const { bucket } = limits;
    const offset = findOffsetMs(network, timeSeries);
    const frame = { rule: bucket, window, offset: offset ?? 0 };
    if (interval === "season") return findSeasonRule(timeSeries, frame);
    const { shifts, certain } = findShifts(timeSeries, frame);
    const [shift, other] = shifts;
    if (!shift) return undefined;
    const isOurs = !other && shift.ms === 0;
    const isLearnable = !other && offset !== undefined && isStart(bucket, shift.ms) && !hasLearned;
    if (certain && !isOurs && !isLearnable) {
      warned = true;
      const odd = hasLearned ? shifts.filter(({ ms }) => ms !== 0) : shifts;
      warn(describeUnclear(interval, [learnedFrom, ...odd.map(({ stamp }) => stamp)]));
      return undefined;
    }
    if (certain) learnedFrom ??= shift.stamp;
    return isLearnable && !isOurs ? shiftBuckets(bucket, shift.ms) : undefined;
  };
}

interface Frame {
  /** The bucket rule of the plan. */
  readonly rule: BucketRule;
  readonly window: Window;
  /** Milliseconds by which network time is ahead of UTC. */
  readonly offset: number;
}

/**
 * Returns the rule of seasons that start in December, if the response has such seasons and the plan uses another rule. Two signs:
 * a timestamp that is not the first day of a quarter, or one after the window (December belongs to a season stamped next year).
 */
function findSeasonRule(timeSeries: readonly TimeSeries[], { rule, window, offset }: Frame): BucketRule | undefined {
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  const learned = INTERVALS.season.bucket;
  if (rule === learned || !Number.isFinite(first)) return undefined;
  return isCalendarYearSeason(first) && last <= (window.end ?? last) ? undefined : learned;
}

function describeUnclear(interval: Interval, stamps: readonly (string | undefined)[]): string {
  const examples = stamps.filter((stamp) => stamp !== undefined).slice(0, 2);
  return (
    `cannot tell where the service's ${interval} intervals start from timestamps such as ${examples.join(" and ")}; ` +
    `values may be wrong where the window is split; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`
  );
}

/** Milliseconds from the start of a bucket by the rule to its actual start, and a timestamp that shows it. */
interface Shift {
  readonly ms: number;
  readonly stamp: string;
}

/**
 * Finds at most two different shifts; `certain` if their buckets cannot be partial. A service may stamp a partial bucket with the
 * end of the window, so the first and last timestamps count only if there are no others.
 */
function findShifts(timeSeries: readonly TimeSeries[], { rule, window, offset }: Frame): { shifts: Shift[]; certain: boolean } {
  const list = (isKept: (local: LocalTime) => boolean) =>
    listShifts(timeSeries, (instant) => (isKept(instant + offset) ? measureShift(rule, instant + offset) : undefined));
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  const inner = list((local) => local > first && local < last);
  if (inner.length > 0) return { shifts: inner, certain: true };
  const others = list((local) => local !== window.start && local !== window.end);
  return others.length > 0 ? { shifts: others, certain: true } : { shifts: list(() => true), certain: false };
}

/** Timestamps read per series: enough to notice a change, yet few of hundreds of thousands. */
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

/** Milliseconds from a bucket's start to a timestamp. For months, a timestamp up to half a day before a start has a negative shift. */
export function measureShift(rule: BucketRule, local: LocalTime): number {
  return local - bucketStart(rule, "months" in rule ? local + HALF_DAY : local);
}

/** True if timestamps with this shift are bucket starts. Months stamped on a later day may be stamped mid-month or on the last day. */
export function isStart(rule: BucketRule, ms: number): boolean {
  return "ms" in rule || ms <= HALF_DAY;
}
