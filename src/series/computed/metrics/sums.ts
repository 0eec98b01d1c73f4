/** Adds up series, in exact decimals. */
import type { TimeSeries } from "../../time-series.ts";
import { PointList } from "../align.ts";
import { negate, sumDecimals } from "../decimals.ts";
import { createItems, type MetricContext, toMade } from "../ratio.ts";
import { walkRows } from "../rows.ts";

/** An interval has a sum only if every unit that existed then has a value; what units take from the network counts negative. */
export function addUp(item: TimeSeries, { rows, rooftop, query, onHole }: MetricContext): TimeSeries[] {
  const made = rows.find([item], [item.metric]).flatMap((whole) => {
    const lists = new Map(whole.rows.map((row) => [row, new PointList()]));
    const isLate = rooftop.watch(whole);
    for (const { row, at, counted, lacking } of walkRows(whole, { query, isSum: true })) {
      const values = counted.flatMap(({ member: { role }, values: [value] }) =>
        value === undefined ? [] : [role === "load" && !row.isLoad ? negate(value) : value],
      );
      if (lacking && values.length > 0) onHole(`${item.metric} at ${at.timestamp} lacks ${lacking.code}`);
      const isUnknown = lacking !== undefined || (row.hasRooftop && isLate(at.instant));
      lists.get(row)?.add(at, isUnknown ? null : (sumDecimals(values) ?? null));
    }
    return whole.rows.map((row) => toMade(row, lists.get(row) as PointList));
  });
  return createItems(item.metric, item.unit, made);
}
