/** The canonical order of series, independent of the service's order. */
import { isLosslessNumber, toJsonText } from "../base/json.ts";
import { findLabel, type Label, type Series, type TimeSeries } from "./time-series.ts";

/** TimeSeries in the order of `metrics`, then others by name; inside each, series by label values. */
export function orderTimeSeries(timeSeries: readonly TimeSeries[], metrics: readonly string[]): TimeSeries[] {
  const names = orderLabelNames(listLabelLists(timeSeries));
  const ranks = rankMetrics(metrics, timeSeries);
  return timeSeries
    .map((item) => ({ ...item, series: item.series.toSorted((a, b) => compareLabels(a, b, names)) }))
    .sort((a, b) => (ranks.get(a.metric) ?? 0) - (ranks.get(b.metric) ?? 0));
}

/** The requested metrics in their order, then other received ones by name. */
export function orderMetrics(requested: readonly string[], received: readonly string[]): string[] {
  return [...new Set([...requested, ...received.toSorted(compareText)])];
}

export function rankMetrics(
  requested: readonly string[],
  items: readonly Pick<TimeSeries, "metric">[] = [],
): ReadonlyMap<string, number> {
  const received = items.map(({ metric }) => metric);
  return new Map(orderMetrics(requested, received).map((metric, rank) => [metric, rank]));
}

/**
 * Distinct lists of label names, `known` first. Lists that differ only in order count once, as in `known` or else
 * sorted first.
 */
export function listLabelLists(
  timeSeries: readonly TimeSeries[],
  known: readonly (readonly string[])[] = [],
): (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const { series } of timeSeries) {
    for (const { labels } of series) {
      const names = Object.keys(labels);
      found.set(JSON.stringify(names), names);
    }
  }
  const ordered = [
    ...known,
    ...[...found.values()].toSorted((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))),
  ];
  const lists = new Map<string, readonly string[]>();
  for (const names of ordered) {
    const key = JSON.stringify(names.toSorted());
    if (!lists.has(key)) lists.set(key, names);
  }
  return [...lists.values()];
}

/**
 * The names of all lists, in the service's order. Longer lists go first, so that the order of the series does not
 * matter.
 */
export function orderLabelNames(lists: readonly (readonly string[])[]): string[] {
  const ordered = lists.toSorted((a, b) => b.length - a.length || compareText(JSON.stringify(a), JSON.stringify(b)));
  return [...new Set(ordered.flat())];
}

/**
 * Distinct values of a label, including `values`, in canonical order; a missing label counts as null and goes first.
 */
export function listLabelValues(
  timeSeries: readonly TimeSeries[],
  { label, values }: { readonly label: string; readonly values: readonly Label[] },
): Label[] {
  const found = new Map(values.map((value) => [keyLabel(value), value]));
  for (const { series } of timeSeries) {
    for (const member of series) {
      const value = findLabel(member, label);
      found.set(keyLabel(value), value);
    }
  }
  return [...found.values()].sort(compareLabel);
}

/** Compares label values name by name: missing first, then false, true, numbers, and text in code-unit order. */
export function compareLabels(a: Series, b: Series, names: readonly string[]): number {
  for (const name of names) {
    const order = compareLabel(findLabel(a, name), findLabel(b, name));
    if (order !== 0) return order;
  }
  return 0;
}

/** A key that distinguishes `true` from `"true"`, and numbers digit for digit. */
export function keyLabel(label: Label): string {
  return toJsonText(label);
}

function compareLabel(a: Label, b: Label): number {
  const rank = rankLabel(a) - rankLabel(b);
  if (rank !== 0) return rank;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return labelToNumber(a) - labelToNumber(b) || 0;
}

/** Infinite if the service's number is beyond the range of a double. */
function labelToNumber(label: Label): number {
  return isLosslessNumber(label) ? Number(label.value) : Number(label);
}

function rankLabel(label: Label): number {
  if (label === null) return 0;
  if (typeof label === "boolean") return 1;
  return typeof label === "string" ? 3 : 2;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
