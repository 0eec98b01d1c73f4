import type { StampPrinter } from "../../time/stamp-printer.ts";
import { stampAt, valueAt } from "../point-operations.ts";
import { createEndPrinter } from "../buckets/grid.ts";
import type { Cell, RowLayout, PlacedSeries, Row } from "./layout.ts";
import { type PointCursor, Timeline } from "./timeline.ts";

/** A row before its timestamps are printed. */
export interface TimedRow extends Pick<PlacedSeries, "constants" | "networkOffset" | "interval"> {
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
  readonly stamp: string;
  readonly values: readonly Cell[];
}

export function* walkRows(layout: RowLayout, placed: readonly PlacedSeries[], printStamp: StampPrinter): Generator<Row> {
  const print = ({ stamp, instant, networkOffset }: TimedRow) => printStamp(stamp, instant, networkOffset);
  const printEnd = createEndPrinter(printStamp);
  const hasEnd = layout.columns[1]?.kind === "stamp";
  const printTimes = cacheTimes((row): Row => (hasEnd ? [print(row), printEnd(row.stamp, row.instant, row)] : [print(row)]));
  for (const row of walkTimedRows(layout, placed)) yield [...printTimes(row), ...row.constants, ...row.values];
}

/** Caches the result of `make` for a row's timestamp and bucket, as most rows of an instant share it. */
export function cacheTimes<T>(make: (row: TimedRow) => T): (row: TimedRow) => T {
  let last: TimedRow | undefined;
  let made: T;
  return (row) => {
    if (row.stamp !== last?.stamp || row.networkOffset !== last.networkOffset || row.interval !== last.interval) made = make(row);
    last = row;
    return made;
  };
}

export function* walkTimedRows({ columns }: Pick<RowLayout, "columns">, placed: readonly PlacedSeries[]): Generator<TimedRow> {
  const width = columns.filter(({ kind }) => kind === "value").length;
  const timeline = new Timeline(placed.map((series): Cursor => ({ ...series, instants: series.points.instants, next: 0 })));
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    for (const rows of takeGroups(timeline, width)) yield* rows;
  }
}

interface Cursor extends PlacedSeries, PointCursor {}

interface OpenRow extends TimedRow {
  readonly values: Cell[];
}

/** The rows at one instant of series with the same constants: one, or more if a cell has several values. */
interface RowGroup {
  readonly rank: number;
  readonly rows: OpenRow[];
  /** The number of values so far in each value column; a column fills from the first row down. */
  readonly filled: number[];
}

function takeGroups({ instant, due }: Timeline<Cursor>, width: number): OpenRow[][] {
  const groups: OpenRow[][] = [];
  let group: RowGroup | undefined;
  for (const cursor of due) {
    if (cursor.instants[cursor.next] !== instant) continue;
    if (group?.rank !== cursor.rank) {
      group = { rank: cursor.rank, rows: [], filled: [] };
      groups.push(group.rows);
    }
    takePoints(cursor, group, width);
  }
  return groups;
}

function takePoints(cursor: Cursor, { rows, filled }: RowGroup, width: number): void {
  const { points, instants, valueColumn, constants, networkOffset, interval } = cursor;
  const instant = instants[cursor.next] as number;
  let index = filled[valueColumn] ?? 0;
  for (; instants[cursor.next] === instant; cursor.next++, index++) {
    const row = (rows[index] ??= {
      instant,
      stamp: stampAt(points, cursor.next),
      constants,
      networkOffset,
      interval,
      values: new Array<Cell>(width).fill(null),
    });
    row.values[valueColumn] = valueAt(points, cursor.next);
  }
  filled[valueColumn] = index;
}
