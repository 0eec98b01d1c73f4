import { stampAt, valueAt } from "../point-operations.ts";
import type { Layout, PlacedSeries } from "./layout.ts";
import type { StampPrinter } from "../../time/zones.ts";
import type { Cell, Row } from "./table.ts";
import { type PointCursor, Timeline } from "./timeline.ts";

/** The rows of all series, by instant. */
export function* walkRows({ columns }: Layout, placed: readonly PlacedSeries[], printStamp: StampPrinter): Generator<Row> {
  const width = columns.filter(({ kind }) => kind === "value").length;
  const timeline = new Timeline(placed.map((series): Cursor => ({ ...series, instants: series.points.instants, next: 0 })));
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    const { instant } = timeline;
    // Most rows of an instant have the same timestamp.
    let sent: string | undefined;
    let clock: number | undefined;
    let printed = "";
    for (const { constants, networkOffset, rows } of takeGroups(timeline, width)) {
      for (const { stamp, values } of rows) {
        if (stamp !== sent || networkOffset !== clock) {
          sent = stamp;
          clock = networkOffset;
          printed = printStamp(stamp, instant, networkOffset);
        }
        yield [printed, ...constants, ...values];
      }
    }
  }
}

interface Cursor extends PlacedSeries, PointCursor {}

/** The rows of the series with the same constants at one instant: one, or more if a cell has several values. */
interface RowGroup extends Pick<PlacedSeries, "rank" | "constants" | "networkOffset"> {
  readonly rows: OpenRow[];
  /** The values of each value column so far: a column fills from the first row on. */
  readonly filled: number[];
}

interface OpenRow {
  /** As the service sent it. */
  readonly stamp: string;
  readonly values: Cell[];
}

function takeGroups({ instant, due }: Timeline<Cursor>, width: number): RowGroup[] {
  const groups: RowGroup[] = [];
  let group: RowGroup | undefined;
  for (const cursor of due) {
    if (cursor.instants[cursor.next] !== instant) continue;
    if (group?.rank !== cursor.rank) {
      const { rank, constants, networkOffset } = cursor;
      group = { rank, constants, networkOffset, rows: [], filled: [] };
      groups.push(group);
    }
    takePoints(cursor, group, width);
  }
  return groups;
}

/** Moves a cursor past its points at its instant. */
function takePoints(cursor: Cursor, { rows, filled }: RowGroup, width: number): void {
  const { points, instants, valueColumn } = cursor;
  const instant = instants[cursor.next] as number;
  let index = filled[valueColumn] ?? 0;
  for (; instants[cursor.next] === instant; cursor.next++, index++) {
    const row = (rows[index] ??= { stamp: stampAt(points, cursor.next), values: new Array<Cell>(width).fill(null) });
    row.values[valueColumn] = valueAt(points, cursor.next);
  }
  filled[valueColumn] = index;
}
