/** Fills a frame with the rows of batches. */
import { EntsError } from "../../base/errors.ts";
import { shortenText } from "../../base/shown-text.ts";
import type { Cell, PlacedSeries } from "../../series/layout/layout.ts";
import { type PointCursor, Timeline } from "../../series/layout/timeline.ts";
import { stampAt, valueAt } from "../../series/point-operations.ts";
import { findSentOffset } from "../../time/stamp.ts";
import type { Zone } from "../../time/zone.ts";
import { toPlainText } from "../cells.ts";
import type { Batch } from "../format.ts";
import type { NumberData, TimeData } from "./column-data.ts";
import type { RowBatch } from "./frame.ts";
import { createNumberReader, type NumberReader, parseNumber } from "../../series/read-number.ts";
import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import type { TimedRow } from "../../series/layout/rows.ts";

/** Yields whenever the frame is full, and empties it then. The last rows stay in it, for the next batch. */
export type Fill = (batch: Batch) => Iterable<void>;

/** For batches of series. */
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
        // Series of the same rank share the rows of an instant, which stay in one frame.
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
            setTimes(row, instant, cursor.clock ?? readClock(cursor));
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
  /** Undefined where each timestamp has to tell. */
  readonly clock: TimedSeries | undefined;
  readonly codes: readonly number[];
  readonly numbers: NumberData;
  readonly read: NumberReader;
}

function openCursor(series: PlacedSeries, frame: RowBatch): Cursor {
  const { points, constants, valueColumn, networkOffset } = series;
  return {
    series,
    clock: networkOffset === undefined ? undefined : { ...series, clockOffset: networkOffset },
    instants: points.instants,
    next: 0,
    codes: frame.encode(constants),
    numbers: frame.numbers[valueColumn]!,
    read: createNumberReader(points),
  };
}

function readClock({ series, next }: Cursor): TimedSeries {
  return { ...series, clockOffset: findSentOffset(stampAt(series.points, next)) };
}

/** For a table without series. */
export function createTableFill(frame: RowBatch): Fill {
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

/** What decides the wall clock and the end of a bucket. */
interface TimedSeries extends Pick<TimedRow, "networkOffset" | "interval"> {
  /** The offset of the network's time, else that of the timestamp as the service sent it. */
  readonly clockOffset: number;
}

/** Sets the times of a row: instant, wall clock, and end where there is a column for it. Most rows have the times of the row before. */
function createClock([instants, wallClocks, ends]: readonly TimeData[], zone: Zone) {
  let last: (TimedSeries & { readonly instant: number }) | undefined;
  let [micros, wallClock, end]: (bigint | undefined)[] = [];
  return (row: number, instant: number, { networkOffset, clockOffset, interval }: TimedSeries): void => {
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

function toMicros(ms: number): bigint;
function toMicros(ms: number | undefined): bigint | undefined;
function toMicros(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(ms) * 1000n;
}
