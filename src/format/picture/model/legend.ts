/** The content and order of a legend. */
import { group, max, sort, sum } from "d3-array";
import { format } from "d3-format";
import { type FuelSource, isLoad } from "../../../series/fuels.ts";
import { type NumberLine, readNumberLine } from "../../../series/number-line.ts";
import { combineLines } from "./read-points.ts";
import type { Panel, PictureSeries } from "./picture.ts";
import { nameSources } from "./words.ts";

/** Titles of the figures that `printFigures` prints. */
export function listTitles({ mark }: Panel): string[] {
  return mark === "line" ? ["last", "mean"] : ["last", "mean", "share"];
}

export function printFigures({ figures }: PictureSeries): string[] {
  const printed = [printFigure(figures.last), printFigure(figures.mean)];
  return "share" in figures ? [...printed, printShare(figures.share)] : printed;
}

/** Orders a legend from top to bottom as drawn: the outermost series of a stack first, series below the axis last. */
export function orderLegend({ mark, series }: Panel): readonly PictureSeries[] {
  if (mark === "line") return series;
  const isBelow = ({ figures }: PictureSeries) => (figures.mean ?? 0) < 0;
  return [...series.filter((one) => !isBelow(one)).toReversed(), ...series.filter(isBelow)];
}

const printFine = format(",.2f");
const printMedium = format(",.1f");
const printCoarse = format(",.0f");
const printTiny = format(".1~g");
const printPercent = format(".1%");

/** Prints a figure of the legend: `16,600`, `84.3`, `0.52`; `-` for undefined. */
export function printFigure(value: number | undefined): string {
  if (value === undefined) return "-";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 0.005) return toHyphen(printTiny(value));
  return toHyphen((size >= 1000 ? printCoarse : size >= 10 ? printMedium : printFine)(value));
}

/** `12.5%` */
export function printShare(share: number | undefined): string {
  return share === undefined ? "-" : toHyphen(printPercent(share));
}

/** d3 writes a non-ASCII minus sign. */
export function toHyphen(number: string): string {
  return number.replace("\u2212", "-");
}

/** Maximum number of legend entries; beyond it, the smallest are combined into one. */
export const MAX_ENTRIES = 12;

export interface DrawnSeries extends NumberLine {
  readonly name: string;
  /** Undefined for a series that combines several. */
  readonly source?: FuelSource;
  /** True if its values are positive in the data but drawn as negative. */
  readonly isFlipped?: boolean;
  /** Number of values that cannot be drawn. */
  readonly skipped?: number;
}

export function readEntries(sources: readonly FuelSource[]): DrawnSeries[] {
  const names = nameSources(sources);
  return sources.map((source, index) => {
    const line = readNumberLine(source.series.points);
    const isFlipped = isLoad(source, () => line.values);
    const values = isFlipped ? line.values.map((value) => -value) : line.values;
    return { ...line, name: names[index] as string, source, isFlipped, values };
  });
}

/** Combines the smallest entries so that at most `most` remain. In a stack, series below the axis are not combined with series above it. */
export function foldSmallest(entries: readonly DrawnSeries[], by: "sum" | "mean", most: number): readonly DrawnSeries[] {
  if (entries.length <= most) return entries;
  const pairs = group(entries, nameOfPair);
  // The charging of the only battery would stay alone below the axis.
  const isOnlyBattery = entries.filter(({ source }) => isBattery(source)).length === 2;
  const rankOf = (entry: DrawnSeries) =>
    isOnlyBattery && isBattery(entry.source) ? Number.POSITIVE_INFINITY : (max(pairs.get(nameOfPair(entry)) ?? [], sizeOf) ?? 0);
  const bySize = sort(entries, (entry) => -rankOf(entry), nameOfPair);
  const folded = foldFrom(most - 1);
  return folded.length <= most ? folded : foldFrom(most - 2);

  function foldFrom(rank: number): readonly DrawnSeries[] {
    const pair = nameOfPair(bySize[rank - 1] as DrawnSeries);
    const cut = pair === nameOfPair(bySize[rank] as DrawnSeries) ? rank - 1 : rank;
    const smallest = new Set(bySize.slice(cut));
    const kept = entries.filter((entry) => !smallest.has(entry));
    const below = entries.filter((entry) => smallest.has(entry) && by === "sum" && entry.values.some((value) => value < 0));
    const rest = entries.filter((entry) => smallest.has(entry) && !below.includes(entry));
    return [...kept, ...fold(below, "other below zero", by), ...fold(rest, "other", by)];
  }
}

function sizeOf({ values }: DrawnSeries): number {
  return sum(values, Math.abs);
}

/** The same for charging and discharging of a battery, so that both are drawn or neither is. */
function nameOfPair({ name, source }: DrawnSeries): string {
  return isBattery(source) ? `battery of ${source?.plant}` : name;
}

function isBattery(source: FuelSource | undefined): boolean {
  return source?.fuel?.startsWith("battery_") ?? false;
}

function fold(entries: readonly DrawnSeries[], name: string, by: "sum" | "mean"): readonly DrawnSeries[] {
  const isOne = entries.length < 2 && !isBattery(entries[0]?.source);
  return isOne || entries.length === 0 ? entries : [{ name: `${name} (${entries.length})`, ...combineLines(entries, by) }];
}
