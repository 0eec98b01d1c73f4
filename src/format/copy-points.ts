/** Fast encoding of lines: copies the bytes of timestamps and numbers from the body. */
import { createEndPrinter } from "../series/layout/interval-end.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
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
 * The lines of all points, by instant, then in the order of the series; undefined if some points are not in bytes, a line
 * is too long, or the timestamps of an instant are not printed alike for all series. Returns the number of lines.
 * A chunk is valid until the next one is requested: its memory is reused.
 */
export function copyPoints(
  series: readonly PlacedSeries[],
  frame: LineFrame,
  printStamp: StampPrinter,
): Generator<Uint8Array, number> | undefined {
  const filled = series.filter(({ points }) => points.instants.length > 0);
  const cursors = openCursors(filled, frame);
  const style = chooseStyle(filled, frame, printStamp);
  const writer = cursors && style && new LineWriter(cursors, frame, style);
  return writer?.fits ? copyLines(writer) : undefined;
}

function* copyLines(writer: LineWriter): Generator<Uint8Array, number> {
  while (writer.fill()) yield writer.take();
  yield writer.take();
  return writer.lines;
}

/** Series of the same rank share rows. */
function openCursors(series: readonly PlacedSeries[], frame: LineFrame): RowCursor[] | undefined {
  const rows = new Map<number, SharedRow>();
  const cursors: RowCursor[] = [];
  for (const one of series) {
    const { points, rank, valueColumn } = one;
    if (!(points instanceof ScannedPoints)) return undefined;
    const row = rows.get(rank) ?? { constants: toText(frame.constants(one)), columns: ["", ...frame.beforeValues].map(openColumn) };
    rows.set(rank, row);
    const column = row.columns[valueColumn] as SharedColumn;
    const place = { row, column, index: column.cursors.length };
    const cursor = { ...points.columns, points, body: viewBytes(points.columns.body.bytes), ...place, next: 0 };
    column.cursors.push(cursor);
    cursors.push(cursor);
  }
  return cursors;
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
