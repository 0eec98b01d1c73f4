/** Which buckets of a window have a point. Points of other times do not count. */
import { type BucketRule, findNetwork, INTERVALS, type Interval } from "../../base/vocabulary.ts";
import { countBucketsBy } from "../../plan/estimate.ts";
import type { Query } from "../../query/query.ts";
import { addBucket, bucketStart, bucketStartBy, nextBucketStart, nextBucketStartBy, shiftBuckets } from "../../time/buckets.ts";
import { DAY, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { isOfOneYear, listSeasons, spanOfSeason } from "../../time/seasons.ts";
import { isStart, measureShift } from "./shifts.ts";
import { type PointCursor, Timeline } from "../layout/timeline.ts";
import { findOffsetMs } from "../network-offset.ts";
import type { Instants } from "../points.ts";
import { findInterval, type TimeSeries } from "../time-series.ts";

export interface CountedBuckets {
  /** Buckets that have ended by now, or have a point; of a window with an open end, up to the last point. */
  readonly all: number;
  /** Buckets without a point. */
  readonly empty: number;
}

/** Buckets that follow each other, by the starts of the first and the last. */
export interface BucketSpan {
  readonly first: LocalTime;
  readonly last: LocalTime;
  /** How many they are. */
  readonly count: number;
}

/** The buckets that are counted. */
interface Frame {
  readonly rule: BucketRule;
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/** Maximum gaps between points that are remembered. */
const MAX_GAPS = 10;

/** Counts instants, in order, and learns from them where the service's buckets start. */
export class BucketCount {
  readonly #query: Query;
  readonly #now: number;
  readonly #delay: number | undefined;
  #interval: Interval | undefined;
  /** Milliseconds by which network time is ahead of UTC. */
  #offset: number | undefined;
  #filled = 0;
  #first = Number.NaN;
  #last = Number.NEGATIVE_INFINITY;
  /** Shifts of the instants between the first and the last, as those may be of partial buckets. */
  readonly #shifts = new Set<number>();
  /** The timestamps of seasons. */
  readonly #stamps = new Set<LocalTime>();
  /** The first gaps: the points before and after each. */
  readonly #gaps: (readonly [before: LocalTime, after: LocalTime])[] = [];

  /** `delay`: how long before now a window with an open end ends, in milliseconds; by default it ends with the last point. */
  constructor(query: Query, now: number, delay?: number) {
    this.#query = query;
    this.#now = now;
    this.#delay = delay;
    this.#interval = query.interval;
    const minutes = findNetwork(query.network)?.offsetMinutes;
    this.#offset = minutes === undefined ? undefined : minutes * MINUTE;
  }

  /** The interval asked for, or else that of the answers. */
  get interval(): Interval | undefined {
    return this.#interval;
  }

  /** The instants of series, all later than those before, and their TimeSeries. */
  add(all: readonly Instants[], items: readonly TimeSeries[]): void {
    const [item] = items;
    if (!item) return;
    this.#interval ??= findInterval(item);
    this.#offset ??= findOffsetMs(this.#query.network, [item]);
    for (const instant of listDistinct(all)) {
      const local = instant + (this.#offset ?? 0);
      if (!this.#isOwn(local)) continue;
      if (this.#interval === "season") this.#stamps.add(local);
      if (this.#filled > 1) this.#learn(this.#last);
      if (this.#filled === 0) this.#first = local;
      else this.#observeGap(this.#last, local);
      this.#filled++;
      this.#last = local;
    }
  }

  /** Whether a timestamp is of a bucket of the window: services may send others. */
  #isOwn(local: LocalTime): boolean {
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = this.#query.window;
    if (this.#interval === undefined || (local >= start && local <= end)) return true;
    const [from, to] = spanOfBucket(this.#interval, local);
    return to > start && from <= end;
  }

  /** Undefined where the window, its interval or the service's buckets are not known. */
  count(): CountedBuckets | undefined {
    const frame = this.#findFrame();
    if (!frame) return undefined;
    if (this.#isOfYears) {
      const empty = this.#listEmptySeasons(frame);
      return { all: this.#stamps.size + empty.length, empty: empty.length };
    }
    const all = countBucketsBy(frame.rule, frame.start, frame.end);
    return { all, empty: Math.max(0, all - this.#filled) };
  }

  /** The first spans without a point; of those between points, ten at most. */
  listEmpty(): BucketSpan[] {
    const frame = this.#findFrame();
    if (!frame) return [];
    if (this.#isOfYears) return this.#listEmptySeasons(frame).map((stamp) => ({ first: stamp, last: stamp, count: 1 }));
    const { rule, start, end } = frame;
    const startOf = (local: LocalTime) => bucketStartBy(rule, local);
    const nextOf = (local: LocalTime) => nextBucketStartBy(rule, local);
    const inner = this.#gaps.map(([before, after]) => [nextOf(before), startOf(after)] as const);
    const [first, last] = this.#filled > 0 ? [startOf(this.#first), nextOf(this.#last)] : [nextOf(end), nextOf(end)];
    const gaps = [[startOf(start), first] as const, ...inner, [last, nextOf(end)] as const];
    return gaps
      .filter(([from, to]) => from < to)
      .map(([from, to]) => ({ first: from, last: startOf(to - 1), count: countBucketsBy(rule, from, to - 1) }));
  }

  /** Whether the points are of seasons of one calendar year, which do not follow each other as other buckets do. */
  get #isOfYears(): boolean {
    const [stamp] = this.#stamps;
    return stamp !== undefined && isOfOneYear(stamp);
  }

  /** Seasons that have ended, and have no point. */
  #listEmptySeasons({ start, end }: Frame): LocalTime[] {
    const now = this.#now + (this.#offset ?? 0);
    const until = Math.min(this.#query.window.end ?? end, now) - 1;
    return listSeasons(start, until).filter((stamp) => !this.#stamps.has(stamp) && spanOfSeason(stamp)[1] <= now);
  }

  #findFrame(): Frame | undefined {
    const { start } = this.#query.window;
    const rule = this.#findRule();
    if (start === undefined || rule === undefined) return undefined;
    const local = this.#now + (this.#offset ?? 0);
    const end = this.#query.window.end ?? (this.#delay === undefined ? undefined : bucketStart("5m", local - this.#delay) - 1);
    const ended = bucketStartBy(rule, local) - 1;
    const isOpen = end === undefined && this.#filled > 0;
    // A service may leave out the end of a window.
    const until = end !== undefined && bucketStartBy(rule, end) === end ? end - 1 : (end ?? ended);
    return { rule, start, end: Math.max(isOpen ? this.#last : Math.min(until, ended), this.#last) };
  }

  #observeGap(before: LocalTime, after: LocalTime): void {
    const rule = this.#interval && INTERVALS[this.#interval].bucket;
    if (rule && this.#gaps.length < MAX_GAPS && addBucket(rule, before) < after) this.#gaps.push([before, after]);
  }

  #learn(local: LocalTime): void {
    const rule = this.#interval && INTERVALS[this.#interval].bucket;
    if (rule && this.#shifts.size < 2) this.#shifts.add(measureShift(rule, local));
  }

  #findRule(): BucketRule | undefined {
    if (this.#interval === undefined || this.#offset === undefined) return undefined;
    const rule = INTERVALS[this.#interval].bucket;
    // Their timestamps may be of any day in the bucket.
    if (this.#interval === "season" || this.#interval === "fy") return rule;
    const { start, end } = this.#query.window;
    if (this.#filled > 0 && this.#filled <= 2) {
      for (const local of new Set([this.#first, this.#last])) if (local !== start && local !== end) this.#learn(local);
    }
    const [shift = 0, other] = this.#shifts;
    return other === undefined && isStart(rule, shift) ? shiftBuckets(rule, shift) : undefined;
  }
}

const HALF_DAY = DAY / 2;

/** The start of a bucket and that of the next one, by its timestamp: its start, but of seasons and financial years any day inside. */
function spanOfBucket(interval: Interval, stamp: LocalTime): readonly [start: LocalTime, end: LocalTime] {
  if (interval === "season") return spanOfSeason(stamp);
  if (interval === "fy") return [bucketStart(interval, stamp + HALF_DAY), nextBucketStart(interval, stamp + HALF_DAY)];
  return [stamp, addBucket(INTERVALS[interval].bucket, stamp)];
}

/** The distinct instants of all series, in order. */
function* listDistinct(all: readonly Instants[]): Generator<number> {
  const timeline = new Timeline(all.map((instants): PointCursor => ({ instants, next: 0 })));
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    yield timeline.instant;
    for (const cursor of timeline.due) while (cursor.instants[cursor.next] === timeline.instant) cursor.next++;
  }
}
