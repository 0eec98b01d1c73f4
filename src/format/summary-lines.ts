/** `--summary`: the figures of a result, in lines for reading. */
import { formatCount, formatNumber } from "../base/phrases.ts";
import { escapeControls } from "../base/terminal.ts";
import { isSummed } from "../base/vocabulary.ts";
import { listLabelLists, orderLabelNames } from "../series/order.ts";
import type { SeriesSummary, Summary } from "../series/summary.ts";
import { findInterval, findLabel } from "../series/time-series.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import { toPlainText } from "./cells.ts";
import { measureText } from "./table/fit.ts";
import { createValuePrinter } from "./table/numbers.ts";
import { createMomentPrinter, WallClockTime } from "./table/stamps.ts";

/** A title, and a cell for each series. */
interface FigureColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** Text goes to the left; counts and times that are the same for all series go into a line of their own. */
  readonly kind: "text" | "count" | "time" | "value";
}

interface Page {
  readonly zone: Zone;
  /** Characters of a line. */
  readonly width: number;
}

export function* listSummary(summary: Summary, page: Page): Generator<string> {
  const { series, buckets } = summary;
  const points = series.reduce((sum, one) => sum + one.points, 0);
  yield `summary: ${formatCount(series.length, "series", "series")}, ${formatCount(points, "point")}; times in ${nameZone(page.zone)}`;
  if (buckets)
    yield `${formatNumber(buckets.empty)} of ${formatCount(buckets.all, "bucket")} of the window ${buckets.empty === 1 ? "has" : "have"} no point`;
  for (const metric of groupByMetric(series)) yield* drawMetric(metric, page);
}

/** The series of each metric and unit. */
function groupByMetric(series: readonly SeriesSummary[]): SeriesSummary[][] {
  const groups = new Map<string, SeriesSummary[]>();
  for (const one of series) {
    const key = JSON.stringify([one.item.metric, one.item.unit]);
    const group = groups.get(key) ?? [];
    group.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function* drawMetric(series: readonly SeriesSummary[], { zone, width }: Page): Generator<string> {
  const { metric, unit } = (series[0] as SeriesSummary).item;
  yield "";
  yield escapeControls(unit === "" ? metric : `${metric} (${unit})`);
  const labels = listLabelColumns(series);
  const figures = listFigures(series, zone);
  const shared = figures.filter(({ kind, cells }) => kind !== "value" && new Set(cells).size === 1);
  for (const kind of ["count", "time"]) {
    const facts = shared.filter((column) => column.kind === kind).map(({ title, cells }) => `${title} ${cells[0]}`);
    if (facts.length > 0) yield `${series.length > 1 ? "each: " : ""}${facts.join(", ")}`;
  }
  const others = figures.filter((column) => !shared.includes(column));
  for (const block of fill(others, width - measure(labels))) yield* drawColumns([...labels, ...block]);
}

function listLabelColumns(series: readonly SeriesSummary[]): FigureColumn[] {
  const names = orderLabelNames(listLabelLists(series.map(({ item, series: one }) => ({ ...item, series: [one] }))));
  return names.map((name) => ({
    title: escapeControls(name),
    cells: series.map((one) => escapeControls(toPlainText(findLabel(one.series, name), "text"))),
    kind: "text",
  }));
}

function listFigures(series: readonly SeriesSummary[], zone: Zone): FigureColumn[] {
  const { metric, unit } = (series[0] as SeriesSummary).item;
  const count = (title: string, of: (one: SeriesSummary) => number): FigureColumn => ({
    title,
    kind: "count",
    cells: series.map((one) => formatNumber(of(one))),
  });
  const value = (title: string, of: (one: SeriesSummary) => number): FigureColumn => ({
    title,
    kind: "value",
    cells: printFigures(series.map((one) => (one.numbers === 0 ? undefined : of(one)))),
  });
  const times = printTimes(series, zone);
  return [
    count("points", ({ points }) => points),
    count("nulls", ({ nulls }) => nulls),
    ...(series.some(({ others }) => others > 0) ? [count("no numbers", ({ others }) => others)] : []),
    ...(series.some(({ missing }) => missing === undefined) ? [] : [count("missing", ({ missing }) => missing ?? 0)]),
    { title: "first", kind: "time", cells: times.map(([first]) => first) },
    { title: "last", kind: "time", cells: times.map(([, last]) => last) },
    value("min", ({ min }) => min),
    value("mean", ({ sum, numbers }) => sum / numbers),
    value("max", ({ max }) => max),
    ...(isSummed(metric, unit) ? [value("sum", ({ sum }) => sum)] : []),
  ];
}

/** On the zone's wall clock. */
function printTimes(series: readonly SeriesSummary[], zone: Zone): [first: string, last: string][] {
  const moments = series.map(({ clockOffset, first, last }) => {
    return [first, last].map((instant) => new WallClockTime(instant, zone.toWallClock(instant, clockOffset))) as [
      WallClockTime,
      WallClockTime,
    ];
  });
  const [item] = series.map((one) => one.item);
  const print = createMomentPrinter(moments.flat(), item && findInterval(item));
  return moments.map(([first, last]) => [print(first), print(last)]);
}

function printFigures(figures: readonly (number | undefined)[]): string[] {
  const cells = figures.map((figure) => (figure === undefined ? null : String(figure)));
  return cells.map(createValuePrinter(cells));
}

const GAP = "  ";

function widthOf({ title, cells }: FigureColumn): number {
  return Math.max(measureText(title), ...new Set(cells.map(measureText)));
}

function measure(columns: readonly FigureColumn[]): number {
  return columns.reduce((sum, column) => sum + widthOf(column) + GAP.length, 0);
}

/** Blocks of columns that fit side by side. */
function fill(columns: readonly FigureColumn[], room: number): FigureColumn[][] {
  const blocks: FigureColumn[][] = [];
  for (const column of columns) {
    const block = blocks.at(-1);
    if (block && measure([...block, column]) - GAP.length <= room) block.push(column);
    else blocks.push([column]);
  }
  return blocks;
}

/** Fitted by their widths already: cli-table3 would add the blanks, and no more. */
function* drawColumns(columns: readonly FigureColumn[]): Generator<string> {
  const lines = columns.map((column) => {
    const width = widthOf(column);
    return [column.title, ...column.cells].map((text) => {
      const blanks = " ".repeat(width - measureText(text));
      return column.kind === "text" ? text + blanks : blanks + text;
    });
  });
  const [titles = []] = lines;
  for (const index of titles.keys())
    yield lines
      .map((cells) => cells[index])
      .join(GAP)
      .trimEnd();
}
