/** `--summary`: prints the figures of a result as text. */
import { groupBy } from "../base/group-by.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { escapeControls } from "../base/terminal.ts";
import { listLabelLists, orderLabelNames } from "../series/order.ts";
import type { Moment, SeriesSummary, Summary } from "../series/summary.ts";
import { findInterval, findLabel, sumsUp } from "../series/time-series.ts";
import { describeTransforms } from "../query/transforms.ts";
import { HOUR } from "../time/local-time.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import { toPlainText } from "./cells.ts";
import { drawRow, drawTitles, type LaidColumn } from "./table/draw.ts";
import { sumWidths } from "./table/fit.ts";
import { measureWidest } from "./table/grid.ts";
import { NumberSurvey } from "./table/numbers.ts";
import { createMomentPrinter, WallClockTime } from "./table/timestamps.ts";
import { joinItems, measureCells } from "./text-width.ts";

interface FigureColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** Text is aligned left. Of counts and times, what is the same for all series is said once. */
  readonly kind: "text" | "count" | "time" | "value";
}

interface SummaryStyle {
  readonly zone: Zone;
  /** In characters. */
  readonly width: number;
  /** Text for a figure that a series without numbers lacks. */
  readonly none: string;
}

/** The figures of one metric, with a row for each series. */
interface MetricFigures {
  readonly title: string;
  readonly labels: readonly FigureColumn[];
  readonly figures: readonly FigureColumn[];
}

export function* listSummary({ series, intervals, transforms }: Summary, page: SummaryStyle): Generator<string> {
  const points = series.reduce((sum, summary) => sum + summary.points, 0);
  const counts = [
    ...describeTransforms({ transforms }),
    formatCount(points, "point"),
    ...(intervals ? [describeGaps(intervals)] : []),
  ];
  const last = `${counts.at(-1)}; times in ${nameZone(page.zone)}`;
  yield* joinItems(
    [`summary: ${formatCount(series.length, "series", "series")}`, ...counts.slice(0, -1), last],
    page.width,
  );
  const metrics = [...groupBy(series, ({ item }) => JSON.stringify([item.metric, item.unit])).values()].map(
    (ofMetric) => listMetricFigures(ofMetric, page),
  );
  const shared = findSharedFigures(metrics.map(({ figures }) => figures));
  // The number of points of a single series is said already.
  const facts = series.length === 1 ? shared.filter(({ title }) => title !== "points") : shared;
  yield* sayFigures(facts, series.length > 1 ? "every series: " : "", page.width);
  for (const { figures, ...metric } of metrics) {
    if (metrics.length > 1) yield "";
    yield* drawMetric(
      { ...metric, figures: figures.filter(({ title }) => !shared.some((figure) => figure.title === title)) },
      page,
    );
  }
}

function describeGaps({ empty, all }: NonNullable<Summary["intervals"]>): string {
  const intervals = formatCount(all, "interval");
  return empty === 0 ? `no gaps in ${intervals}` : `${formatNumber(empty)} of ${intervals} without data`;
}

/** The counts and times that are the same for all series of all metrics. */
function findSharedFigures(metrics: readonly (readonly FigureColumn[])[]): FigureColumn[] {
  const [first = [], ...others] = metrics;
  return first.filter(({ kind, title, cells }) => {
    const same = [cells, ...others.map((figures) => figures.find((figure) => figure.title === title)?.cells ?? [""])];
    return kind !== "value" && new Set(same.flat()).size === 1;
  });
}

function sayFigures(columns: readonly FigureColumn[], of: string, width: number): string[] {
  return joinItems(
    columns.map((column, index) => (index === 0 ? of : "") + sayFigure(column)),
    width,
  );
}

/** `72 points`, `no nulls`, `none missing`, `first 2025-01-31`; of different figures, the least and the most. */
function sayFigure({ title, kind, cells }: FigureColumn): string {
  const figures = [...new Set(cells)];
  if (kind === "time") {
    const ends = figures.toSorted();
    return `${title} ${[...new Set([ends[0], ends.at(-1)])].join(" to ")}`;
  }
  const [figure = ""] = figures;
  if (figures.length > 1) return `${title} ${sortCounts(figures)[0]} to ${sortCounts(figures).at(-1)}`;
  if (figure === "0") return title === "missing" ? "none missing" : `no ${title}`;
  if (title === "incomplete") return `${figure} incomplete (not in the figures)`;
  return `${figure} ${figure === "1" ? title.replace(/s$/, "") : title}`;
}

