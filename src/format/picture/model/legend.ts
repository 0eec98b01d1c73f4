/** The content and order of a legend. */
import { mean, sort, sum } from "d3-array";
import { format } from "d3-format";
import { type FuelSource, isLoad } from "../../../series/fuels.ts";
import { type NumberLine, readNumberLine } from "../../../series/number-line.ts";
import { keyOfItem, keyOfRow } from "../../../series/time-series.ts";
import { fitNames } from "./fit-names.ts";
import type { Points } from "../../../series/points.ts";
import { type Figures, type Mark, type Panel, type Picture, type PictureSeries, printUnit } from "./picture.ts";
import { nameSources, type Naming } from "./words.ts";

export type FigureName = keyof Figures;

/** The figures that a legend may have. */
export function listLegendFigures({ mark, hasLast }: Pick<Panel, "mark" | "hasLast">): readonly FigureName[] {
  return [...(hasLast ? (["last"] as const) : []), "mean", ...(mark === "line" ? [] : (["share"] as const))];
}

export interface LegendEntry {
  readonly series: PictureSeries;
  readonly name: string;
  readonly figures: readonly string[];
}

interface EntryStyle {
  /** True if a name has room; one that has not is cut. */
  readonly fits: (name: string) => boolean;
  readonly show?: (name: string) => string;
  readonly print?: (value: number | undefined) => string;
}

/** From top to bottom. */
export function listLegend(
  panel: Panel,
  figures: readonly FigureName[],
  { fits, show = String, print = printFigure }: EntryStyle,
): LegendEntry[] {
  const ordered = orderLegend(panel);
  const names = fitNames(
    ordered.map(({ name }) => show(name)),
    fits,
  );
  const printOf = (name: FigureName) => (name === "share" ? printShare : print);
  return ordered.map((series, index) => ({
    series,
    name: names[index] as string,
    figures: figures.map((name) => printOf(name)(series.figures[name])),
  }));
}

/**
 * Orders a legend from top to bottom as drawn: lines by where they end, or by their mean; the outermost series of a
 * stack first, those below the axis last.
 */
