/** Adds up the series of units, in exact decimals. */
import type { Query } from "../../../query/query.ts";
import type { TimeSeries } from "../../time-series.ts";
import { PointList } from "../align.ts";
import { negate, sumDecimals } from "../decimals.ts";
import type { FleetGroups, GroupStep } from "../fleet-groups.ts";
import { createItems } from "../ratio.ts";
import { createSpans } from "../spans.ts";

interface Adding {
  readonly query: Query;
  /** Called with a sum that is null, as a unit has no value. */
  readonly onHole: (metric: string, step: Pick<GroupStep, "at" | "lacking">) => void;
}

/** An interval has a sum only if every unit that existed then has a value. */
export function addUp(item: TimeSeries, groups: FleetGroups, { query, onHole }: Adding): TimeSeries[] {
  const findSpans = createSpans(item, query);
  const made = groups.group(item).map((group) => {
    const list = new PointList();
    for (const step of groups.walk(group, findSpans)) {
      const { at, counted, lacking } = step;
      const values = counted.flatMap(({ unit, value }) =>
        value === undefined ? [] : [unit?.isLoad && group.hasGenerator ? negate(value) : value],
      );
      if (lacking && values.length > 0) onHole(item.metric, step);
      list.add(at, lacking ? null : (sumDecimals(values) ?? null));
    }
    const [{ series }] = group.members as [(typeof group.members)[0]];
    return { item, series, labels: group.labels, points: list.points };
  });
  return createItems(item.metric, item.unit, made);
}
