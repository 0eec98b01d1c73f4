/** Fills a frame with the rows of batches. */
import { EntsError } from "../../base/errors.ts";
import { cutText } from "../../base/shown-text.ts";
import type { PlacedSeries } from "../../series/layout/layout.ts";
import type { TimedRow } from "../../series/layout/rows.ts";
import type { Cell, Row } from "../../series/layout/table.ts";
import { type PointCursor, Timeline } from "../../series/layout/timeline.ts";
import { stampAt, valueAt } from "../../series/point-operations.ts";
import type { Zone } from "../../time/zones.ts";
import { toPlainText } from "../cells.ts";
import type { Batch } from "../format.ts";
import { createClock } from "./clock.ts";
import type { NumberData } from "./column-data.ts";
import type { Frame } from "./frame.ts";
import { createNumberReader, type NumberReader, parseNumber } from "./read-number.ts";

/** Yields whenever the frame is full; its rows are gone then. The last rows stay in it, for the next batch. */
export type Fill = (batch: Batch) => Iterable<void>;

/** For batches of series. */
export function createSeriesFill(frame: Frame, zone: Zone): Fill {
  const setTimes = createClock(frame.times, zone);
  // With one value column, each point is a row.
  const [numbers] = frame.numbers.length === 1 ? frame.numbers : [];
  return (batch) =>
    numbers && batch.placed
      ? fillPoints(batch.placed, { frame, setTimes, numbers })
      : fillTimedRows(batch.timedRows?.() ?? [], { frame, setTimes });
}

interface Filling {
  readonly frame: Frame;
  readonly setTimes: ReturnType<typeof createClock>;
}

interface Cursor extends PointCursor {
  readonly series: PlacedSeries;
  readonly codes: readonly number[];
  readonly read: NumberReader;
}

/** The fast way: no value becomes a text, and no row an object. */
function* fillPoints(
  placed: readonly PlacedSeries[],
  { frame, setTimes, numbers }: Filling & { readonly numbers: NumberData },
): Generator<void> {
  const timeline = new Timeline(
    placed.map((series): Cursor => {
      const { points, constants } = series;
      return { series, instants: points.instants, next: 0, codes: frame.encode(constants), read: createNumberReader(points) };
    }),
  );
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    const { instant, due } = timeline;
    for (const cursor of due) {
      while (cursor.instants[cursor.next] === instant) {
        if (frame.isFull) {
          yield;
          frame.rows = 0;
        }
        const number = cursor.read(cursor.next);
        if (number === undefined) return refusePoint(cursor);
        setTimes(frame.rows, instant, cursor.series);
        frame.setConstants(cursor.codes);
        numbers.set(frame.rows, number);
        frame.rows++;
        cursor.next++;
      }
    }
  }
}

function* fillTimedRows(rows: Iterable<TimedRow>, { frame, setTimes }: Filling): Generator<void> {
  const codes = new Map<readonly Cell[], readonly number[]>();
  for (const row of rows) {
    if (frame.isFull) {
      yield;
      frame.rows = 0;
    }
    let known = codes.get(row.constants);
    if (!known) codes.set(row.constants, (known = frame.encode(row.constants)));
    setTimes(frame.rows, row.instant, row);
    frame.setConstants(known);
    for (const [index, data] of frame.numbers.entries()) {
      const value = row.values[index] ?? null;
      data.set(frame.rows, toNumber(value) ?? refuseValue(value, { series: [...row.constants, data.column.name], stamp: row.stamp }));
    }
    frame.rows++;
  }
}

/** For a table without series. */
export function createTableFill(frame: Frame): Fill {
  return (batch) => fillRows(batch.rows(), frame);
}

function* fillRows(rows: Iterable<Row>, frame: Frame): Generator<void> {
  for (const row of rows) {
    if (frame.isFull) {
      yield;
      frame.rows = 0;
    }
    for (const [index, data] of frame.columns.entries()) {
      const cell = row[index] ?? null;
      if (data.kind === "number") data.set(frame.rows, toNumber(cell) ?? refuseValue(cell, { series: [data.column.name] }));
      else if (data.kind !== "time") data.set(frame.rows, data.codeOf(cell));
    }
    frame.rows++;
  }
}

function toNumber(value: Cell): number | undefined {
  return parseNumber(value === null ? null : toPlainText(value, "text"));
}

function refusePoint({ series: { points, constants }, next }: Cursor): never {
  return refuseValue(valueAt(points, next), { series: constants, stamp: stampAt(points, next) });
}

function refuseValue(value: Cell, { series, stamp }: { readonly series: readonly Cell[]; readonly stamp?: string }): never {
  const names = series.filter((cell) => cell !== null).map((cell) => toPlainText(cell, "text"));
  const place = [names.join(", "), ...(stamp === undefined ? [] : [stamp])].join(" at ");
  throw new EntsError("refused", `the value ${cutText(toPlainText(value, "text"))} of ${place} is not a number`, {
    hint: "use --format csv or json, which keep such values",
  });
}
