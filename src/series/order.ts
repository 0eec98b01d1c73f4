/** The canonical order of series, independent of the service's order. */
import type { Label, Series, TimeSeries } from "./time-series.ts";

/** TimeSeries in the order of `metrics`, then others by name; inside each, series by label values. */
export function orderTimeSeries(timeSeries: readonly TimeSeries[], metrics: readonly string[]): TimeSeries[] {
  const names = orderLabelNames(listLabelLists(timeSeries));
  const received = timeSeries.map(({ metric }) => metric);
  const ranks = rankMetrics(listMetrics(metrics, received));
  return timeSeries
    .map((item) => ({ ...item, series: item.series.toSorted((a, b) => compareLabels(a, b, names)) }))
    .sort((a, b) => (ranks.get(a.metric) ?? 0) - (ranks.get(b.metric) ?? 0));
}

/** The requested metrics in their order, then other received ones by name. */
export function listMetrics(requested: readonly string[], received: readonly string[]): string[] {
  return [...new Set([...requested, ...received.toSorted(compareText)])];
}

export function rankMetrics(metrics: readonly string[]): ReadonlyMap<string, number> {
  return new Map(metrics.map((metric, rank) => [metric, rank]));
}

/** The distinct lists of label names, those of `known` first. */
export function listLabelLists(timeSeries: readonly TimeSeries[], known: readonly (readonly string[])[] = []): (readonly string[])[] {
  const lists = new Map(known.map((names) => [JSON.stringify(names), names]));
  for (const { series } of timeSeries) {
    for (const { labels } of series) {
      const names = Object.keys(labels);
      lists.set(JSON.stringify(names), names);
    }
  }
  return [...lists.values()];
}

/**
 * The names of all lists, in the service's order. Longer lists come first, so that the result does not depend on the
 * order of the series.
 */
export function orderLabelNames(lists: readonly (readonly string[])[]): string[] {
  const ordered = lists.toSorted((a, b) => b.length - a.length || compareText(JSON.stringify(a), JSON.stringify(b)));
  return [...new Set(ordered.flat())];
}

/** Compares label values name by name: missing first, then false, true, numbers, and text in code-unit order. */
export function compareLabels(a: Series, b: Series, names: readonly string[]): number {
  for (const name of names) {
    const order = compareLabel(a.labels[name], b.labels[name]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareLabel(a: Label | undefined, b: Label | undefined): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0 || a === undefined || b === undefined || a === null) return rank;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

function rankOf(label: Label | undefined): number {
  if (label === undefined || label === null) return 0;
  if (typeof label === "boolean") return 1;
  return typeof label === "string" ? 3 : 2;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
