/** Fast encoding of lines: copies the bytes of timestamps and numbers from the body. */
import { createEndPrinter } from "../series/layout/interval-end.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { Body } from "../series/body.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { printAsSent, type StampPrinter } from "../time/stamp-printer.ts";
import { toText, viewBytes } from "./byte-chunk.ts";
import { type LineText, LineWriter, type RowCursor, type SharedColumn, type SharedRow } from "./line-writer.ts";
import type { StampStyle } from "./stamp-writer.ts";

/** The text around the timestamps and the values of a line. */
export interface LineFrame extends LineText {
  /** Between the timestamp and `interval_end`; undefined without that column. */
  readonly beforeEnd: string | undefined;
  /** Between the timestamps and the first value. */
  readonly constants: (series: PlacedSeries) => string;
}

/**
 * A writer of the lines of all points, by instant, then in the order of the series; undefined if some points are not in bytes,
 * a line is too long, or the timestamps of an instant are not printed alike for all series. Yields nothing, now and then, where
 * there are very many series.
 */
export function* openLineWriter(
  series: readonly PlacedSeries[],
  frame: LineFrame,
  printStamp: StampPrinter,
): Generator<"", LineWriter | undefined> {
  const filled = series.filter(({ points }) => points.instants.length > 0);
  const cursors = yield* openCursors(filled, frame);
  const style = chooseStyle(filled, frame, printStamp);
  const writer = cursors && style && new LineWriter(cursors, frame, style);
  return writer?.fits ? writer : undefined;
}

/** The lines in chunks, each valid until the next one is requested: its memory is reused. */
export function* copyLines(writer: LineWriter): Generator<Uint8Array> {
  while (writer.fill()) yield writer.take();
  yield writer.take();
}

/** So many series take some 10 ms. */
const STEP_SERIES = 2000;

/** Series of the same rank share rows. */
function* openCursors(series: readonly PlacedSeries[], frame: LineFrame): Generator<"", RowCursor[] | undefined> {
  const rows = new Map<number, SharedRow>();
  const cursors: RowCursor[] = [];
  const viewBody = createView();
  for (const one of series) {
    const { points, rank, valueColumn } = one;
    if (!(points instanceof ScannedPoints)) return undefined;
    const row = rows.get(rank) ?? { constants: toText(frame.constants(one)), columns: ["", ...frame.beforeValues].map(openColumn) };
    rows.set(rank, row);
    const column = row.columns[valueColumn] as SharedColumn;
    const { body, starts, instants, gaps, lengths, stampLength } = points.columns;
    const place = { row, column, index: column.cursors.length };
    const cursor = { body: viewBody(body), points, stampLength, starts, instants, gaps, lengths, ...place, next: 0 };
    column.cursors.push(cursor);
    cursors.push(cursor);
    if (cursors.length % STEP_SERIES === 0) yield "";
  }
  return cursors;
}

/** One view for series of the same body that follow each other. */
function createView(): (body: Body) => DataView {
  let last: { readonly body: Body; readonly view: DataView } | undefined;
  return (body) => {
    if (last?.body !== body) last = { body, view: viewBytes(body.bytes) };
    return last.view;
  };
}

function openColumn(): SharedColumn {
  return { cursors: [], instant: Number.NaN, from: 0 };
}

/** Undefined where two series would print the timestamps of an instant differently, or an end is unknown. */
function chooseStyle(series: readonly PlacedSeries[], { beforeEnd }: LineFrame, printStamp: StampPrinter): StampStyle | undefined {
  const asSent = printStamp === printAsSent;
  const [first] = series;
  if (first === undefined || (asSent && beforeEnd === undefined)) return { asSent, print: undefined };
  const { interval, networkOffset } = first;
  if (networkOffset === undefined || series.some((one) => one.networkOffset !== networkOffset)) return undefined;
  const print = (stamp: string, instant: number) => printStamp(stamp, instant, networkOffset);
  if (beforeEnd === undefined) return { asSent, print };
  if (interval === undefined || series.some((one) => one.interval !== interval)) return undefined;
  const printEnd = createEndPrinter(printStamp);
  return { asSent, print: (stamp, instant) => print(stamp, instant) + beforeEnd + (printEnd(stamp, instant, first) ?? "") };
}
