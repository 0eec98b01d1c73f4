/** Adds up the series of units, in exact decimals. */
import type { TimeSeries } from "../../time-series.ts";
import { PointList } from "../align.ts";
import { negate, sumDecimals } from "../decimals.ts";
import { createItems, type MetricContext } from "../ratio.ts";
import { walkGroup } from "../fleet-groups.ts";
import { createSpans } from "../spans.ts";

/** An interval has a sum only if every unit that existed then has a value. */
export function addUp(item: TimeSeries, { groups, query, onHole }: MetricContext): TimeSeries[] {
  const findSpans = createSpans(item, query);
  const made = (groups?.group(item) ?? []).map((group) => {
    const list = new PointList();
    for (const { at, counted, lacking } of walkGroup(group, findSpans)) {
      const values = counted.flatMap(({ unit, value }) =>
        value === undefined ? [] : [unit?.isLoad && group.hasGenerator ? negate(value) : value],
      );
      if (lacking && values.length > 0) onHole(`${item.metric} at ${at.timestamp} lacks ${lacking.code}`);
      list.add(at, lacking ? null : (sumDecimals(values) ?? null));
    }
    const [{ series }] = group.members as [(typeof group.members)[0]];
    return { item, series, labels: group.labels, points: list.points };
  });
  return createItems(item.metric, item.unit, made);
}
