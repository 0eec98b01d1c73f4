/** Encodes formats with one row per line, such as csv, each described by a `LineStyle`. */
import { isLosslessNumber } from "../base/json.ts";
import type { Cell, Column, Row, PlacedSeries } from "../series/layout/layout.ts";
import { type Batch, type Encoded, type Encoder, type FormatOptions, type Header, joinTexts } from "./format.ts";
import { type LineFrame, LineSeries, LineWriter, type TimestampStyle } from "./line-writer.ts";
import type { Body } from "../series/body.ts";
import { createEdgePrinter, isMarkedInside } from "../series/intervals/grid.ts";
import { ScannedPoints } from "../series/points.ts";
import { printAsSent, type TimestampPrinter } from "../time/timestamp-printer.ts";
import { type Text, encodeShort, viewBytes } from "./byte-chunk.ts";

/** The text around the cells of a line. Timestamps are already printed; numbers are as the service sent them. */
export interface LineStyle {
  /**
   * Text before the first row, with line ends; may be empty. Omitted with `--no-header`, and by `--follow` after the
   * first rows.
   */
  readonly head: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  /** The text before a column's cell in every row. */
  readonly key: (column: Column) => string;
  readonly timestampQuote: string;
  readonly nullText: string;
  readonly text: (cell: string | boolean) => string;
  /** A value that the service sent as a JSON string. */
  readonly textValue: (json: string) => string;
}

export function openLines(
  uncached: LineStyle,
  { columns, printTimestamp }: Header,
  { header }: Pick<FormatOptions, "header">,
): Encoder {
  const style = { ...uncached, text: cacheTexts(uncached.text) };
  const keys = columns.map(style.key);
  const encodeCell = (cell: Cell, index: number) =>
    (keys[index] as string) + encodeValue(cell, (columns[index] as Column).kind, style);
  const encodeRow = (row: Row) => style.open + row.map(encodeCell).join(style.separator) + style.close;
  // The fast path copies the bytes of values.
  const copiesValues = columns.some(({ kind }) => kind === "value");
  let head = header ? style.head : "";
  return { write, end };

  function* write(batch: Batch): Generator<Encoded> {
    const writer =
      copiesValues && batch.placed
        ? yield* openLineWriter(batch.placed, frameLines(style, columns, keys), printTimestamp)
        : undefined;
    const rows = writer ? [] : batch.rows();
    // Written after `batch.rows`, which may throw, so that an error leaves no header behind.
    yield* end();
    if (writer) {
      yield* writer.writeAll();
      batch.onRows?.(writer.lines);
    } else yield* joinTexts(mapRows(rows, encodeRow));
  }

  function* end(): Generator<Encoded> {
    if (head !== "") yield head;
    head = "";
  }
}

/**
 * Encodes a value. A number in a text column is a LosslessNumber; in a value column, numbers and strings are JSON text.
 */
function encodeValue(cell: Cell, kind: Column["kind"], style: LineStyle): string {
  if (cell === null) return style.nullText;
  if (isLosslessNumber(cell)) return cell.value;
  if (typeof cell === "boolean" || kind === "text" || kind === "key") return style.text(cell);
  if (kind === "timestamp") return style.timestampQuote + cell + style.timestampQuote;
  return cell.startsWith('"') ? style.textValue(cell) : cell;
}

function frameLines(style: LineStyle, columns: readonly Column[], keys: readonly string[]): LineFrame {
  const { timestampQuote: quote, separator, nullText, close } = style;
  const firstText = columns.findIndex(({ kind }) => kind === "text");
  const firstValue = columns.findIndex(({ kind }) => kind === "value");
  return {
    nullText,
    close,
    open: style.open + (keys[0] as string) + quote,
    beforeEdges: keys.slice(1, firstText).map((key) => quote + separator + key + quote),
    constants: ({ constants }) => {
      const cells = constants.map(
        (cell, index) => (keys[firstText + index] as string) + encodeValue(cell, "text", style),
      );
      return [quote, ...cells, keys[firstValue]].join(separator);
    },
    beforeValues: keys.slice(firstValue + 1).map((key) => separator + key),
  };
}

function* mapRows(rows: Iterable<Row>, encode: (row: Row) => string): Generator<string> {
  for (const row of rows) yield encode(row);
}

/** Encodes each distinct text once; a table has few of them. */
function cacheTexts(encode: LineStyle["text"]): LineStyle["text"] {
  const texts = new Map<string | boolean, string>();
  return (cell) => {
    let text = texts.get(cell);
    if (text === undefined) texts.set(cell, (text = encode(cell)));
    return text;
  };
}

/**
 * Opens a writer of the lines of all points, by instant, then in the order of the series. Returns undefined if some
 * points are not stored as bytes, a line is too long, or two series print the timestamps of an instant differently.
 * With very many series, yields empty texts to give signals time.
 */
function* openLineWriter(
  series: readonly PlacedSeries[],
  frame: LineFrame,
  printTimestamp: TimestampPrinter,
): Generator<"", LineWriter | undefined> {
  const filled = series.filter(({ points }) => points.instants.length > 0);
  const lines = yield* openSeries(filled, frame);
  const style = chooseStyle(filled, frame, printTimestamp);
  const writer = lines && style && new LineWriter(lines, frame, style);
  return writer?.fits ? writer : undefined;
}

/** Series between two yields: some 10 ms of work. */
const STEP_SERIES = 2000;

function* openSeries(series: readonly PlacedSeries[], frame: LineFrame): Generator<"", LineSeries[] | undefined> {
  const constants = new Map<number, Text>();
  const views = new Map<Body, DataView>();
  const opened: LineSeries[] = [];
  for (const placed of series) {
    const { points, rank } = placed;
    if (!(points instanceof ScannedPoints)) return undefined;
    const text = constants.get(rank) ?? encodeShort(frame.constants(placed));
    constants.set(rank, text);
    const { body } = points.columns;
    const view = views.get(body) ?? viewBytes(body.bytes);
    views.set(body, view);
    opened.push(new LineSeries(placed, points.columns, { constants: text, body: view }));
    if (opened.length % STEP_SERIES === 0) yield "";
  }
  return opened;
}

/** Undefined if two series would print the timestamps of an instant differently, or an interval end is unknown. */
function chooseStyle(
  series: readonly PlacedSeries[],
  { beforeEdges }: LineFrame,
  printTimestamp: TimestampPrinter,
): TimestampStyle | undefined {
  const asSent = printTimestamp === printAsSent;
  const [first] = series;
  if (first === undefined || (asSent && beforeEdges.length === 0)) return { asSent, print: undefined };
  const { interval, networkOffset } = first;
  if (networkOffset === undefined || series.some((other) => other.networkOffset !== networkOffset)) return undefined;
  const print = (timestamp: string, instant: number) => printTimestamp(timestamp, instant, networkOffset);
  if (beforeEdges.length === 0) return { asSent, print };
  // Its edges may be unknown.
  if (interval === undefined || isMarkedInside(interval) || series.some((other) => other.interval !== interval))
    return undefined;
  const printEdges = createEdgePrinter(printTimestamp, beforeEdges.length);
  const printAll = (timestamp: string, instant: number) => {
    const edges = printEdges(timestamp, instant, first);
    return print(timestamp, instant) + beforeEdges.map((before, index) => before + (edges[index] ?? "")).join("");
  };
  return { asSent, print: printAll };
}
