/** Encodes merged series in a format. */
import type { AnswerHead } from "../series/answer.ts";
import { countPoints } from "../series/settle.ts";
import { addColumns, type KnownColumns, startColumns } from "../series/layout/columns.ts";
import { createLayout } from "../series/layout/create-layout.ts";
import type { Layout, LayoutOptions, PlacedSeries } from "../series/layout/layout.ts";
import { type TimedRow, walkRows, walkTimedRows } from "../series/layout/rows.ts";
import type { Column, Row, Table } from "../series/layout/table.ts";
import { type Chunk, joinChunks } from "../series/merge.ts";
import { orderTimeSeries } from "../series/order.ts";
import { createZone, printAsSent, type StampPrinter, type Zone } from "../time/zones.ts";
import type { About, Batch, Encoded, Encoder, Format, FormatOptions, LaidSeries } from "./format.ts";

export interface Encoding {
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly layout: LayoutOptions;
  readonly printStamp: StampPrinter;
  readonly zone: Zone;
  readonly about?: About | undefined;
  /** The columns before any series is received. */
  readonly columns: KnownColumns;
  /** Whether the chunks can be had again: then `ColumnsChanged` comes after the last of them, and knows all columns. */
  readonly repeatable?: boolean;
  /** Called with the columns of the output, before the first of its chunks is encoded. */
  readonly onColumns?: ((columns: readonly Column[]) => void) | undefined;
  /** Called with each chunk that is encoded. */
  readonly onChunk?: ((chunk: Chunk) => void) | undefined;
  /** Called with the rows of each chunk, in a shape where a row may have several points. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** A later chunk has a column that the header, already written, lacks, or has with another type. */
export class ColumnsChanged extends Error {
  override readonly name = "ColumnsChanged";
  readonly columns: KnownColumns;

  constructor(columns: KnownColumns, what = "columns") {
    super(`a later window has ${what} that earlier ones lack`);
    this.columns = columns;
  }
}

/**
 * Encodes chunks as one output with one header, written with the first series: they define the columns.
 * @throws {EntsError} refused: series of an unknown shape or missing rows, except in json; {ColumnsChanged} a later chunk has a new column.
 */
export async function* encodeChunks(chunks: AsyncIterable<Chunk>, encoding: Encoding): AsyncGenerator<Encoded> {
  const { layout: layoutOptions } = encoding;
  let { columns } = encoding;
  let opened: { readonly encoder: Encoder; readonly header: string } | undefined;
  let changed = false;
  const skipped: AnswerHead[] = [];
  for await (const chunk of collectsAll(encoding) ? collect(chunks, columns) : chunks) {
    encoding.onChunk?.(chunk);
    if (!opened && isEmpty(chunk) && !encoding.format.collects) {
      skipped.push(...chunk.heads);
      continue;
    }
    columns = addColumns(columns, chunk.timeSeries);
    const layout = createLayout(layoutOptions, columns);
    const header = JSON.stringify(layout.columns.map(({ name, isBoolean }) => (encoding.format.typed ? [name, isBoolean] : name)));
    opened ??= { encoder: openEncoder(layout, encoding), header };
    changed ||= opened.header !== header;
    if (!changed)
      yield* opened.encoder.write(new ChunkBatch({ ...chunk, heads: [...skipped.splice(0), ...chunk.heads] }, layout, encoding));
    else if (!encoding.repeatable) break;
  }
  if (changed) throw new ColumnsChanged(columns, encoding.format.typed ? "columns, or types of columns," : "columns");
  if (!opened) {
    const layout = createLayout(layoutOptions, columns);
    opened = { encoder: openEncoder(layout, encoding), header: "" };
    yield* opened.encoder.write(new ChunkBatch({ heads: skipped, timeSeries: [] }, layout, encoding));
  }
  yield* opened.encoder.end();
}

/** Whether it needs the whole result at once: the columns of a pivot are known only then, unless it can start over. */
export function collectsAll({ format, layout, repeatable }: Pick<Encoding, "format" | "layout" | "repeatable">): boolean {
  return format.collects || (layout.pivot !== undefined && !repeatable);
}

/** Encodes a table without time series, such as the list of metrics. */
export async function* encodeTable({ columns, rows }: Table, format: Format, options: FormatOptions): AsyncGenerator<Encoded> {
  const encoder = format.open({ columns, printStamp: printAsSent, zone: createZone("network") }, options);
  yield* encoder.write({ rows: () => rows });
  yield* encoder.end();
}

function openEncoder({ columns }: Layout, { format, formatOptions, printStamp, zone, about, onColumns }: Encoding): Encoder {
  onColumns?.(columns);
  return format.open({ columns, printStamp, zone, about }, formatOptions);
}

function isEmpty({ timeSeries, unknown, incomplete }: Chunk): boolean {
  return !unknown && !incomplete && countPoints(timeSeries) === 0;
}

/** Joins all chunks, in canonical order. */
async function* collect(chunks: AsyncIterable<Chunk>, { requested }: KnownColumns): AsyncGenerator<Chunk> {
  const all = await joinChunks(chunks);
  yield { ...all, timeSeries: orderTimeSeries(all.timeSeries, requested) };
}

/** Places the series of a chunk on first use. */
class ChunkBatch implements Batch {
  readonly chunk: Chunk;
  readonly #layout: Layout;
  readonly #encoding: Encoding;
  #placed: readonly PlacedSeries[] | undefined;

  constructor(chunk: Chunk, layout: Layout, encoding: Encoding) {
    this.chunk = chunk;
    this.#layout = layout;
    this.#encoding = encoding;
  }

  get placed(): readonly PlacedSeries[] {
    const problem = this.chunk.unknown?.problem ?? this.chunk.incomplete;
    if (problem) throw problem;
    this.#placed ??= this.#layout.place(this.chunk.timeSeries);
    return this.#placed;
  }

  get onRows(): Encoding["onRows"] {
    const { layout, onRows } = this.#encoding;
    return layout.shape === "wide" ? onRows : undefined;
  }

  rows(): Iterable<Row> {
    return countRows(walkRows(this.#layout, this.placed, this.#encoding.printStamp), this.onRows);
  }

  timedRows(): Iterable<TimedRow> {
    return countRows(walkTimedRows(this.#layout, this.placed), this.onRows);
  }

  pivot(label: string): LaidSeries {
    const { columns: known, layout: options } = this.#encoding;
    const { timeSeries } = this.chunk;
    const columns = addColumns(startColumns(known.requested, { ...known, pivot: label }), timeSeries);
    const layout = createLayout({ ...options, pivot: label }, columns);
    return { columns: layout.columns, placed: layout.place(timeSeries) };
  }
}

function countRows<R>(rows: Iterable<R>, onRows: Encoding["onRows"]): Iterable<R> {
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
