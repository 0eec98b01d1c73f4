/** Combines entries of a legend if there are too many. */
import { group, least, max, sort, sum } from "d3-array";
import { formatCount } from "../../../base/phrases.ts";
import { nameOrCode } from "../../../base/code-names.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { UNIT_LABEL } from "../../../base/vocabulary.ts";
import type { FuelSource } from "../../../series/fuels.ts";
import { type DrawnSeries, joinSums } from "./legend.ts";
import type { NumberLine } from "../../../series/number-line.ts";
import type { Picture } from "./picture.ts";
import { combineLines } from "./read-points.ts";

/** Maximum number of legend entries; beyond it, the smallest are combined into one. */
export const MAX_ENTRIES = 12;
/** Up to this many are drawn rather than a sum that is the largest of all. */
const MANY_ENTRIES = 20;

/** Combines the smallest lines into their mean. */
export function foldLines(entries: readonly DrawnSeries[], most: number): readonly DrawnSeries[] {
  return foldSmallest(entries, "mean", most);
}

interface FoldOptions {
  /** Maximum number of entries. */
  readonly most: number;
  readonly isRaw: boolean;
}

/**
 * Combines series of a stack: the smallest into their sum or, if that would be the largest of all, units by facility,
 * then all by fueltech. Undefined if the sum would be the largest even then with `MAX_ENTRIES`; with fewer, it may be.
 */
export function foldStack(
  entries: readonly DrawnSeries[],
  { most, isRaw }: FoldOptions,
): readonly DrawnSeries[] | undefined {
  const byFuel = groupByKey(entries, ({ fuel }) => fuel);
  const byFacility = groupByKey(entries, ({ plant, fuel }) => JSON.stringify([plant, fuel]));
  const grouped = [byFacility, byFuel].flatMap((groups) => (groups ? [combineGroups(groups, isRaw)] : []));
  const foldTo = (count: number) => [entries, ...grouped].map((list) => foldSmallest(list, "sum", count));
  const folded = foldTo(most);
  const found = folded.find((list) => !isRestLargest(list));
  if (found || (entries.length <= MANY_ENTRIES && most >= MAX_ENTRIES)) return found ?? entries;
  const isStack = entries.length <= MANY_ENTRIES || foldTo(MAX_ENTRIES).some((list) => !isRestLargest(list));
  return isStack ? least(folded, sizeOfRest) : undefined;
}

function isRestLargest(entries: readonly DrawnSeries[]): boolean {
  return sizeOfRest(entries) > (max(entries, (entry) => (entry.source ? sizeOfSeries(entry) : 0)) ?? 0);
}

/** The size of the largest sum of combined entries. */
function sizeOfRest(entries: readonly DrawnSeries[]): number {
  return max(entries, (entry) => (entry.source ? 0 : sizeOfSeries(entry))) ?? 0;
}

/** Groups of series that share a key; undefined if the fueltech of one is unknown, or the groups are no fewer. */
function groupByKey(
  entries: readonly DrawnSeries[],
  keyOf: (source: FuelSource) => string | undefined,
): readonly (readonly DrawnSeries[])[] | undefined {
  if (entries.some(({ source }) => source?.fuel === undefined)) return undefined;
  const groups = [...group(entries, ({ source }) => source && keyOf(source)).values()];
  return groups.length > 1 && groups.length < entries.length ? groups : undefined;
}

/**
 * `BAYSW (4 units)`; `Wind (12 units)` if a group has units of several facilities; `Wind` for the wind of several
 * regions.
 */
function combineGroups(groups: readonly (readonly DrawnSeries[])[], isRaw: boolean): DrawnSeries[] {
  const plants = groups.map((entries) => new Set(entries.map(({ source }) => source?.plant)));
  const isByPlant = plants.every(({ size }) => size === 1);
  return groups.map((entries) => {
    const [first] = entries as readonly [DrawnSeries];
    const { fuel = "", plant = "", series } = first.source as FuelSource;
    const fuelName = nameOrCode("fueltech", fuel, isRaw);
    const isShared = plants.filter((other) => other.has(plant)).length > 1;
    const name = isByPlant ? (isShared ? `${plant} ${fuelName.toLowerCase()}` : plant) : fuelName;
    const isOfUnits = Object.hasOwn(series.labels, UNIT_LABEL);
    if (entries.length === 1 && !isByPlant && isOfUnits) return first;
    const count = isOfUnits && entries.length > 1 ? ` (${formatCount(entries.length, "unit")})` : "";
    return { ...first, name: escapeControls(name + count), ...combineLines(entries, "sum") };
  });
}

