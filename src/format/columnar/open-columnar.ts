/** The encoder that parquet and arrow share: collects rows in frames of typed columns. */
import { toJsonText } from "../../base/json.ts";
import { ResponseLog, describePackage } from "../datapackage.ts";
import type { Batch, Encoder, Header } from "../format.ts";
import { type TypedColumn, typeSeriesColumns, typeTableColumns } from "./columns.ts";
import { RowBatch, type NumberData, type TimeData } from "./frame.ts";
import { EntsError } from "../../base/errors.ts";
import { shortenText } from "../../base/shown-text.ts";
import { type Cell, hasTimestamps, type PlacedSeries } from "../../series/layout/layout.ts";
import { type RowSink, RowWalker, WalkedSeries } from "../../series/layout/row-walker.ts";
import {
  timestampAt,
  valueAt,
  createNumberReader,
  type NumberReader,
  parseNumber,
} from "../../series/point-operations.ts";
import { findSentOffset, parseTimestamp } from "../../time/timestamp.ts";
import type { Zone } from "../../time/zone.ts";
import { toPlainText } from "../cells.ts";
import { findEdges } from "../../series/intervals/grid.ts";

/** Writes frames as one file. Each part is valid until the next is requested. */
export interface ColumnarWriter {
  write(frame: RowBatch): Iterable<Uint8Array>;
  /** Writes the remaining rows, if any, and the end of the file. `datapackage`: JSON text. */
  end(frame: RowBatch, datapackage: string): Iterable<Uint8Array>;
}

type CreateWriter = (columns: readonly TypedColumn[]) => ColumnarWriter;

export function openColumnar(header: Header, createWriter: CreateWriter): Encoder {
  const { provenance, zone } = header;
  const responses = new ResponseLog();
  let file: ReturnType<typeof openColumns> | undefined;
  return { write, end };

  function* write(batch: Batch): Generator<Uint8Array> {
    const { frame, fill, writer } = (file ??= openColumns(header, batch.chunk !== undefined, createWriter));
    if (batch.chunk) responses.add(batch.chunk.heads);
    for (const _ of fill(batch)) yield* writer.write(frame);
  }

  function* end(): Generator<Uint8Array> {
    const { columns, frame, writer } = (file ??= openColumns(header, true, createWriter));
    yield* writer.end(frame, toJsonText(describePackage({ columns, provenance, zone, requests: responses.list() })));
  }
}

function openColumns({ columns: untyped, zone }: Header, isOfQuery: boolean, createWriter: CreateWriter) {
  const hasSeries = isOfQuery && hasTimestamps(untyped);
  const columns = hasSeries ? typeSeriesColumns(untyped) : typeTableColumns(untyped);
  const frame = new RowBatch(columns);
  return {
    columns,
    frame,
    fill: hasSeries ? createSeriesFill(frame, zone) : createTableFill(frame, zone),
    writer: createWriter(columns),
  };
}

/** Yields whenever the frame is full, and clears it when resumed. The last rows stay in it for the next batch. */
type Fill = (batch: Batch) => Iterable<void>;

export function createSeriesFill(frame: RowBatch, zone: Zone): Fill {
  const setTimes = createTimeFill(frame.times, zone);
  const sink: RowSink<FrameSeries> = {
    get isFull() {
      return frame.isFull;
    },
    write: (first, cells) => {
      const row = frame.openRow();
      setTimes(row, first.placed, first.next);
      frame.setConstants(row, first.codes);
      for (let column = 0; column < cells.length; column++) {
        const cell = cells[column];
        if (cell) frame.numbers[column]!.set(row, cell.read(cell.next) ?? refusePoint(cell, frame.numbers[column]!));
      }
    },
  };
  return function* fillSeries({ placed = [], onRows }) {
    const walker = new RowWalker(
      placed.map((series) => new FrameSeries(series, frame)),
      frame.numbers.length,
    );
    while (walker.walk(sink)) {
      yield;
      frame.clear();
    }
    onRows?.(walker.rows);
  };
}

class FrameSeries extends WalkedSeries {
  readonly codes: readonly number[];
  readonly read: NumberReader;

  constructor(placed: PlacedSeries, frame: RowBatch) {
    super(placed);
    this.codes = frame.encode(placed.constants);
    this.read = createNumberReader(placed.points);
  }
}

function createTableFill(frame: RowBatch, zone: Zone): Fill {
  return function* fillTable(batch) {
    for (const cells of batch.rows()) {
      if (frame.isFull) {
        yield;
        frame.clear();
      }
      const row = frame.openRow();
      let at = 0;
      for (const data of frame.columns) {
        // The wall clock of the timestamp before it.
        const isLocal = data.column.type === "wall-clock";
        const cell = cells[isLocal ? at - 1 : at++] ?? null;
        if (data.kind === "number") data.set(row, cellToNumber(cell) ?? refuseValue(cell, data.column.name));
        else if ("codeOf" in data) data.set(row, isLocal ? toLocalMs(cell, zone) : data.codeOf(cell));
      }
    }
  };
}

function toLocalMs(cell: Cell, zone: Zone): number {
  const instant = typeof cell === "string" ? parseTimestamp(cell, "Z") : undefined;
  return instant === undefined ? Number.NaN : zone.toWallClock(instant, findSentOffset(String(cell)));
}

function cellToNumber(value: Cell): number | undefined {
  return parseNumber(value === null ? null : toPlainText(value, "text"));
}

function refusePoint({ placed, next }: FrameSeries, { column }: NumberData): never {
  const { points, constants } = placed;
  const names = [...constants.filter((cell) => cell !== null), column.name];
  return refuseValue(
    valueAt(points, next),
    `${names.map((cell) => toPlainText(cell, "text")).join(", ")} at ${timestampAt(points, next)}`,
  );
}

function refuseValue(value: Cell, place: string): never {
  throw new EntsError(
    "refused",
    `the value ${shortenText(toPlainText(value, "text"))} of ${shortenText(place)} is not a number`,
    {
      hint: "use --format csv or json, which keep such values",
    },
  );
}

/**
 * Sets the times of a row: instant, wall clock, and the edges that have columns. Reuses those of the row before,
 * usually the same.
 */
function createTimeFill(
  [instants, wallClocks, ...edges]: readonly TimeData[],
  zone: Zone,
): (row: number, series: PlacedSeries, next: number) => void {
  let last:
    | (Pick<PlacedSeries, "networkOffset" | "interval"> & { readonly instant: number; readonly clockOffset: number })
    | undefined;
  let [micros, wallClock]: (bigint | undefined)[] = [];
  let edgeMicros: readonly (bigint | undefined)[] = [];
  return (row, { networkOffset, interval, points }, next) => {
    const instant = points.instants[next] as number;
    const clockOffset = networkOffset ?? findSentOffset(timestampAt(points, next));
    const isSame = last?.instant === instant && last.clockOffset === clockOffset && last.interval === interval;
    if (!isSame || last?.networkOffset !== networkOffset) {
      last = { instant, networkOffset, clockOffset, interval };
      micros = toMicros(instant);
      wallClock = toMicros(zone.toWallClock(instant, clockOffset));
      edgeMicros = findEdges(instant, { interval, networkOffset }, edges.length).map(toMicros);
    }
    instants?.set(row, micros);
    wallClocks?.set(row, wallClock);
    for (let index = 0; index < edges.length; index++) edges[index]!.set(row, edgeMicros[index]);
  };
}

function toMicros(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(ms) * 1000n;
}
