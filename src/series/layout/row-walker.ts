/**
 * Walks the points of series row by row, in canonical order. What becomes of a row is up to a sink: objects, lines of
 * bytes, or columns of typed values.
 */
import type { Instants } from "../points.ts";
import type { PlacedSeries } from "./layout.ts";
import { isAt, type PointCursor, Timeline } from "./timeline.ts";

/** A series and the place that the walk has reached in it. A sink adds what it needs of the series. */
export class WalkedSeries implements PointCursor {
  readonly placed: PlacedSeries;
  readonly instants: Instants;
  next = 0;
  /** The rows that it shares with series of the same rank. */
  row: SharedRow | undefined;
  /** Its place among the series of its column. */
  index = 0;

  constructor(placed: PlacedSeries) {
    this.placed = placed;
    this.instants = placed.points.instants;
  }
}

export interface RowSink<S extends WalkedSeries> {
  /** True if the walk is to stop before the next row. */
  readonly isFull: boolean;
  /**
   * `first`: a series of the row, for its timestamp and constants. `cells`: by value column, the series whose next
   * point is the cell's.
   */
  write(first: S, cells: Cells<S>): void;
}

export type Cells<S> = readonly (S | undefined)[];

interface SharedRow {
  readonly columns: readonly SharedColumn[];
  readonly cells: (WalkedSeries | undefined)[];
}

/** The series of a value column in shared rows: one, unless the service sends several with the same labels. */
interface SharedColumn {
  readonly series: WalkedSeries[];
  /** Series before `from` have no more points at `instant` and are skipped. */
  instant: number;
  from: number;
}

export class RowWalker<S extends WalkedSeries> {
  /** The number of rows so far. */
  rows = 0;
  readonly #timeline: Timeline<S>;
  /** Index of the current series among those that are due. */
  #current = 0;

  /** `width`: the number of value columns. */
  constructor(series: readonly S[], width: number) {
    const rows = new Map<number, SharedRow>();
    for (const walked of series) {
      const { rank, valueColumn } = walked.placed;
      walked.row = rows.get(rank) ?? openRow(width);
      rows.set(rank, walked.row);
      walked.index = (walked.row.columns[valueColumn] as SharedColumn).series.push(walked) - 1;
    }
    this.#timeline = new Timeline(series);
  }

  /** Writes rows until the sink is full. Returns false once all are written. */
  walk(sink: RowSink<S>): boolean {
    const timeline = this.#timeline;
    for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
      const { instant, due } = timeline;
      for (; this.#current < due.length; this.#current++) {
        const first = due[this.#current] as S;
        const { columns, cells } = first.row as SharedRow;
        while (isAt(first, instant)) {
          if (sink.isFull) return true;
          this.rows++;
          if (columns.length === 1) cells[0] = first;
          else fillCells(first, instant);
          sink.write(first, cells as Cells<S>);
          if (columns.length === 1) first.next++;
          else for (const cell of cells) if (cell) cell.next++;
        }
      }
      this.#current = 0;
    }
    return false;
  }
}

function openRow(width: number): SharedRow {
  const openColumn = (): SharedColumn => ({ series: [], instant: Number.NaN, from: 0 });
  return { columns: Array.from({ length: width }, openColumn), cells: new Array<undefined>(width).fill(undefined) };
}

/** `first`: the first series of its row with a point at the instant. */
function fillCells({ row, placed, index }: WalkedSeries, instant: number): void {
  const { columns, cells } = row as SharedRow;
  startColumnAt(columns[placed.valueColumn] as SharedColumn, instant, index);
  for (let column = 0; column < columns.length; column++)
    cells[column] = findNext(columns[column] as SharedColumn, instant);
}

function findNext(column: SharedColumn, instant: number): WalkedSeries | undefined {
  startColumnAt(column, instant, 0);
  for (; column.from < column.series.length; column.from++) {
    const series = column.series[column.from] as WalkedSeries;
    if (isAt(series, instant)) return series;
  }
  return undefined;
}

function startColumnAt(column: SharedColumn, instant: number, index: number): void {
  if (column.instant === instant) return;
  column.instant = instant;
  column.from = index;
}
