/**
 * Gaps of a service that fills them: one answer has null for every bucket without data between the first and the last point of
 * a series. Where a gap meets a cut, the nulls are missing: to one answer it is after the series, to the next before it.
 *
 * A unit has values at 10:00, 10:05 and 10:25, in steps of five minutes. One answer has null at 10:10, 10:15 and 10:20. Cut at
 * 10:15, the first answer ends with 10:05 and the second begins with 10:25: three nulls are missing. They are added where the
 * answers show that the service fills gaps: a null inside of a series, and no bucket missing inside of any.
 */
import type { Interval } from "../base/vocabulary.ts";
import type { LocalTime } from "../time/local-time.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { createMover } from "../time/stamp.ts";
import type { KnownAnswer } from "./answer.ts";
import { createStepper, type BucketStepper } from "./buckets/stepper.ts";
import { lookInside } from "./buckets/gap-evidence.ts";
import { keySeries } from "./keyed.ts";
import { findOffsetMs } from "./network-offset.ts";
import { joinPoints, stampAt } from "./point-operations.ts";
import { NO_POINTS, type Points } from "./points.ts";
import { createNulls } from "./scanned-join.ts";
import { nameSeries, type Series, type TimeSeries } from "./time-series.ts";

/** A series without its points, and the last of them. */
interface Tail {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly step: BucketStepper | undefined;
  readonly stamp: string;
  readonly instant: number;
  /** The instant up to which it is filled. */
  readonly filledTo: number;
}

interface Gap {
  readonly tail: Tail;
  /** The instant of the first point after it. */
  readonly to: number;
}

/** A gap that meets a cut, where nothing shows yet whether the service fills gaps. */
export interface OpenGap {
  /** The key that `keySeries` gives its series. */
  readonly key: string;
  /** The last bucket before it and the first one after it, in network time. */
  readonly from: LocalTime;
  readonly to: LocalTime;
}

/** Where a series goes on. */
interface Return {
  readonly item: TimeSeries | undefined;
  readonly to: number | undefined;
}

/** Points that may be handed on now. */
export interface ReadySpan {
  /** What comes after it, as far as that is known. */
  readonly upcoming: readonly TimeSeries[];
  /** Its first instant (included), and its last one (excluded). */
  readonly from: number;
  readonly until: number;
}

/** An answer, or a part of one with what the whole of it has shown. */
type Observed = Pick<KnownAnswer, "timeSeries" | "whole" | "seen">;

export interface GapOptions {
  /** The interval asked for; undefined: the one that the TimeSeries name. */
  readonly interval?: Interval | undefined;
  /** Whether nulls may come after later points. */
  readonly collects?: boolean;
  /** Milliseconds from the first bucket of the window to the last: no gap is longer. A point far outside of the window ends no gap. */
  readonly longest?: number;
}

/** What answers show of gaps. Where all of them are at hand, they are observed first, so that no gap is found too late. */
export class Gaps {
  readonly #options: GapOptions;
  #fills: boolean | undefined;
  /** Gaps that were not filled in time, or are known from before, by series, and by their last instant before. */
  readonly #missed = new Map<string, Map<number, Gap>>();
  readonly #tails = new Map<string, Tail>();
  /** What the tails of a TimeSeries have in common. */
  #shared: (Pick<Tail, "item" | "step"> & { readonly of: TimeSeries }) | undefined;
  #firstMissed: Tail | undefined;
  #firstFilled: Tail | undefined;

  constructor(options: GapOptions = {}) {
    this.#options = options;
  }

  /** Whether the service fills gaps; undefined where no answer has shown it yet. */
  get fills(): boolean | undefined {
    return this.#fills;
  }

  /** Milliseconds: no gap is longer. */
  get longest(): number {
    return this.#options.longest ?? Number.POSITIVE_INFINITY;
  }

  /** Before the first answer. */
  start(): void {
    this.#tails.clear();
    this.#firstMissed = undefined;
    this.#firstFilled = undefined;
  }

