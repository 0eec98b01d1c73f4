import type { Layout, PlacedSeries } from "./layout.ts";
import type { Cell, Row, StampPrinter } from "./table.ts";

/** The rows of placed series, instant by instant. */
export function* walkRows({ columns }: Layout, placed: readonly PlacedSeries[], printStamp: StampPrinter): Generator<Row> {
  const width = columns.filter(({ kind }) => kind === "value").length;
  const lanes = placed.map((series): Lane => ({ ...series, next: 0 }));
  const groups = groupByRank(lanes);
  for (let instant = findEarliest(lanes); instant !== Number.POSITIVE_INFINITY; instant = findEarliest(lanes)) {
    for (const group of groups) {
      const { constants } = group[0] as Lane;
      for (const { stamp, values } of takeRows(group, instant, width)) yield [printStamp(stamp, instant), ...constants, ...values];
    }
  }
}

/** A series, and how many of its points are in rows already. */
interface Lane extends PlacedSeries {
  next: number;
}

interface OpenRow {
  /** As the service sent it. */
  readonly stamp: string;
  readonly values: Cell[];
}

/** The points of a group at an instant, in as many rows as the cell with the most values needs. */
function takeRows(group: readonly Lane[], instant: number, width: number): OpenRow[] {
  const rows: OpenRow[] = [];
  for (const lane of group) {
    const { points, valueColumn } = lane;
    // Rows fill from the first on, so that the one after the last with a value is free.
    let depth = rows.findLastIndex(({ values }) => values[valueColumn] !== undefined) + 1;
    for (; points.instants[lane.next] === instant; lane.next++, depth++) {
      const row = (rows[depth] ??= { stamp: points.stamps[lane.next] as string, values: new Array<Cell>(width) });
      row.values[valueColumn] = points.values[lane.next] ?? null;
    }
  }
  for (const { values } of rows) for (let column = 0; column < width; column++) values[column] ??= null;
  return rows;
}

function groupByRank(lanes: readonly Lane[]): Lane[][] {
  const groups: Lane[][] = [];
  for (const lane of lanes) (groups[lane.rank] ??= []).push(lane);
  return groups;
}

function findEarliest(lanes: readonly Lane[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { points, next } of lanes) {
    const instant = points.instants[next];
    if (instant !== undefined && instant < earliest) earliest = instant;
  }
  return earliest;
}
