/** Adds up series, in exact decimals. */
import type { TimeSeries } from "../../time-series.ts";
import { negate, sumDecimals } from "../decimals.ts";
import { createItems, makeRows, type MetricContext } from "../computed-series.ts";

/**
 * An interval has a sum only if every unit that existed then has a value; what units take from the network counts
 * negative.
 */
export function addUp(item: TimeSeries, context: MetricContext): TimeSeries[] {
  const options = { timeSeries: [item], parts: [item.metric], isSum: true };
  const made = makeRows(context, options, (list, { row, at, counted, missing: missingUnit }, isUnknown) => {
    const values = counted.flatMap(({ member: { role }, values: [value] }) =>
      value === undefined ? [] : [role === "load" && !row.isLoad ? negate(value) : value],
    );
    if (missingUnit && values.length > 0) context.onHole(`${item.metric} at ${at.timestamp} lacks ${missingUnit.code}`);
    list.add(at, isUnknown ? null : (sumDecimals(values) ?? null));
  });
  return createItems(item.metric, item.unit, made);
}