function sortCounts(figures: readonly string[]): string[] {
  const toNumber = (figure: string) => Number(figure.replaceAll(",", ""));
  return figures.toSorted((a, b) => toNumber(a) - toNumber(b));
}

/** More series than this have as few blocks of columns as their values need. */
const MANY = 10;
/** Columns that give way to a range above the table then, in this order. */
const GIVING_WAY = ["min at", "max at", "first", "last", "points", "no numbers", "nulls", "missing", "incomplete"];

function* drawMetric({ title, labels, figures }: MetricFigures, { width }: SummaryStyle): Generator<string> {
  const said = figures.filter(({ kind, cells }) => kind !== "value" && new Set(cells).size === 1);
  let left = figures.filter((column) => !said.includes(column));
  const countBlocks = (columns: readonly FigureColumn[]) => fill(columns, labels, width).length;
  const least = countBlocks(left.filter(({ kind }) => kind === "value"));
  for (const name of (figures[0]?.cells.length ?? 0) > MANY ? GIVING_WAY : []) {
    if (countBlocks(left) <= least) break;
    said.push(...left.filter((column) => column.title === name));
    left = left.filter((column) => column.title !== name);
  }
  const [only, ...others] = labels;
  const isInCorner = only !== undefined && others.length === 0 && measureCells(title) <= layColumn(only).width;
  if (!isInCorner) yield title;
  yield* sayFigures(said, "", width);
  const titled = isInCorner ? [{ ...only, title }] : labels;
  for (const block of fill(left, titled, width)) yield* drawFigures([...titled, ...block]);
}

function* drawFigures(figures: readonly FigureColumn[]): Generator<string> {
  const columns = figures.map(layColumn);
  yield drawTitles(columns).trimEnd();
  for (const at of figures[0]?.cells.keys() ?? [])
    yield drawRow(
      columns,
      figures.map(({ cells }) => cells[at] ?? ""),
    ).trimEnd();
}

function layColumn({ title, cells, kind }: FigureColumn): LaidColumn {
  return { title, align: kind === "text" ? "left" : "right", width: measureWidest([title, ...cells]) };
}

function measure(columns: readonly FigureColumn[]): number {
  return sumWidths(columns.map((column) => layColumn(column).width));
}

/** Groups columns into blocks that fit side by side, each beside the labels. */
function fill(columns: readonly FigureColumn[], labels: readonly FigureColumn[], width: number): FigureColumn[][] {
  const blocks: FigureColumn[][] = [];
  for (const column of columns) {
    const block = blocks.at(-1);
    if (block && measure([...labels, ...block, column]) <= width) block.push(column);
    else blocks.push([column]);
  }
  return blocks;
}

function listLabelColumns(series: readonly SeriesSummary[]): FigureColumn[] {
  const names = orderLabelNames(listLabelLists(series.map(({ item, series: one }) => ({ ...item, series: [one] }))));
  return names.map((name) => ({
    title: escapeControls(name),
    cells: series.map((summary) => escapeControls(toPlainText(findLabel(summary.series, name), "text"))),
    kind: "text",
  }));
}

