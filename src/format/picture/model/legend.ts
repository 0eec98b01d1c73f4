/** What a legend says of series, and in which order. */
import { format } from "d3-format";
import type { Panel, PictureSeries } from "./picture.ts";

/** The titles of the figures. */
export function listTitles({ mark }: Panel): string[] {
  return mark === "line" ? ["last", "mean"] : ["last", "mean", "share"];
}

/** In the order of the titles. */
export function printFigures({ figures }: PictureSeries): string[] {
  const { last, mean } = figures;
  return [printFigure(last), printFigure(mean), ...("share" in figures ? [printShare(figures.share)] : [])];
}

/** As the eye meets them: of a stack the outermost first, then what is below the axis. */
export function orderLegend({ mark, series }: Panel): PictureSeries[] {
  if (mark === "line") return [...series];
  const isBelow = ({ figures }: PictureSeries) => (figures.mean ?? 0) < 0;
  return [...series.filter((one) => !isBelow(one)).toReversed(), ...series.filter(isBelow)];
}

const printFine = format(",.2f");
const printMedium = format(",.1f");
const printCoarse = format(",.0f");
const printPercent = format(".1%");

/** A figure of the legend: `16,600`, `84.3`, `0.52`; `-` for none. */
export function printFigure(value: number | undefined): string {
  if (value === undefined) return "-";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return toHyphen((size >= 1000 ? printCoarse : size >= 10 ? printMedium : printFine)(value));
}

/** `12.5%` */
export function printShare(share: number | undefined): string {
  return share === undefined ? "-" : toHyphen(printPercent(share));
}

/** d3 writes a minus sign that is not ASCII. */
export function toHyphen(number: string): string {
  return number.replace("\u2212", "-");
}
