/**
 * Adds nulls at splits, for a service that fills gaps. Such a service returns null for every interval without data
 * between the first and last point of a series in one response. If a window is split inside a gap, these nulls are
 * missing: in the first response the gap is after the end of the series, in the second before its start.
 *
 * Example: a unit has values at 10:00, 10:05 and 10:25, at an interval of five minutes. A single response has null at
 * 10:10, 10:15 and 10:20. Split at 10:15, the first response ends with 10:05 and the second begins with 10:25: three
 * nulls are missing. They are added only if the responses show that the service fills gaps: one has a null inside a
 * series, and none lacks an interval there.
 */
import type { Interval } from "../base/intervals.ts";
import type { LocalTime } from "../time/local-time.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { createTimestampShifter } from "../time/timestamp.ts";
import { createStepper, type IntervalStepper } from "./intervals/grid.ts";
import { GapEvidence } from "./gap-evidence.ts";
import { keySeries, findOffsetMs, mapPoints, nameSeries, type Series, type TimeSeries } from "./time-series.ts";
import { NO_POINTS, type Points, createNulls } from "./points.ts";
import { joinPoints, timestampAt } from "./point-operations.ts";

/** A series without its points; `timestamp` and `instant` are those of the last point. */
interface Tail {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly step: IntervalStepper | undefined;
  readonly timestamp: string;
  readonly instant: number;
  /** Instant of the last point, or of the last null added after it. */
  readonly filledTo: number;
}

interface Gap {
  readonly tail: Tail;
  /** Instant of the first point after the gap. */
  readonly to: number;
}

/** A gap at a split. A response across it may show whether the service fills gaps. */
export interface OpenGap {
  /** The key of its series from `keySeries`. */
  readonly key: string;
  /** Timestamps of the last interval before the gap and the first one after it, in network time. */
  readonly from: LocalTime;
  readonly to: LocalTime;
}

/** A period whose points can be yielded now. */
export interface ReadySpan {
  /** Series after this period, as far as they are known. */
  readonly upcoming: readonly TimeSeries[];
  /** Start (inclusive) and end (exclusive), in milliseconds since 1970 UTC; infinite at the ends of a result. */
  readonly from: number;
  readonly until: number;
}

export interface GapOptions {
  /** Interval of the query; if undefined, that of each TimeSeries is used. */
  readonly interval?: Interval | undefined;
  /** True if the result is collected before it is written, so nulls may be yielded after later points. */
  readonly collects?: boolean;
  /**
   * Maximum length of a gap, in milliseconds: that of the window. Before a point far outside the window, no gap is
   * filled.
   */
  readonly longest?: number;
}

/**
 * Finds and fills gaps at splits. If all responses are available, let `evidence` observe them first, so that no gap is
 * filled too late.
 */
export class Gaps {
  readonly longest: number;
  readonly #options: GapOptions;
  readonly evidence: GapEvidence;
  /**
   * Gaps not filled in time, or found by `recordContinuations`: by series key, then by the instant of the last point
   * before the gap.
   */
  readonly #missed = new Map<string, Map<number, Gap>>();
  readonly #tails = new Map<string, Tail>();
  /** Values shared by all tails of one TimeSeries. */
  #shared: (Pick<Tail, "item" | "step"> & { readonly of: TimeSeries }) | undefined;
  #firstMissed: Tail | undefined;
  #firstFilled: Tail | undefined;

