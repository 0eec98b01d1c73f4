import { findNetwork } from "../../base/vocabulary.ts";
import { type CheckedSeries, compareAll, findValue, keyOfSeries, type Rule } from "../check.ts";

const REGION = "region";
/** What flows from one region to another is in none of the network's. */
const isSum = ({ metric, unit }: CheckedSeries) =>
  ["MW", "MWh", "t", "$"].includes(unit) && !metric.startsWith("flow_");

export const regions: Rule = {
  name: "regions",
  says: "a network is the sum of its regions (within 0.5 % or 1)",
  needs: "the same metric of a network and by region, with all regions",
  source: "each unit is in one region",
  find: ({ series }) => {
    const summed = series.filter(isSum);
    const [parts, wholes] = [true, false].map((isPart) =>
      summed.filter(({ labels }) => Object.hasOwn(labels, REGION) === isPart),
    ) as [CheckedSeries[], CheckedSeries[]];
    const checked = wholes.flatMap((whole) => {
      const addRegions = createSum(parts, whole);
      return whole.instants.some((instant) => !Number.isNaN(addRegions(instant))) ? { whole, addRegions } : [];
    });
    if (checked.length === 0) return undefined;
    return checked.flatMap(({ whole, addRegions }) => compareAll(whole, addRegions, { share: 0.005, least: 1 }));
  },
};

/** The sum of all regions at an instant; NaN where an output has no interval for one of them, or a value is missing. */
function createSum(parts: readonly CheckedSeries[], whole: CheckedSeries): (instant: number) => number {
  const { regions: known = [] } = findNetwork(whole.network) ?? {};
  const kindOf = ({ metric, unit, network, interval, labels }: CheckedSeries) =>
    JSON.stringify([metric, unit, network, interval, Object.keys({ ...labels, [REGION]: "" }).sort()]);
  const alike = parts.filter((part) => kindOf(part) === kindOf(whole));
  const same = alike.filter((part) => keyOfSeries(part, [REGION]) === keyOfSeries(whole));
  const outputs = new Set(same.flatMap(listCovers));
  const parted = known.map((region) => {
    const isOf = ({ labels }: CheckedSeries) => labels[REGION] === region;
    // An output of some fueltechs says nothing of others.
    const covers = [...new Set(alike.filter(isOf).flatMap(listCovers))].filter(
      (cover) => !cover.isFiltered || outputs.has(cover),
    );
    return { covers, series: same.filter(isOf) };
  });
  if (known.length < 2 || same.length === 0) return () => Number.NaN;
  return (instant) =>
    parted.reduce((sum, { covers, series }) => {
      const isCovered = covers.some(({ from, to }) => instant >= from && instant <= to);
      return sum + (findValue(series, instant) ?? (isCovered ? 0 : Number.NaN));
    }, 0);
}

function listCovers({ pieces }: CheckedSeries) {
  return pieces.map(({ cover }) => cover);
}
