/** Merged series as the rows of a format. */
import { addColumns, type KnownColumns, startColumns } from "../series/layout/columns.ts";
import { createLayout } from "../series/layout/create-layout.ts";
import type { RowLayout, LayoutOptions, PlacedSeries, Row } from "../series/layout/layout.ts";
import { type TimedRow, walkRows, walkTimedRows } from "../series/layout/rows.ts";
import type { Chunk } from "../series/merge.ts";
import type { StampPrinter } from "../time/stamp-printer.ts";
import type { Batch, LaidSeries } from "./format.ts";

export interface BatchOptions {
  readonly layout: LayoutOptions;
  readonly printStamp: StampPrinter;
  /** The columns before any series is received. */
  readonly columns: KnownColumns;
  /** Called with the rows of each chunk, in a shape where a row may have several points. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** Places the series of a chunk on first use. */
export class ChunkBatch implements Batch {
  readonly chunk: Chunk;
  readonly #layout: RowLayout;
  readonly #options: BatchOptions;
  #placed: readonly PlacedSeries[] | undefined;

  constructor(chunk: Chunk, layout: RowLayout, options: BatchOptions) {
    this.chunk = chunk;
    this.#layout = layout;
    this.#options = options;
  }

  get placed(): readonly PlacedSeries[] {
    const problem = this.chunk.unknown?.problem ?? this.chunk.incomplete;
    if (problem) throw problem;
    this.#placed ??= this.#layout.place(this.chunk.timeSeries);
    return this.#placed;
  }

  get onRows(): BatchOptions["onRows"] {
    const { layout, onRows } = this.#options;
    return layout.shape === "wide" ? onRows : undefined;
  }

  rows(): Iterable<Row> {
    return countRows(walkRows(this.#layout, this.placed, this.#options.printStamp), this.onRows);
  }

  timedRows(): Iterable<TimedRow> {
    return countRows(walkTimedRows(this.#layout, this.placed), this.onRows);
  }

  pivot(label: string): LaidSeries {
    const { columns: known, layout: options } = this.#options;
    const { timeSeries } = this.chunk;
    const columns = addColumns(startColumns(known.requested, { ...known, pivot: label }), timeSeries);
    const layout = createLayout({ ...options, pivot: label }, columns);
    return { columns: layout.columns, placed: layout.place(timeSeries) };
  }
}

function countRows<R>(rows: Iterable<R>, onRows: BatchOptions["onRows"]): Iterable<R> {
  return onRows ? countEach(rows, onRows) : rows;
}

function* countEach<R>(rows: Iterable<R>, onRows: (rows: number) => void): Generator<R> {
  let count = 0;
  for (const row of rows) {
    count++;
    yield row;
  }
  onRows(count);
}
