import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import { createEdgePrinter } from "../intervals/grid.ts";
import { type Cell, type Column, countTimes, type RowLayout, type PlacedSeries, type Row } from "./layout.ts";
import { type RowSink, RowWalker, WalkedSeries } from "./row-walker.ts";

/** A row before its timestamps are printed. */
export interface TimedRow extends Pick<PlacedSeries, "constants" | "networkOffset" | "interval"> {
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
  readonly timestamp: string;
  readonly values: readonly Cell[];
}

/** Called at the end, with the number of rows. */
type OnRows = ((rows: number) => void) | undefined;

export function* walkRows(
  layout: RowLayout,
  placed: readonly PlacedSeries[],
  { printTimestamp, onRows }: { readonly printTimestamp: TimestampPrinter; readonly onRows?: OnRows },
): Generator<Row> {
  const print = ({ timestamp, instant, networkOffset }: TimedRow) => printTimestamp(timestamp, instant, networkOffset);
  const printEdges = createEdgePrinter(printTimestamp, countTimes(layout.columns) - 1);
  const { keys } = layout;
  const printTimes = keys
    ? ({ instant }: TimedRow) => keys.cellsAt(instant)
    : cacheTimes((row): Row => [print(row), ...printEdges(row.timestamp, row.instant, row)]);
  for (const row of walkTimedRows(layout, placed, onRows)) yield [...printTimes(row), ...row.constants, ...row.values];
}

/** Caches the result of `make` for a row's timestamp and interval, as most rows of an instant share it. */
export function cacheTimes<T>(make: (row: TimedRow) => T): (row: TimedRow) => T {
  let last: TimedRow | undefined;
  let made: T;
  return (row) => {
    if (row.timestamp !== last?.timestamp || row.networkOffset !== last.networkOffset || row.interval !== last.interval)
      made = make(row);
    last = row;
    return made;
  };
}

/** Rows made at once. */
const AT_ONCE = 256;

export function* walkTimedRows(
  { columns }: Pick<RowLayout, "columns">,
  placed: readonly PlacedSeries[],
  onRows?: OnRows,
): Generator<TimedRow> {
  const rows: TimedRow[] = [];
  const sink: RowSink<WalkedSeries> = {
    get isFull() {
      return rows.length >= AT_ONCE;
    },
    write: ({ placed: { points, constants, networkOffset, interval }, instants, next }, cells) => {
      const values = cells.map((cell) => (cell ? valueAt(cell.placed.points, cell.next) : null));
      rows.push({
        instant: instants[next] as number,
        timestamp: timestampAt(points, next),
        constants,
        networkOffset,
        interval,
        values,
      });
    },
  };
  const walker = new RowWalker(
    placed.map((series) => new WalkedSeries(series)),
    countValueColumns(columns),
  );
  for (let isLeft = true; isLeft; rows.length = 0) {
    isLeft = walker.walk(sink);
    yield* rows;
  }
  onRows?.(walker.rows);
}

/** Counts the rows without making them. */
export function countRows(columns: readonly Column[], placed: readonly PlacedSeries[]): number {
  const walker = new RowWalker(
    placed.map((series) => new WalkedSeries(series)),
    countValueColumns(columns),
  );
  walker.walk({ isFull: false, write: () => {} });
  return walker.rows;
}

/** The number of value columns. */
function countValueColumns(columns: readonly Column[]): number {
  return columns.filter(({ kind }) => kind === "value").length;
}
