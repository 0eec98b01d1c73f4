/** Share: of the sum of what generates in the same interval and region. */
import { groupBy } from "../../../base/group-by.ts";
import { keyOfRow, type TimeSeries } from "../../time-series.ts";
import { alignPoints, PointList } from "../align.ts";
import { sumDecimals } from "../decimals.ts";
import { addRatio, createComputed, generates, listItems, NOTHING, toNumber, type MetricContext, withoutFuel } from "../ratio.ts";

export function computeShare(timeSeries: readonly TimeSeries[], { query, fuelOf }: MetricContext): TimeSeries[] {
  const all = listItems(timeSeries, query.computation.shared).flatMap((item) => item.series.map((series) => ({ item, series })));
  const wholes = groupBy(all, ({ item, series }) => keyOfRow(item, { labels: withoutFuel(series.labels) }));
  const made = [...wholes.values()].flatMap((members) => {
    const parts = members.map(({ item, series }) => ({ item, series, isPart: generates(fuelOf(series)), list: new PointList() }));
    for (const at of alignPoints(members.map(({ series }) => series.points))) {
      const values = parts.map(({ isPart }, index) => (isPart ? at.values[index] : undefined));
      const under = toNumber(sumDecimals(values.filter((value) => typeof value === "string")));
      for (const [index, { list, isPart }] of parts.entries()) {
        if (at.values[index] === undefined) continue;
        if (isPart) addRatio(list, at, { over: 100 * toNumber(at.values[index]), under });
        else list.add(at, null, NOTHING);
      }
    }
    return parts.map(({ item, series, list }) => ({ item, series, points: list.points }));
  });
  return createComputed("share", made);
}
