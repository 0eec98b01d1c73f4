import { stampAt, valueAt } from "../point-operations.ts";
import { findEarliest, type PointCursor } from "./earliest.ts";
import type { Layout, PlacedSeries } from "./layout.ts";
import type { Cell, Row, StampPrinter } from "./table.ts";

/** The rows of all series, by instant. */
export function* walkRows({ columns }: Layout, placed: readonly PlacedSeries[], printStamp: StampPrinter): Generator<Row> {
  const width = columns.filter(({ kind }) => kind === "value").length;
  const cursors = placed.map((series): Cursor => ({ ...series, instants: series.points.instants, next: 0 }));
  const groups = groupByRank(cursors);
  for (let instant = findEarliest(cursors); instant !== Number.POSITIVE_INFINITY; instant = findEarliest(cursors)) {
    // Most rows of an instant have the same timestamp.
    let sent: string | undefined;
    let printed = "";
    for (const group of groups) {
      const { constants } = group[0] as Cursor;
      for (const { stamp, values } of takeRows(group, instant, width)) {
        if (stamp !== sent) {
          sent = stamp;
          printed = printStamp(stamp, instant);
        }
        yield [printed, ...constants, ...values];
      }
    }
  }
}

interface Cursor extends PlacedSeries, PointCursor {}

interface OpenRow {
  /** As the service sent it. */
  readonly stamp: string;
  readonly values: Cell[];
}

/** The points of a group at one instant: one row, or more if a cell has several values. */
function takeRows(group: readonly Cursor[], instant: number, width: number): OpenRow[] {
  const rows: OpenRow[] = [];
  for (const cursor of group) {
    const { points, instants, valueColumn } = cursor;
    // A column fills from the first row on: the next free cell is after its last value.
    let index = rows.findLastIndex(({ values }) => values[valueColumn] !== undefined) + 1;
    for (; instants[cursor.next] === instant; cursor.next++, index++) {
      const row = (rows[index] ??= { stamp: stampAt(points, cursor.next), values: new Array<Cell>(width) });
      row.values[valueColumn] = valueAt(points, cursor.next);
    }
  }
  for (const { values } of rows) for (let column = 0; column < width; column++) values[column] ??= null;
  return rows;
}

function groupByRank(cursors: readonly Cursor[]): Cursor[][] {
  const groups: Cursor[][] = [];
  for (const cursor of cursors) (groups[cursor.rank] ??= []).push(cursor);
  return groups;
}
