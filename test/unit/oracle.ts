/**
 * Makes rows in the simplest way: collects all points, sorts them, prints them. Slow, and independent of the code under
 * test.
 */
import type { ItemModel, LabelValue } from "./generators.ts";

export interface PlainPoint {
  readonly instant: number;
  readonly timestamp: string;
  readonly metric: string;
  readonly unit: string;
  readonly labels: Readonly<Record<string, LabelValue>>;
  /** JSON text. */
  readonly value: string | null;
}

/** All points in the order of rows: timestamp, metric as asked, labels; otherwise as the service sent them. */
export function collectPoints(
  items: readonly ItemModel[],
  names: readonly string[],
  asked: readonly string[],
): PlainPoint[] {
  const points: PlainPoint[] = [];
  for (const { metric, unit, series } of items) {
    for (const { labels, points: pairs } of series) {
      for (const [timestamp, value] of pairs)
        points.push({ instant: instantOf(timestamp), timestamp, metric, unit, labels, value });
    }
  }
  const came = [...new Set(points.map(({ metric }) => metric))].filter((metric) => !asked.includes(metric)).toSorted();
  const metrics = [...asked, ...came];
  return points.toSorted(
    (a, b) =>
      a.instant - b.instant ||
      metrics.indexOf(a.metric) - metrics.indexOf(b.metric) ||
      compareLabels(a.labels, b.labels, names),
  );
}

export function compareLabels(a: PlainPoint["labels"], b: PlainPoint["labels"], names: readonly string[]): number {
  for (const name of names) {
    const [one, other] = [labelText(a[name]), labelText(b[name])];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** A text that sorts as labels do: a missing one before an empty one; "false" before "true". */
function labelText(label: LabelValue | undefined): string {
  return label === undefined ? "" : `:${label}`;
}

function instantOf(timestamp: string): number {
  return Date.parse(/Z|\+/.test(timestamp) ? timestamp : `${timestamp}+10:00`);
}