  constructor(options: GapOptions = {}) {
    this.#options = options;
    this.evidence = new GapEvidence(options.interval);
    this.longest = options.longest ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Message that rows without a value were added because of the service's version alone; undefined if there are none.
   */
  get assumption(): string | undefined {
    if (!this.evidence.isAssumed || !(this.#firstFilled ?? this.#firstMissed)) return undefined;
    return "no response shows whether the service fills gaps; OpenElectricity does since 4.5.11, so rows without a value were added where the window is split";
  }

  start(): void {
    this.#tails.clear();
    this.#firstMissed = undefined;
    this.#firstFilled = undefined;
  }

  /**
   * Records where each series continues in the next response, so that gaps across entire windows are filled in time.
   * Returns the gaps.
   */
  recordContinuations(timeSeries: readonly TimeSeries[]): OpenGap[] {
    const open: OpenGap[] = [];
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const tail = this.#tails.get(key);
      const to = series.points.instants[0];
      const offset = findOffsetMs(item.network, [item]);
      if (tail && to !== undefined && to - tail.instant <= this.longest && isGap(tail.step, tail.instant, to)) {
        this.#miss(key, { tail, to });
        if (offset !== undefined) open.push({ key, from: tail.instant + offset, to: to + offset });
      }
      this.#extend(key, item, series);
    }
    return open;
  }

  #miss(key: string, gap: Gap): void {
    const missed = this.#missed.get(key) ?? new Map<number, Gap>();
    this.#missed.set(key, missed.set(gap.tail.instant, gap));
  }

  /**
   * Lists gaps between these or earlier series and `upcoming`; none once it is known whether the service fills gaps.
   */
  *listOpen(timeSeries: readonly TimeSeries[], upcoming: readonly TimeSeries[]): Generator<OpenGap> {
    if (this.evidence.fills !== undefined || this.#isWhole(timeSeries, upcoming)) return;
    const present = keySeries(timeSeries);
    for (const [key, { item, series }] of keySeries(upcoming)) {
      const to = series.points.instants[0];
      const from = present.get(key)?.series.points.instants.at(-1) ?? this.#tails.get(key)?.instant;
      const offset = findOffsetMs(item.network, [item]);
      if (from === undefined || to === undefined || offset === undefined || to - from > this.longest) continue;
      if (isGap(createStepper(item, this.#options.interval), from, to))
        yield { key, from: from + offset, to: to + offset };
    }
  }

  /** Adds the missing nulls of the span to the series. */
  fill(timeSeries: readonly TimeSeries[], span: ReadySpan): readonly TimeSeries[] {
    if (this.evidence.fills === false || this.#isWhole(timeSeries, span.upcoming)) return timeSeries;
    const present = keySeries(timeSeries);
    const upcoming = keySeries(span.upcoming);
    const filled = new Map<Series, Points>();
    const absent: TimeSeries[] = [];
    for (const key of new Set([...this.#tails.keys(), ...present.keys()])) {
      const { item, series } = present.get(key) ?? {};
      const before = this.#bridge(key, { item, to: series?.points.instants[0] }, span);
      if (item && series) this.#extend(key, item, series);
      const tail = this.#tails.get(key);
      if (!tail) continue;
      const next = upcoming.get(key);
      // If a series is absent for complete windows, its next point is known only from `recordContinuations` or an
      // earlier merge.
      const to = next?.series.points.instants[0] ?? this.#missed.get(key)?.get(tail.instant)?.to;
      const after = this.#bridge(key, { item: next?.item, to }, span);
      if (!before && !after) continue;
      const points = joinPoints([before, series?.points, after].filter((part) => part !== undefined));
      if (series) filled.set(series, points);
      else absent.push({ ...(next?.item ?? tail.item), series: [{ ...tail.series, points }] });
    }
    if (filled.size === 0 && absent.length === 0) return timeSeries;
    return [...mapPoints(timeSeries, (series) => filled.get(series) ?? series.points), ...absent];
  }

  /** Lists, at the end, the nulls that were not added in time, for a job that collects its result. */
  listLateNulls(): TimeSeries[] {
    if (!this.#options.collects || this.evidence.fills !== true) return [];
    // Lists every series, even without nulls: `keySeries` numbers those with equal labels by position.
    return Array.from(this.#tails, ([key, { item, series }]) => {
      const gaps = Array.from(this.#missed.get(key)?.values() ?? [], ({ tail, to }) => createGapNulls(tail, to));
      return { ...item, series: [{ ...series, points: joinPoints(gaps) }] };
    });
  }

  /** Message if rows differ from those of a single response; undefined if they do not. */
  get problem(): string | undefined {
    if (this.#options.collects) return undefined;
    if (this.evidence.fills === true && this.#firstMissed)
      return `${describeTail("are missing", this.#firstMissed)}: ${LATE}`;
    if (this.evidence.fills === false && this.#firstFilled)
      return `${describeTail("were added", this.#firstFilled)}: ${LATE}`;
    return undefined;
  }

  /**
   * Message if rows may differ from those of a single response, as no response shows whether the service fills gaps;
   * else undefined.
   */
  get doubt(): string | undefined {
    if (this.evidence.fills !== undefined || !this.#firstMissed) return undefined;
    return `${describeTail("may be missing", this.#firstMissed)}: no response shows whether the service fills gaps; a longer ${FETCH_FLAGS.maxWindow} may show it`;
  }

  /** True if no gap can be at a split here: there are no earlier series, and not both current and upcoming ones. */
  #isWhole(timeSeries: readonly TimeSeries[], upcoming: readonly TimeSeries[]): boolean {
    return this.#tails.size === 0 && this.#missed.size === 0 && (timeSeries.length === 0 || upcoming.length === 0);
  }

  /** Nulls of the span between the last point of a series and its next one, at `to`; undefined if there are none. */
  #bridge(
    key: string,
    { item, to }: { item: TimeSeries | undefined; to: number | undefined },
    span: ReadySpan,
  ): Points | undefined {
    const { collects, interval } = this.#options;
    const known = this.#tails.get(key);
    if (!known || to === undefined) return undefined;
    const tail = { ...known, step: (item && createStepper(item, interval)) ?? known.step };
    if (!tail.step || to - tail.instant > this.longest || !isGap(tail.step, tail.filledTo, to)) return undefined;
    const first = tail.step.next(tail.filledTo);
    if (this.evidence.fills !== true || collects || first < span.from) {
      this.#miss(key, { tail, to });
      this.#firstMissed ??= tail;
      return undefined;
    }
    if (first >= span.until) return undefined;
    const nulls = createGapNulls(tail, Math.min(to, span.until));
    this.#firstFilled ??= tail;
    this.#tails.set(key, { ...tail, filledTo: nulls.instants.at(-1) as number });
    return nulls;
  }

  #extend(key: string, item: TimeSeries, series: Series): void {
    const { points } = series;
    const instant = points.instants.at(-1);
    if (instant === undefined) return;
    // Most series belong to the same TimeSeries as the previous one.
    if (this.#shared?.of !== item)
      this.#shared = { of: item, item: { ...item, series: [] }, step: createStepper(item, this.#options.interval) };
    const { item: head, step } = this.#shared;
    const timestamp = timestampAt(points, points.instants.length - 1);
    this.#tails.set(key, {
      item: head,
      series: { ...series, points: NO_POINTS },
      step,
      timestamp,
      instant,
      filledTo: instant,
    });
  }
}

/** True if two instants are an integer number of intervals apart, with at least one interval between them. */
function isGap(step: IntervalStepper | undefined, from: number, to: number): boolean {
  const count = step?.count(from, to) ?? 0;
  return count > 1 && Number.isInteger(count);
}

/** Creates a null for every interval after the tail of a series and before `until`. */
function createGapNulls({ timestamp, instant, step, filledTo }: Tail, until: number): Points {
  const instants: number[] = [];
  if (step) for (let next = step.next(filledTo); next < until; next = step.next(next)) instants.push(next);
  const move = createTimestampShifter(timestamp);
  return createNulls(
    instants.map((missing) => move(missing - instant)),
    instants,
  );
}

const LATE = "only later responses show whether the service fills gaps";

function describeTail(what: string, { series, timestamp }: Tail): string {
  return `rows without a value ${what} where the window is split (first: ${nameSeries(series)}, after ${timestamp})`;
}