export function orderLegend({ mark, series, hasLast, isOrdered }: Panel): readonly PictureSeries[] {
  if (isOrdered) return series;
  if (mark === "line")
    return sort(series, ({ figures }) => -((hasLast ? figures.last : figures.mean) ?? Number.NEGATIVE_INFINITY));
  const isBelow = ({ figures }: PictureSeries) => (figures.mean ?? 0) < 0;
  return [...series.filter((entry) => !isBelow(entry)).toReversed(), ...series.filter(isBelow)];
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

/**
 * What may be written above a panel, the best first: a single series has no legend, so its figures stand here. The
 * title names what the only panel shows.
 */
export function listCaptions({ title, panels, isSplit }: Picture, panel: Panel): readonly string[] {
  const name = panels.length === 1 ? title : isSplit ? panel.title : `${panel.title} (${printUnit(panel)})`;
  const [only, ...others] = panel.series;
  if (!only || others.length > 0) return [name];
  const { last, mean: average } = only.figures;
  if (only.values.length === 1) return [`${name}: ${printFigure(last)}`, name];
  return [`${name}: ${panel.hasLast ? `last ${printFigure(last)}, ` : ""}mean ${printFigure(average)}`, name];
}

/** The same of a picture. It says that data are synthetic if the subtitle is not shown whole. */
export function listTitles(picture: Picture, isSubtitled: boolean): readonly string[] {
  const [first, ...others] = picture.panels;
  const titles = first && others.length === 0 ? listCaptions(picture, first) : [picture.title];
  return titles.map((title) => (picture.isSynthetic && !isSubtitled ? `Synthetic data: ${title}` : title));
}

export interface DrawnSeries extends NumberLine {
  readonly name: string;
  /** Undefined for a series that combines several. */
  readonly source?: FuelSource;
  /** Points to be marked. */
  readonly picked?: NumberLine | undefined;
  /** Number of values that cannot be drawn. */
  readonly skipped?: number;
  /** Of a computed ratio, the sums whose ratio is its mean. */
  readonly sums?: RatioSums | undefined;
}

interface RatioSums {
  readonly over: number;
  readonly under: number;
}

/** Undefined for a series that is no computed ratio. `partial`: as `keepComplete`. */
function sumRatio({ ratio, instants }: Points, partial: PartialInstants): RatioSums | undefined {
  if (!ratio) return undefined;
  const complete = ratio.under.map((_, index) => index).filter((index) => !partial.has(instants[index] as number));
  const counted = complete.some((index) => (ratio.under[index] as number) > 0) ? complete : [...ratio.under.keys()];
  return { over: sum(counted, (index) => ratio.over[index]), under: sum(counted, (index) => ratio.under[index]) };
}

/** The sums of several ratios; undefined if one is none. */
export function joinSums(entries: readonly DrawnSeries[]): RatioSums | undefined {
  if (!entries.every(({ sums }) => sums !== undefined)) return undefined;
  return { over: sum(entries, ({ sums }) => sums?.over), under: sum(entries, ({ sums }) => sums?.under) };
}

/**
 * Of a computed ratio, the ratio of the sums: a mean of ratios would count hours of little energy as much as others.
 */
function findMean(values: Float64Array, sums: RatioSums | undefined): number | undefined {
  return sums ? (sums.under > 0 ? sums.over / sums.under : undefined) : mean(values);
}

/** The instants of intervals that are not complete. */
export type PartialInstants = ReadonlySet<number>;

/** Keeps the values of complete intervals, with NaN for the others; all values if none is complete. */
function keepComplete({ times, values }: NumberLine, partial: PartialInstants): Float64Array {
  if (partial.size === 0) return values;
  const complete = values.map((value, index) => (partial.has(times[index] as number) ? Number.NaN : value));
  return complete.every(Number.isNaN) ? values : complete;
}

/** The figures of series that are drawn together, without intervals that are not complete. */
export function describeFigures(drawn: readonly DrawnSeries[], mark: Mark, partial: PartialInstants): Figures[] {
  const counted = drawn.map((entry) => keepComplete(entry, partial));
  const totals = counted.map((values) => sum(values));
  const above = sum(totals, (value) => Math.max(0, value));
  return counted.map((values, index) => {
    const figures = {
      last: values.findLast((value) => !Number.isNaN(value)),
      mean: findMean(values, drawn[index]?.sums),
    };
    return mark === "line" ? figures : { ...figures, share: above > 0 ? (totals[index] as number) / above : undefined };
  });
}

export function readEntries(
  sources: readonly FuelSource[],
  {
    partial,
    picked,
    ...naming
  }: Naming & { readonly partial: PartialInstants; readonly picked?: PickedInstants | undefined },
): DrawnSeries[] {
  const names = nameSources(sources, naming);
  return sources.map((source, index) => {
    const line = readNumberLine(source.series.points);
    const values = isLoad(source, () => line.values) ? line.values.map((value) => -value) : line.values;
    const sums = sumRatio(source.series.points, partial);
    const marked = picked?.get(keyOfItem(source.item) + keyOfRow(source.item, source.series));
    // Values that cannot be drawn are not marked either.
    const isMarked = (at: number) => marked?.has(line.times[at] as number) === true && !Number.isNaN(values[at]);
    const found = marked ? [...line.times.keys()].filter(isMarked) : [];
    const points = {
      times: Float64Array.from(found, (at) => line.times[at] as number),
      values: Float64Array.from(found, (at) => values[at] as number),
    };
    return { ...line, name: names[index] as string, source, values, sums, picked: marked && points };
  });
}

/** The instants of points to be marked, by the key of their series. */
export type PickedInstants = ReadonlyMap<string, ReadonlySet<number>>;
