/** Totals of a network or region over its fueltechs. */
import { groupBy } from "../../base/group-by.ts";
import { findFuel, keyOfRow, type Labels, type Series, type TimeSeries } from "../time-series.ts";
import type { Points } from "../points.ts";
import { alignPoints, PointList } from "./align.ts";
import { sumDecimals } from "./decimals.ts";
import { addRatio, generates, type SeriesPair, toNumber, withoutFuel } from "./ratio.ts";

interface Total {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly labels: Labels;
  readonly points: Points;
}

/**
 * The ratio of the sums over what generates. A fueltech without a value adds nothing; with `needsBoth`, neither does one that has only
 * one of its parts.
 */
export function divideTotals(
  pairs: readonly SeriesPair[],
  { factor, needsBoth = false }: { readonly factor: number; readonly needsBoth?: boolean },
): Total[] {
  const labelsOf = ({ series }: SeriesPair) => withoutFuel(series.labels);
  const wholes = groupBy(pairs, (pair) => keyOfRow(pair.item, { labels: labelsOf(pair) }));
  return Array.from(wholes.values(), (members): Total => {
    const [{ item, series }] = members as [SeriesPair];
    const parts = members.filter((pair) => generates(findFuel(pair.series)));
    const list = new PointList();
    for (const at of alignPoints([...members.map(({ over }) => over), ...members.map(({ under }) => under)])) {
      const summed: [string[], string[]] = [[], []];
      for (const [index, pair] of members.entries()) {
        const [over, under] = [at.values[index], at.values[members.length + index]];
        if (!parts.includes(pair) || (needsBoth && !(typeof over === "string" && typeof under === "string"))) continue;
        if (typeof over === "string") summed[0].push(over);
        if (typeof under === "string") summed[1].push(under);
      }
      const [over, under] = summed.map((numbers) => toNumber(sumDecimals(numbers)));
      addRatio(list, at, { over: factor * (over as number), under: under as number });
    }
    return { item, series, labels: withoutFuel(series.labels), points: list.points };
  });
}
