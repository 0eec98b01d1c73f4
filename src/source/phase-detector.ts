/** Where a service's buckets start, learned from the timestamps of its answers: its days may start at six, its weeks on Monday. */
import { type BucketRule, type Interval, INTERVALS } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import type { Plan, PlannedWindow } from "../plan/plan.ts";
import { findShifts, isStart } from "../series/buckets/shifts.ts";
import { findOffsetMs } from "../series/network-offset.ts";
import { findFirstInstant, findLastInstant } from "../series/overlap.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { Window } from "../query/window.ts";
import { shiftBuckets } from "../time/buckets.ts";
import { isOfOneYear } from "../time/seasons.ts";

/** The answers to one window of a plan. */
export interface Observation {
  readonly plan: Plan;
  readonly window: PlannedWindow;
  readonly timeSeries: readonly TimeSeries[];
}

/** Returns the service's bucket rule when an answer shows that it is not the plan's. */
export type PhaseDetector = (observation: Observation) => BucketRule | undefined;

/** Learns from the first answer that shows where buckets start, and checks the later ones. Warns, once, where they disagree. */
export function createPhaseDetector(warn: (text: string) => void): PhaseDetector {
  let learnedFrom: string | undefined;
  let warned = false;
  return ({ plan: { query, limits, windows }, window, timeSeries }) => {
    const { network, interval } = query;
    const hasLearned = learnedFrom !== undefined;
    const willBeCut = window !== windows.at(-1);
    // A financial year's timestamp is a name: 1 January of the year in which it ends (in-practice.md, Windows).
    if (warned || !(hasLearned || willBeCut) || !limits || interval === undefined || interval === "fy") return undefined;
    const { bucket } = limits;
    const offset = findOffsetMs(network, timeSeries);
    if (interval === "season") return findSeasons({ timeSeries, window: window.window, bucket, offset: offset ?? 0 });
    const { shifts, certain } = findShifts(timeSeries, { rule: bucket, ...window.window, offset: offset ?? 0 });
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

interface SeasonFrame {
  readonly timeSeries: readonly TimeSeries[];
  readonly window: Window;
  /** The plan's rule. */
  readonly bucket: BucketRule;
  /** Milliseconds by which network time is ahead of UTC. */
  readonly offset: number;
}

/**
 * The rule of seasons that begin in December, where an answer has some and the plan has another rule: their timestamps are other
 * days than those of seasons of one year, or the season of a December bears a day of the next year, after the window.
 */
function findSeasons({ timeSeries, window, bucket, offset }: SeasonFrame): BucketRule | undefined {
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  const learned = INTERVALS.season.bucket;
  if (bucket === learned || !Number.isFinite(first)) return undefined;
  return isOfOneYear(first) && last <= (window.end ?? last) ? undefined : learned;
}

function describeUnclear(interval: Interval, stamps: readonly (string | undefined)[]): string {
  const examples = stamps.filter((stamp) => stamp !== undefined).slice(0, 2);
  return (
    `cannot tell where the service's ${interval} buckets start, from timestamps such as ${examples.join(" and ")}; ` +
    `values may be wrong where the window is split; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`
  );
}
