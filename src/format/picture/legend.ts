import type { Panel, PictureSeries } from "./picture.ts";
import { printFigure, printShare } from "./scales.ts";

/** The titles of the figures. */
export function listTitles({ mark }: Panel): string[] {
  return mark === "line" ? ["last", "mean"] : ["last", "mean", "share"];
}

/** The figures of a series, of which lines have no share. */
export function printFigures({ figures: { last, mean, share } }: PictureSeries): string[] {
  return [printFigure(last), printFigure(mean), printShare(share)];
}

/** As the eye meets them: of a stack the outermost first, then what is below the axis. */
export function orderLegend({ mark, series }: Panel): PictureSeries[] {
  if (mark === "line") return [...series];
  const isBelow = ({ figures }: PictureSeries) => (figures.mean ?? 0) < 0;
  return [...series.filter((one) => !isBelow(one)).toReversed(), ...series.filter(isBelow)];
}
