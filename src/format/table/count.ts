import { groupBy } from "../base/group-by.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { Instants } from "../series/points.ts";

/** The rows of series, without making them: one for each point, but those of different columns at an instant share one. */
export function countRows(series: readonly PlacedSeries[]): number {
  const rows = groupBy(series, ({ rank }) => rank);
  return [...rows.values()].reduce((sum, sharing) => {
    const columns = groupBy(sharing, ({ valueColumn }) => valueColumn);
    return sum + [...columns.values()].map(listInstants).reduce(unite).length;
  }, 0);
}

/** The instants of series with the same column. */
function listInstants(series: readonly PlacedSeries[]): Instants {
  const [first, ...others] = series.map(({ points }) => points.instants);
  return others.length === 0 ? (first ?? []) : Float64Array.from(series.flatMap(({ points }) => [...points.instants])).sort();
}

/** Instants of either, each as often as the one that has it more often. */
function unite(a: Instants, b: Instants): Instants {
  const all = new Float64Array(a.length + b.length);
  let length = 0;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; length++) {
    const [left, right] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY];
    all[length] = Math.min(left, right);
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return all.subarray(0, length);
}
