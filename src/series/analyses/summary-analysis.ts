/** `--summary-only`: a row for each series, in place of its points. */
import { LosslessNumber } from "../../base/json.ts";
import { HOUR } from "../../time/local-time.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { addColumns, describeLabels, nameLabelColumns, startColumns } from "../layout/columns.ts";
import { type Cell, type Column, joinLabels, type Row, type Table } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { orderLabelNames } from "../order.ts";
import type { Moment, SeriesSummary, Summary } from "../summary.ts";
import { findLabel, findNetworkOffset, sumsUp } from "../time-series.ts";
import { readChunks, type Analysis, type ApplyOptions } from "./analysis.ts";
import type { TextWidth, AnalysisResult } from "./result.ts";

interface Figure extends Column {
  readonly of: (summary: SeriesSummary) => number | Moment | null | undefined;
}

const number = (name: string, of: Figure["of"]): Figure => ({ name, kind: "value", of });
const moment = (name: string, of: Figure["of"]): Figure => ({ name, kind: "text", isTimestamp: true, of });

const FIGURES: readonly Figure[] = [
  number("points", ({ points }) => points),
  number("nulls", ({ nulls }) => nulls),
  number("missing", ({ missing }) => missing),
  number("incomplete", ({ incomplete }) => incomplete),
  moment("first", ({ first }) => first),
  moment("last", ({ last }) => last),
  number("min", ({ least }) => least?.value),
  moment("min_time", ({ least }) => least),
  number("p5", (summary) => summary.quantile(0.05)),
  number("median", (summary) => summary.quantile(0.5)),
  number("mean", ({ mean }) => mean),
  number("p95", (summary) => summary.quantile(0.95)),
  number("max", ({ most }) => most?.value),
  moment("max_time", ({ most }) => most),
  number("sum", ({ item, numbers, sum }) => (numbers > 0 && sumsUp(item) ? sum : null)),
];

const BEYOND: readonly Figure[] = [
  number("beyond", ({ hasLimits, beyond }) => (hasLimits ? beyond : null)),
  number("beyond_hours", ({ hasLimits, beyondMs }) => (hasLimits && beyondMs !== undefined ? beyondMs / HOUR : null)),
  number("beyond_percent", ({ hasLimits, beyond, numbers }) => (hasLimits ? (100 * beyond) / numbers : null)),
];

/** The columns that a narrow table leaves out, in this order. */
const MINOR = [
  "points",
  "nulls",
  "missing",
  "incomplete",
  "network",
  "first",
  "last",
  "p5",
  "p95",
  "median",
  "sum",
  "beyond",
  "min_time",
  "max_time",
  "unit",
  "metric",
];

export class SummaryAnalysis implements Analysis {
  readonly shape = "long";
  readonly #summary: Summary;
  readonly #print: TimestampPrinter;
  readonly #lines: AnalysisResult["lines"];

  /** `listLines`: the summary as text, for people. */
  constructor(
    summary: Summary,
    printTimestamp: TimestampPrinter,
    listLines: (summary: Summary, page: TextWidth) => Iterable<string>,
  ) {
    this.#summary = summary;
    this.#print = printTimestamp;
    this.#lines = (page) => listLines(summary, page);
  }

  async *apply(chunks: AsyncIterable<Chunk>, { join }: ApplyOptions): AsyncGenerator<Chunk> {
    const heads = await readChunks(chunks, (timeSeries) =>
      this.#summary.add(join ? joinLabels(timeSeries, join) : timeSeries),
    );
    yield { heads, timeSeries: [], analysis: { table: this.#tabulate(), lines: this.#lines } };
  }

  #tabulate(): Table {
    const { series, limits } = this.#summary;
    const figures = [...FIGURES, ...(limits ? BEYOND : [])];
    const items = series.map(({ item, series: one }) => ({ ...item, series: [one] }));
    const { labelLists, booleans } = addColumns(startColumns([]), items);
    const names = orderLabelNames(labelLists);
    const others = figures.map(({ name }) => name);
    return {
      columns: [
        ...["network", "metric", "unit"].map((name): Column => ({ name, kind: "text" })),
        ...describeLabels(names, nameLabelColumns(names, others), booleans),
        ...figures.map(({ of: _of, ...column }) => column),
      ].map((column) => (MINOR.includes(column.name) ? { ...column, minor: MINOR.indexOf(column.name) } : column)),
      rows: series.map((summary): Row => {
        const { network, metric, unit } = summary.item;
        const labels = names.map((name) => findLabel(summary.series, name));
        return [network, metric, unit, ...labels, ...figures.map(({ of }) => this.#toCell(of(summary), summary))];
      }),
    };
  }

  #toCell(figure: ReturnType<Figure["of"]>, { item }: SeriesSummary): Cell {
    if (figure === null || figure === undefined || (typeof figure === "number" && !Number.isFinite(figure)))
      return null;
    if (typeof figure === "number") return new LosslessNumber(String(figure));
    return this.#print(figure.timestamp, figure.instant, findNetworkOffset(item));
  }
}
