import type { Series, TimeSeries } from "./time-series.ts";

/** A series, its TimeSeries, and a key that is the same in every answer. */
export interface KeyedSeries {
  readonly key: string;
  readonly item: TimeSeries;
  readonly series: Series;
}

/** The key of a TimeSeries: one metric of one network, in one unit. */
export function keyOfItem({ network, metric, unit }: Pick<TimeSeries, "network" | "metric" | "unit">): string {
  return JSON.stringify([network, metric, unit]);
}

/** The key of a row of all metrics: network and labels, in whatever order the service names them. */
export function keyOfRow({ network }: Pick<TimeSeries, "network">, { labels }: Pick<Series, "labels">): string {
  return JSON.stringify([network, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** All series by key: network, metric and labels, and a number for duplicates in one answer. */
export function keySeries(timeSeries: readonly TimeSeries[]): Map<string, KeyedSeries> {
  const keyed = new Map<string, KeyedSeries>();
  const counts = new Map<string, number>();
  for (const item of timeSeries) {
    const metric = JSON.stringify(item.metric);
    for (const series of item.series) {
      const base = metric + keyOfRow(item, series);
      const count = counts.get(base) ?? 0;
      const key = `${base}${count}`;
      counts.set(base, count + 1);
      keyed.set(key, { key, item, series });
    }
  }
  return keyed;
}
