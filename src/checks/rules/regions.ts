import { findNetwork } from "../../base/vocabulary.ts";
import { type CheckedSeries, compareAll, keyOfSeries, type Rule } from "../check.ts";

const REGION = "region";
/** What flows from one region to another is in none of the network's. */
const isSum = ({ metric, unit }: CheckedSeries) => ["MW", "MWh", "t", "$"].includes(unit) && !metric.startsWith("flow_");

export const regions: Rule = {
  name: "regions",
  says: "a network is the sum of its regions (within 0.5 % or 1)",
  needs: "the same metric of a network and by region, with all regions",
  source: "each unit is in one region",
  find: ({ series }) => {
    const summed = series.filter(isSum);
    const [all, wholes] = [true, false].map((isPart) => summed.filter(({ labels }) => Object.hasOwn(labels, REGION) === isPart)) as [
      CheckedSeries[],
      CheckedSeries[],
    ];
    const pairs = wholes.flatMap((whole) => {
      const parts = all.filter((part) => part.metric === whole.metric && keyOfSeries(part, [REGION]) === keyOfSeries(whole));
      // Several outputs may have a region.
      const distinct = [...new Map(parts.map((part) => [part.labels[REGION], part])).values()];
      return parts.length > 0 && hasAllRegions(all, whole) ? [{ whole, parts: distinct }] : [];
    });
    if (pairs.length === 0) return undefined;
    return pairs.flatMap(({ whole, parts }) =>
      compareAll(whole, (instant) => parts.reduce((sum, part) => sum + valueAt(part, instant), 0), { share: 0.005, least: 1 }),
    );
  },
};

function hasAllRegions(all: readonly CheckedSeries[], { network, metric }: CheckedSeries): boolean {
  const found = new Set(all.filter((part) => part.network === network && part.metric === metric).map(({ labels }) => labels[REGION]));
  const { regions: known = [] } = findNetwork(network) ?? {};
  return known.length > 1 && known.every((region) => found.has(region));
}

/** Before its first and after its last value a series is not there; in between, a missing value is unknown. */
function valueAt({ times, values }: CheckedSeries, instant: number): number {
  const isThere = instant >= (times[0] ?? Number.POSITIVE_INFINITY) && instant <= (times.at(-1) ?? 0);
  return isThere ? (values.get(instant) ?? Number.NaN) : 0;
}
