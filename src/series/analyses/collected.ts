import { NO_POINTS, type Points } from "../points.ts";
import { formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import type { Zone } from "../../time/zone.ts";
import { compareLabels, listLabelLists, orderLabelNames, rankMetrics } from "../order.ts";
import { findPartialStarts } from "../partial-starts.ts";
import { createNumberReader } from "../point-operations.ts";
import { findClockOffset, findInterval, keyOfItem, keyOfRow, type Series, type TimeSeries } from "../time-series.ts";

interface CollectedValue<T> {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly value: T;
}

/**
 * What is collected of each series, without its points. Parts of a series in several TimeSeries or chunks count as one.
 */
export class Collected<T> {
  readonly #make: (item: TimeSeries, series: Series) => T;
  readonly #members = new Map<string, CollectedValue<T>>();

  constructor(make: (item: TimeSeries, series: Series) => T) {
    this.#make = make;
  }

  each(
    timeSeries: readonly TimeSeries[],
    read: (value: T, of: { readonly item: TimeSeries; readonly series: Series }) => void,
  ): void {
    for (const item of timeSeries) for (const series of item.series) read(this.of(item, series), { item, series });
  }

  of(item: TimeSeries, series: Series): T {
    const key = keyOfItem(item) + keyOfRow(item, series) + (series.figure ?? "");
    let member = this.#members.get(key);
    if (!member) {
      const own = { item: { ...item, series: [] }, series: { ...series, points: NO_POINTS } };
      this.#members.set(key, (member = { ...own, value: this.#make(item, series) }));
    }
    return member.value;
  }

  list(): CollectedValue<T>[] {
    return [...this.#members.values()];
  }

  /** In the order of rows. `metrics`: their order. */
  order(metrics: readonly string[]): CollectedValue<T>[] {
    const members = this.list();
    const items = members.map(({ item, series }) => ({ ...item, series: [series] }));
    const [ranks, names] = [rankMetrics(metrics, items), orderLabelNames(listLabelLists(items))];
    const rankOf = ({ item }: CollectedValue<T>) => ranks.get(item.metric) ?? 0;
    return members.sort((a, b) => rankOf(a) - rankOf(b) || compareLabels(a.series, b.series, names));
  }

  /** A TimeSeries for each series, with points made of what was collected. */
  toTimeSeries(pointsOf: (value: T, member: CollectedValue<T>) => Points): TimeSeries[] {
    return this.list().map((member) => ({
      ...member.item,
      series: [{ ...member.series, points: pointsOf(member.value, member) }],
    }));
  }
}

/** The days from the first to the last value. */
export class Dates {
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(instant: number): void {
    if (instant < this.#first) this.#first = instant;
    if (instant > this.#last) this.#last = instant;
  }

  /** `2025-01-01 to 2025-01-31`; empty without values. `offset`: of network time, in minutes. */
  describe(zone: Zone, offset: number): string {
    if (this.#last < this.#first) return "";
    const days = [this.#first, this.#last].map((instant) =>
      formatLocalTime(zone.toWallClock(instant, offset)).slice(0, 10),
    );
    return [...new Set(days)].join(" to ");
  }
}

/** A value that is a finite number, or NaN for null. */
type ReadValue = (value: number, at: { readonly index: number; readonly instant: number }) => void;

/** Reads the numbers and nulls of a series, without intervals that start at these network times. */
export function collectNumbers(
  { item, series }: { readonly item: TimeSeries; readonly series: Series },
  partial: readonly LocalTime[],
  read: ReadValue,
): void {
  const { points } = series;
  const skipped = new Set(
    findPartialStarts({ points, interval: findInterval(item), offset: findClockOffset(item) }, partial),
  );
  const numberAt = createNumberReader(points);
  for (let index = 0; index < points.instants.length; index++) {
    const [instant, value] = [points.instants[index] as number, numberAt(index)];
    const isInfinite = Math.abs(value ?? 0) === Number.POSITIVE_INFINITY;
    if (value !== undefined && !isInfinite && !skipped.has(instant)) read(value, { index, instant });
  }
}

/** Points by position, in ascending order. */
export function createPoints(points: readonly { readonly position: number; readonly value: string | null }[]): Points {
  return {
    timestamps: points.map(() => ""),
    instants: points.map(({ position }) => position),
    values: points.map(({ value }) => value),
  };
}