/**
 * Combines the smallest entries so that at most `most` remain. In a stack, series below the axis are not combined with
 * series above it.
 */
function foldSmallest(entries: readonly DrawnSeries[], by: "sum" | "mean", most: number): readonly DrawnSeries[] {
  if (entries.length <= most) return entries;
  const pairs = group(entries, nameOfPair);
  // The charging of the only battery would stay alone below the axis.
  const isOnlyBattery = entries.filter(({ source }) => isBattery(source)).length === 2;
  const rankOf = (entry: DrawnSeries) =>
    isOnlyBattery && isBattery(entry.source)
      ? Number.POSITIVE_INFINITY
      : (max(pairs.get(nameOfPair(entry)) ?? [], sizeOfSeries) ?? 0);
  const bySize = sort(entries, (entry) => -rankOf(entry), nameOfPair);
  const folded = foldFrom(most - 1);
  return folded.length <= most ? folded : foldFrom(most - 2);

  function foldFrom(rank: number): readonly DrawnSeries[] {
    const pair = nameOfPair(bySize[rank - 1] as DrawnSeries);
    const cut = pair === nameOfPair(bySize[rank] as DrawnSeries) ? rank - 1 : rank;
    const smallest = new Set(bySize.slice(cut));
    const kept = entries.filter((entry) => !smallest.has(entry));
    const below = entries.filter(
      (entry) => smallest.has(entry) && by === "sum" && entry.values.some((value) => value < 0),
    );
    const rest = entries.filter((entry) => smallest.has(entry) && !below.includes(entry));
    const name = (count: number) => `${count} others`;
    if (by === "mean") return [...kept, ...combine(rest, (count) => `mean of ${name(count)}`, by)];
    return [...kept, ...combine(below, (count) => `${name(count)} below zero`, by), ...combine(rest, name, by)];
  }
}

function combine(
  entries: readonly DrawnSeries[],
  nameOf: (count: number) => string,
  by: "sum" | "mean",
): readonly DrawnSeries[] {
  const isOne = entries.length < 2 && !isBattery(entries[0]?.source);
  return isOne || entries.length === 0
    ? entries
    : [
        {
          name: nameOf(entries.length),
          ...(combineRatios(entries) ?? combineLines(entries, by)),
          sums: joinSums(entries),
        },
      ];
}

/** The mean of computed ratios is the ratio of the sums; undefined if one is none. */
function combineRatios(entries: readonly DrawnSeries[]): NumberLine | undefined {
  const ratios = entries.flatMap(({ times, source }) => {
    const { ratio } = source?.series.points ?? {};
    return ratio ? [{ times, ...ratio }] : [];
  });
  if (ratios.length < entries.length) return undefined;
  const add = (part: "over" | "under") =>
    combineLines(
      ratios.map((ratio) => ({ times: ratio.times, values: Float64Array.from(ratio[part]) })),
      "sum",
    );
  const [over, under] = [add("over"), add("under")];
  return { times: over.times, values: over.values.map((value, index) => value / (under.values[index] || Number.NaN)) };
}

function sizeOfSeries({ values }: DrawnSeries): number {
  return sum(values, Math.abs);
}

/** The same for charging and discharging of a battery, so that both are drawn or neither is. */
function nameOfPair({ name, source }: DrawnSeries): string {
  return isBattery(source) ? `battery of ${source?.plant}` : name;
}

function isBattery(source: FuelSource | undefined): boolean {
  return source?.fuel?.startsWith("battery_") ?? false;
}

/** Numbers of entries, or of small multiples, to try if a legend takes too much room. */
const FEWER = [10, 9, 8, 7, 6, 5];
/** With so few entries, most of a stack is others. */
const FEWEST = [4, 3];

/**
 * Yields the picture, then with fewer and fewer entries, as long as it is drawn in the same way; if not `isAlike`, what
 * is left: those that are drawn otherwise, or with very few entries.
 */
export function* listFolded(
  picture: Picture,
  fold: (maxEntries: number) => Picture,
  isAlike = true,
): Generator<Picture> {
  if (isAlike) yield picture;
  const most = max(picture.panels, ({ series }) => series.length) ?? 0;
  const describe = ({ panels }: Picture) => panels.map(({ mark, title }) => `${mark} ${title}`).join();
  for (const entries of [...FEWER, ...FEWEST].filter((count) => count < most || picture.isSplit)) {
    const smaller = fold(entries);
    const isUsual = picture.isSplit || !FEWEST.includes(entries);
    if ((isUsual && describe(smaller) === describe(picture)) === isAlike) yield smaller;
  }
}
