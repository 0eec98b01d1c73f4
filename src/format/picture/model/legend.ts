/** The content and order of a legend. */
import { sort } from "d3-array";
import { format } from "d3-format";
import { type FuelSource, isLoad } from "../../../series/fuels.ts";
import { type NumberLine, readNumberLine } from "../../../series/number-line.ts";
import type { Panel, PictureSeries } from "./picture.ts";
import { nameSources, type Naming } from "./words.ts";

/** Titles of the figures that `printFigures` prints. */
export function listTitles({ mark }: Panel): string[] {
  return mark === "line" ? ["last", "mean"] : ["last", "mean", "share"];
}

export function printFigures({ figures }: PictureSeries): string[] {
  const printed = [printFigure(figures.last), printFigure(figures.mean)];
  return "share" in figures ? [...printed, printShare(figures.share)] : printed;
}

/** Orders a legend from top to bottom as drawn: lines by where they end; the outermost series of a stack first, those below the axis last. */
export function orderLegend({ mark, series }: Panel): readonly PictureSeries[] {
  if (mark === "line") return sort(series, ({ figures }) => -(figures.last ?? Number.NEGATIVE_INFINITY));
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

export interface DrawnSeries extends NumberLine {
  readonly name: string;
  /** Undefined for a series that combines several. */
  readonly source?: FuelSource;
  /** Number of values that cannot be drawn. */
  readonly skipped?: number;
}

export function readEntries(sources: readonly FuelSource[], naming: Naming): DrawnSeries[] {
  const names = nameSources(sources, naming);
  return sources.map((source, index) => {
    const line = readNumberLine(source.series.points);
    const values = isLoad(source, () => line.values) ? line.values.map((value) => -value) : line.values;
    return { ...line, name: names[index] as string, source, values };
  });
}