  /** Learns from one answer whether the service fills gaps. A missing bucket shows that it does not; without one, a null that it does. */
  observe({ timeSeries, whole = timeSeries, seen }: Observed): void {
    if (this.#fills === false) return;
    const { hasMissingBucket, hasNull } = seen?.inside ?? lookInside(whole, this.#options.interval);
    if (hasMissingBucket) this.#fills = false;
    else if (hasNull) this.#fills ??= true;
  }

  /** Learns where the series of one answer after another go on, so that gaps of whole windows are filled in time. Returns the gaps. */
  foresee(timeSeries: readonly TimeSeries[]): OpenGap[] {
    const open: OpenGap[] = [];
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const tail = this.#tails.get(key);
      const to = series.points.instants[0];
      const offset = findOffsetMs(item.network, [item]);
      if (tail && to !== undefined && to - tail.instant <= this.longest && tail.step?.isGap(tail.instant, to)) {
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

  /** The gaps between these series, or those before them, and the upcoming ones; none where it is known whether the service fills gaps. */
  *listOpen(timeSeries: readonly TimeSeries[], upcoming: readonly TimeSeries[]): Generator<OpenGap> {
    if (this.fills !== undefined || this.#isWhole(timeSeries, upcoming)) return;
    const present = keySeries(timeSeries);
    for (const [key, { item, series }] of keySeries(upcoming)) {
      const to = series.points.instants[0];
      const from = present.get(key)?.series.points.instants.at(-1) ?? this.#tails.get(key)?.instant;
      const offset = findOffsetMs(item.network, [item]);
      if (from === undefined || to === undefined || offset === undefined || to - from > this.longest) continue;
      if (createStepper(item, this.#options.interval)?.isGap(from, to)) yield { key, from: from + offset, to: to + offset };
    }
  }

  /** The series with the nulls of the span. */
  fill(timeSeries: readonly TimeSeries[], span: ReadySpan): readonly TimeSeries[] {
    if (this.fills === false || this.#isWhole(timeSeries, span.upcoming)) return timeSeries;
    const present = keySeries(timeSeries);
    const upcoming = keySeries(span.upcoming);
    const filled = new Map<Series, Points>();
    const absent: TimeSeries[] = [];
    for (const key of new Set([...this.#tails.keys(), ...present.keys()])) {
      const { item, series } = present.get(key) ?? {};
      const before = this.#bridge(key, { item, ...findStart(series) }, span);
      if (item && series) this.#extend(key, item, series);
      const next = upcoming.get(key);
      const start = next ? findStart(next.series) : undefined;
      const after = this.#bridge(key, { item: next?.item, ...start, to: start?.to ?? this.#findReturn(key) }, span);
      if (!before && !after) continue;
      const points = joinPoints([before, series?.points, after].filter((part) => part !== undefined));
      const tail = this.#tails.get(key) as Tail;
      if (series) filled.set(series, points);
      else absent.push({ ...(next?.item ?? tail.item), series: [{ ...tail.series, points }] });
    }
    if (filled.size === 0 && absent.length === 0) return timeSeries;
    const replace = (series: Series) => ({ ...series, points: filled.get(series) ?? series.points });
    return [...timeSeries.map((item) => ({ ...item, series: item.series.map(replace) })), ...absent];
  }

  /** At the end: the nulls that were missed, for a job that takes them late. */
  listLateNulls(): TimeSeries[] {
    if (!this.#options.collects || this.fills !== true) return [];
    // Every series, so that those of the same labels keep their numbers.
    return Array.from(this.#tails, ([key, { item, series }]) => {
      const gaps = Array.from(this.#missed.get(key)?.values() ?? [], ({ tail, to }) => spellNulls(tail, to));
      return { ...item, series: [{ ...series, points: joinPoints(gaps) }] };
    });
  }

  /** Why rows differ from those of a single answer; undefined where they do not. */
  get problem(): string | undefined {
    if (this.#options.collects) return undefined;
    if (this.fills === true && this.#firstMissed) return `${describe("are missing", this.#firstMissed)}: ${LATE}`;
    if (this.fills === false && this.#firstFilled) return `${describe("were added", this.#firstFilled)}: ${LATE}`;
    return undefined;
  }

  /** Why rows may differ from those of a single answer, which nothing shows; undefined where they do not. */
  get doubt(): string | undefined {
    if (this.fills !== undefined || !this.#firstMissed) return undefined;
    return `${describe("may be missing", this.#firstMissed)}: no answer shows whether the service fills gaps; a longer ${FETCH_FLAGS.maxWindow} may show it`;
  }

  /** Whether nothing came before these series, and nothing comes after them or between: they meet no cut. */
  #isWhole(timeSeries: readonly TimeSeries[], upcoming: readonly TimeSeries[]): boolean {
    return this.#tails.size === 0 && this.#missed.size === 0 && (timeSeries.length === 0 || upcoming.length === 0);
  }

  /** The nulls of the span up to the next point of a series. */
  #bridge(key: string, { item, to }: Return, span: ReadySpan): Points | undefined {
    const { collects, interval } = this.#options;
    const known = this.#tails.get(key);
    if (!known || to === undefined) return undefined;
    const tail = { ...known, step: (item && createStepper(item, interval)) ?? known.step };
    if (!tail.step || to - tail.instant > this.longest || !tail.step.isGap(tail.filledTo, to)) return undefined;
    const first = tail.step.next(tail.filledTo);
    if (this.fills !== true || collects || first < span.from) {
      this.#miss(key, { tail, to });
      this.#firstMissed ??= tail;
      return undefined;
    }
    if (first >= span.until) return undefined;
    const nulls = spellNulls(tail, Math.min(to, span.until));
    this.#firstFilled ??= tail;
    this.#tails.set(key, { ...tail, filledTo: nulls.instants.at(-1) as number });
    return nulls;
  }

  #extend(key: string, item: TimeSeries, series: Series): void {
    const { points } = series;
    const instant = points.instants.at(-1);
    if (instant === undefined) return;
    // Most series are of the same TimeSeries as the one before.
    if (this.#shared?.of !== item)
      this.#shared = { of: item, item: { ...item, series: [] }, step: createStepper(item, this.#options.interval) };
    const { item: head, step } = this.#shared;
    const stamp = stampAt(points, points.instants.length - 1);
    this.#tails.set(key, { item: head, series: { ...series, points: NO_POINTS }, step, stamp, instant, filledTo: instant });
  }

  /** Where a series comes back after windows without it, if it was found too late before. */
  #findReturn(key: string): number | undefined {
    return this.#missed.get(key)?.get(this.#tails.get(key)?.instant ?? Number.NaN)?.to;
  }
}

function findStart(series: Series | undefined): Pick<Return, "to"> {
  return { to: series?.points.instants[0] };
}

/** A null for every bucket after a series and before an instant. */
function spellNulls({ stamp, instant, step, filledTo }: Tail, until: number): Points {
  const instants: number[] = [];
  if (step) for (let next = step.next(filledTo); next < until; next = step.next(next)) instants.push(next);
  const move = createMover(stamp);
  return createNulls(
    instants.map((one) => move(one - instant)),
    instants,
  );
}

const LATE = "only later answers show whether the service fills gaps";

function describe(what: string, { series, stamp }: Tail): string {
  return `rows without a value ${what} where the window is split (first: ${nameSeries(series)}, after ${stamp})`;
}
