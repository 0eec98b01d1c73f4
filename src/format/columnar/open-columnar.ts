/** The encoder that parquet and arrow share: collects rows in frames of typed columns. */
import { toJsonText } from "../../base/json.ts";
import { AnswerLog, describePackage } from "../datapackage.ts";
import type { Batch, Encoder, Header } from "../format.ts";
import { type TypedColumn, typeSeriesColumns, typeTableColumns } from "./columns.ts";
import { RowBatch, type NumberData, type TimeData } from "./frame.ts";
import { EntsError } from "../../base/errors.ts";
import { shortenText } from "../../base/shown-text.ts";
import type { Cell, PlacedSeries } from "../../series/layout/layout.ts";
import { type PointCursor, Timeline } from "../../series/layout/timeline.ts";
import { stampAt, valueAt, createNumberReader, type NumberReader, parseNumber } from "../../series/point-operations.ts";
import { findSentOffset } from "../../time/stamp.ts";
import type { Zone } from "../../time/zone.ts";
import { toPlainText } from "../cells.ts";
import { findIntervalEnd } from "../../series/buckets/grid.ts";

/** Writes frames as one file. Each part is valid until the next is requested. */
export interface ColumnarWriter {
  write(frame: RowBatch): Iterable<Uint8Array>;
  /** Writes the remaining rows, if any, and the end of the file. `datapackage`: JSON text. */
  end(frame: RowBatch, datapackage: string): Iterable<Uint8Array>;
}

type CreateWriter = (columns: readonly TypedColumn[]) => ColumnarWriter;

export function openColumnar(header: Header, createWriter: CreateWriter): Encoder {
  const { provenance, zone } = header;
  const answers = new AnswerLog();
  let file: ReturnType<typeof openFile> | undefined;
  return { write, end };

  function* write(batch: Batch): Generator<Uint8Array> {
    const { frame, fill, writer } = (file ??= openFile(header, batch.chunk !== undefined, createWriter));
    if (batch.chunk) answers.add(batch.chunk.heads);
    for (const _ of fill(batch)) yield* writer.write(frame);
  }

  function* end(): Generator<Uint8Array> {
    const { columns, frame, writer } = (file ??= openFile(header, header.columns[0]?.kind === "stamp", createWriter));
    yield* writer.end(frame, toJsonText(describePackage({ columns, provenance, zone, requests: answers.list() })));
  }
}

function openFile({ columns: untyped, zone }: Header, hasSeries: boolean, createWriter: CreateWriter) {
  const columns = hasSeries ? typeSeriesColumns(untyped) : typeTableColumns(untyped);
  const frame = new RowBatch(columns);
  return { columns, frame, fill: hasSeries ? createSeriesFill(frame, zone) : createTableFill(frame), writer: createWriter(columns) };
}

/** Yields whenever the frame is full, and clears it when resumed. The last rows stay in it for the next batch. */
type Fill = (batch: Batch) => Iterable<void>;

export function createSeriesFill(frame: RowBatch, zone: Zone): Fill {
  const setTimes = createClock(frame.times, zone);
  return function* fillSeries({ placed = [], onRows }) {
    const timeline = new Timeline(placed.map((series) => openCursor(series, frame)));
    let rows = 0;
    for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
      const { instant, due } = timeline;
      let rank: number | undefined;
      let first = 0;
      for (const cursor of due) {
        if (cursor.instants[cursor.next] !== instant) continue;
        // Series of the same rank share the rows of an instant; these rows must stay in one frame.
        if (rank !== cursor.series.rank) {
          if (frame.isFull) {
            yield;
            frame.clear();
          }
          rank = cursor.series.rank;
          first = frame.rows;
        }
        const { numbers, read } = cursor;
        let row = Math.max(first, numbers.filled);
        for (; cursor.instants[cursor.next] === instant; row++, cursor.next++) {
          if (row === frame.rows) {
            frame.openRow();
            setTimes(row, cursor);
            frame.setConstants(row, cursor.codes);
            rows++;
          }
          numbers.set(row, read(cursor.next) ?? refusePoint(cursor));
        }
        numbers.filled = row;
      }
    }
    onRows?.(rows);
  };
}

interface Cursor extends PointCursor {
  readonly series: PlacedSeries;
  readonly codes: readonly number[];
  readonly numbers: NumberData;
  readonly read: NumberReader;
}

function openCursor(series: PlacedSeries, frame: RowBatch): Cursor {
  const { points, constants, valueColumn } = series;
  return {
    series,
    instants: points.instants,
    next: 0,
    codes: frame.encode(constants),
    numbers: frame.numbers[valueColumn]!,
    read: createNumberReader(points),
  };
}

function createTableFill(frame: RowBatch): Fill {
  return function* fillTable(batch) {
    for (const cells of batch.rows()) {
      if (frame.isFull) {
        yield;
        frame.clear();
      }
      const row = frame.openRow();
      for (const [index, data] of frame.columns.entries()) {
        const cell = cells[index] ?? null;
        if (data.kind === "number") data.set(row, toNumber(cell) ?? refuseValue(cell, data.column.name));
        else if (data.kind !== "time") data.set(row, data.codeOf(cell));
      }
    }
  };
}

function toNumber(value: Cell): number | undefined {
  return parseNumber(value === null ? null : toPlainText(value, "text"));
}

function refusePoint({ series: { points, constants }, numbers, next }: Cursor): never {
  const names = [...constants.filter((cell) => cell !== null), numbers.column.name];
  return refuseValue(valueAt(points, next), `${names.map((cell) => toPlainText(cell, "text")).join(", ")} at ${stampAt(points, next)}`);
}

function refuseValue(value: Cell, place: string): never {
  throw new EntsError("refused", `the value ${shortenText(toPlainText(value, "text"))} of ${shortenText(place)} is not a number`, {
    hint: "use --format csv or json, which keep such values",
  });
}

/** Sets the times of a row: instant, wall clock, and end if there is a column for it. Reuses those of the row before, usually the same. */
function createClock([instants, wallClocks, ends]: readonly TimeData[], zone: Zone): (row: number, cursor: Cursor) => void {
  let last: (Pick<PlacedSeries, "networkOffset" | "interval"> & { readonly instant: number; readonly clockOffset: number }) | undefined;
  let [micros, wallClock, end]: (bigint | undefined)[] = [];
  return (row, { series: { networkOffset, interval, points }, next }) => {
    const instant = points.instants[next] as number;
    const clockOffset = networkOffset ?? findSentOffset(stampAt(points, next));
    const isSame = last?.instant === instant && last.clockOffset === clockOffset && last.interval === interval;
    if (!isSame || last?.networkOffset !== networkOffset) {
      last = { instant, networkOffset, clockOffset, interval };
      micros = toMicros(instant);
      wallClock = toMicros(zone.toWallClock(instant, clockOffset));
      end = ends && toMicros(findIntervalEnd(interval, instant, networkOffset));
    }
    instants?.set(row, micros);
    wallClocks?.set(row, wallClock);
    ends?.set(row, end);
  };
}

function toMicros(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(ms) * 1000n;
}
