/** `--summary`: prints the figures of a result as text. */
import { groupBy } from "../base/group-by.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { escapeControls } from "../base/terminal.ts";
import { isSummed } from "../base/vocabulary.ts";
import { listLabelLists, orderLabelNames } from "../series/order.ts";
import type { SeriesSummary, Summary } from "../series/summary.ts";
import { findInterval, findLabel } from "../series/time-series.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import { toPlainText } from "./cells.ts";
import { printNumbers } from "./table/numbers.ts";
import { createMomentPrinter, WallClockTime } from "./table/stamps.ts";
import { measureCells } from "./text-width.ts";

interface FigureColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** Text is aligned left; counts and times that are the same for all series go on a line of their own. */
  readonly kind: "text" | "count" | "time" | "value";
}

interface Page {
  readonly zone: Zone;
  /** In characters. */
  readonly width: number;
}

export function* listSummary({ series, buckets }: Summary, page: Page): Generator<string> {
  const points = series.reduce((sum, one) => sum + one.points, 0);
  yield `summary: ${formatCount(series.length, "series", "series")}, ${formatCount(points, "point")}; times in ${nameZone(page.zone)}`;
  if (buckets) yield describeGaps(buckets);
  const metrics = groupBy(series, ({ item }) => JSON.stringify([item.metric, item.unit]));
  for (const metric of metrics.values()) yield* drawMetric(metric, page);
}

function describeGaps({ empty, all }: NonNullable<Summary["buckets"]>): string {
  const intervals = formatCount(all, "interval");
  return empty === 0 ? `no gaps in ${intervals}` : `${formatNumber(empty)} of ${intervals} without data`;
}

function* drawMetric(series: readonly SeriesSummary[], { zone, width }: Page): Generator<string> {
  const { metric, unit } = (series[0] as SeriesSummary).item;
  yield "";
  yield escapeControls(unit === "" ? metric : `${metric} (${unit})`);
  const figures = listFigures(series, zone);
  const shared = figures.filter(({ kind, cells }) => kind !== "value" && new Set(cells).size === 1);
  for (const kind of ["count", "time"]) {
    const facts = shared.filter((column) => column.kind === kind).map(({ title, cells }) => sayFigure(title, cells[0] ?? ""));
    if (facts.length > 0) yield `${series.length > 1 ? "every series: " : ""}${facts.join(", ")}`;
  }
  const labels = listLabelColumns(series).map(padCells);
  const others = figures.filter((column) => !shared.includes(column)).map(padCells);
  for (const block of fill(others, width - measure(labels))) yield* joinColumns([...labels, ...block]);
}

/** `72 points`, `no nulls`, `none missing`, `first 2025-01-31`. */
function sayFigure(title: string, figure: string): string {
  if (title === "first" || title === "last") return `${title} ${figure}`;
  if (figure === "0") return title === "missing" ? "none missing" : `no ${title}`;
  return `${figure} ${figure === "1" ? title.replace(/s$/, "") : title}`;
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
  const { item } = series[0] as SeriesSummary;
  const count = (title: string, of: (one: SeriesSummary) => number): FigureColumn => ({
    title,
    kind: "count",
    cells: series.map((one) => formatNumber(of(one))),
  });
  const value = (title: string, of: (one: SeriesSummary) => number): FigureColumn => {
    const figures = series.map((one) => (one.numbers === 0 ? null : String(of(one))));
    return { title, kind: "value", cells: printNumbers(figures) };
  };
  const toMoment = (instant: number, clockOffset: number) => new WallClockTime(instant, zone.toWallClock(instant, clockOffset));
  const firsts = series.map(({ first, clockOffset }) => toMoment(first, clockOffset));
  const lasts = series.map(({ last, clockOffset }) => toMoment(last, clockOffset));
  const printMoment = createMomentPrinter([...firsts, ...lasts], findInterval(item));
  return [
    count("points", ({ points }) => points),
    count("nulls", ({ nulls }) => nulls),
    ...(series.some(({ others }) => others > 0) ? [count("no numbers", ({ others }) => others)] : []),
    ...(series.some(({ missing }) => missing === undefined) ? [] : [count("missing", ({ missing }) => missing ?? 0)]),
    { title: "first", kind: "time", cells: firsts.map(printMoment) },
    { title: "last", kind: "time", cells: lasts.map(printMoment) },
    value("min", ({ min }) => min),
    value("mean", ({ sum, numbers }) => sum / numbers),
    value("max", ({ max }) => max),
    ...(isSummed(item.metric, item.unit) ? [value("sum", ({ sum }) => sum)] : []),
  ];
}

const GAP = "  ";

interface PaddedColumn {
  readonly lines: readonly string[];
  readonly width: number;
}

function padCells({ title, cells, kind }: FigureColumn): PaddedColumn {
  const texts = [title, ...cells];
  const width = texts.reduce((widest, text) => Math.max(widest, measureCells(text)), 0);
  const lines = texts.map((text) => {
    const blanks = " ".repeat(width - measureCells(text));
    return kind === "text" ? text + blanks : blanks + text;
  });
  return { lines, width };
}

function measure(columns: readonly PaddedColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width + GAP.length, 0);
}

/** Groups columns into blocks that fit side by side. */
function fill(columns: readonly PaddedColumn[], room: number): PaddedColumn[][] {
  const blocks: PaddedColumn[][] = [];
  for (const column of columns) {
    const block = blocks.at(-1);
    if (block && measure([...block, column]) - GAP.length <= room) block.push(column);
    else blocks.push([column]);
  }
  return blocks;
}

function joinColumns(columns: readonly PaddedColumn[]): string[] {
  const [{ lines: titles }] = columns as [PaddedColumn];
  return titles.map((_, index) =>
    columns
      .map(({ lines }) => lines[index])
      .join(GAP)
      .trimEnd(),
  );
}
