import { NO_POINTS, type Points } from "../points.ts";
import { keyOfItem, keyOfRow, type Series, type TimeSeries } from "../time-series.ts";

interface Member<T> {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly value: T;
}

/** What is collected of each series, without its points. Parts of a series in several TimeSeries or chunks count as one. */
export class Collected<T> {
  readonly #make: (item: TimeSeries, series: Series) => T;
  readonly #members = new Map<string, Member<T>>();

  constructor(make: (item: TimeSeries, series: Series) => T) {
    this.#make = make;
  }

  of(item: TimeSeries, series: Series): T {
    const key = keyOfItem(item) + keyOfRow(item, series);
    let member = this.#members.get(key);
    if (!member) {
      const own = { item: { ...item, series: [] }, series: { ...series, points: NO_POINTS } };
      this.#members.set(key, (member = { ...own, value: this.#make(item, series) }));
    }
    return member.value;
  }

  list(): Member<T>[] {
    return [...this.#members.values()];
  }

  /** A TimeSeries for each series, with points made of what was collected. */
  toTimeSeries(pointsOf: (value: T, member: Member<T>) => Points): TimeSeries[] {
    return this.list().map((member) => ({
      ...member.item,
      series: [{ ...member.series, points: pointsOf(member.value, member) }],
    }));
  }
}

/** Points of texts in place of timestamps, and of instants in ascending order. */
export function createPoints<T extends { readonly at: number; readonly timestamp: string; readonly value: string | null }>(
  points: readonly T[],
): Points {
  return {
    timestamps: points.map(({ timestamp }) => timestamp),
    instants: points.map(({ at }) => at),
    values: points.map(({ value }) => value),
  };
}
