import type { Series, TimeSeries } from "./time-series.ts";

/** A series, its TimeSeries, and a key that is the same in every answer. */
export interface KeyedSeries {
  readonly key: string;
  readonly item: TimeSeries;
  readonly series: Series;
}

/** The key of a TimeSeries: one metric of one network. */
export function keyOfItem({ network, metric }: TimeSeries): string {
  return JSON.stringify([network, metric]);
}

/** All series by key: network, metric and labels, and a number for duplicates in one answer. */
export function keySeries(timeSeries: readonly TimeSeries[]): Map<string, KeyedSeries> {
  const keyed = new Map<string, KeyedSeries>();
  for (const item of timeSeries) {
    for (const series of item.series) {
      const labels = Object.entries(series.labels).sort(([a], [b]) => (a < b ? -1 : 1));
      const base = `${keyOfItem(item)}${JSON.stringify(labels)}`;
      let key = base;
      for (let ordinal = 1; keyed.has(key); ordinal++) key = `${base}#${ordinal}`;
      keyed.set(key, { key, item, series });
    }
  }
  return keyed;
}