function listMetricFigures(series: readonly SeriesSummary[], { zone, none }: SummaryStyle): MetricFigures {
  const { item } = series[0] as SeriesSummary;
  const { metric, unit } = item;
  const count = (title: string, of: (summary: SeriesSummary) => number): FigureColumn => ({
    title,
    kind: "count",
    cells: series.map((summary) => formatNumber(of(summary))),
  });
  const toMoment = (instant: number, clockOffset: number) =>
    new WallClockTime(instant, zone.toWallClock(instant, clockOffset));
  const momentsOf = (of: (summary: SeriesSummary) => Moment | undefined) =>
    series.map((summary) => {
      const moment = of(summary);
      return moment && toMoment(moment.instant, summary.clockOffset);
    });
  const times = {
    first: momentsOf(({ first }) => first),
    last: momentsOf(({ last }) => last),
    "min at": momentsOf(({ least }) => least),
    "max at": momentsOf(({ most }) => most),
  };
  const all = Object.values(times).flatMap((moments) => moments.filter((moment) => moment !== undefined));
  const printMoment = createMomentPrinter(all, findInterval(item));
  const time = (title: keyof typeof times): FigureColumn => ({
    title,
    kind: "time",
    cells: times[title].map((moment) => (moment ? printMoment(moment) : none)),
  });
  const { unit: printedUnit, columns } = printValues(series, none);
  return {
    title: escapeControls(unit === "" ? metric : `${metric} (${printedUnit})`),
    labels: listLabelColumns(series),
    figures: [
      ...columns,
      count("points", ({ points }) => points),
      count("nulls", ({ nulls }) => nulls),
      ...(series.some(({ others }) => others > 0) ? [count("no numbers", ({ others }) => others)] : []),
      ...(series.some(({ missing }) => missing === undefined) ? [] : [count("missing", ({ missing }) => missing ?? 0)]),
      ...(series.some(({ incomplete }) => incomplete > 0) ? [count("incomplete", ({ incomplete }) => incomplete)] : []),
      time("first"),
      time("last"),
      time("min at"),
      time("max at"),
      ...(series.some(({ hasLimits }) => hasLimits) ? listBeyondFigures(series, none) : []),
    ],
  };
}

/** How many values are beyond the limits, for how long, and their share of all. */
function listBeyondFigures(series: readonly SeriesSummary[], none: string): FigureColumn[] {
  const print = (title: string, of: (summary: SeriesSummary) => number | undefined): FigureColumn => {
    const cells = series.map((summary) => of(summary)?.toString() ?? null);
    return { title, kind: "value", cells: cells.map(new NumberSurvey().addCells(cells).createPrinter({ none }).print) };
  };
  return [
    { title: "beyond", kind: "value", cells: series.map(({ beyond }) => formatNumber(beyond)) },
    print("hours", ({ beyondMs }) => beyondMs && beyondMs / HOUR),
    print("%", ({ beyond, numbers }) => (numbers === 0 ? undefined : (100 * beyond) / numbers)),
  ];
}

/**
 * The least, mean and largest value, and those below which some of the values lie, in the unit of a table of them, and,
 * if values add up, their sum, perhaps in a larger one.
 */
function printValues(series: readonly SeriesSummary[], none: string): { unit: string; columns: FigureColumn[] } {
  const { item } = series[0] as SeriesSummary;
  const { unit } = item;
  // A sum may be larger than any double; a ratio of sums may not exist.
  const read = (of: (summary: SeriesSummary) => number) =>
    series.map(of).map((value) => (Number.isFinite(value) ? String(value) : null));
  const figures = {
    min: read(({ least }) => least?.value ?? Number.NaN),
    p5: read((summary) => summary.quantile(0.05)),
    median: read((summary) => summary.quantile(0.5)),
    mean: read(({ mean }) => mean),
    p95: read((summary) => summary.quantile(0.95)),
    max: read(({ most }) => most?.value ?? Number.NaN),
  };
  const choosePrinter = (cells: readonly (string | null)[], isWhole = false) =>
    new NumberSurvey().addCells(cells).createPrinter({ unit, none, isWhole });
  const usual = choosePrinter(Object.values(figures).flat(), series.length > MANY);
  const columns = Object.entries(figures).map(
    ([title, cells]): FigureColumn => ({ title, kind: "value", cells: cells.map(usual.print) }),
  );
  if (!sumsUp(item)) return { unit: usual.unit, columns };
  const sums = read(({ numbers, sum }) => (numbers === 0 ? Number.NaN : sum));
  const larger = choosePrinter(sums);
  const title = larger.unit === usual.unit ? "sum" : `sum (${larger.unit})`;
  return { unit: usual.unit, columns: [...columns, { title, kind: "value", cells: sums.map(larger.print) }] };
}
