/** Encodes merged series in a format. */
import { countPoints } from "../series/settle.ts";
import { addColumns, type KnownColumns } from "../series/layout/columns.ts";
import { createLayout } from "../series/layout/create-layout.ts";
import type { Layout, PlacedSeries } from "../series/layout/layout.ts";
import { walkRows } from "../series/layout/rows.ts";
import type { Row, Shape, Table } from "../series/layout/table.ts";
import { type Chunk, joinChunks } from "../series/merge.ts";
import { orderTimeSeries } from "../series/order.ts";
import { printAsSent, type StampPrinter } from "../time/zones.ts";
import type { Batch, Encoded, Encoder, Format, FormatOptions } from "./format.ts";

export interface Encoding {
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly shape: Shape;
  readonly printStamp: StampPrinter;
  /** The columns before any series is received. */
  readonly columns: KnownColumns;
  /** Called with the rows of each chunk, in a shape where a row may have several points. */
  readonly onRows?: (rows: number) => void;
}

/** A later chunk has a column that the header, already written, lacks. */
export class ColumnsChanged extends Error {
  override readonly name = "ColumnsChanged";
  readonly columns: KnownColumns;

  constructor(columns: KnownColumns) {
    super("a later window has columns that earlier ones lack");
    this.columns = columns;
  }
}

/**
 * Encodes chunks as one output with one header, written with the first series: they define the columns.
 * @throws {EntsError} refused: series of an unknown shape or missing rows, except in json; {ColumnsChanged} a later chunk has a new column.
 */
export async function* encodeChunks(chunks: AsyncIterable<Chunk>, encoding: Encoding): AsyncGenerator<Encoded> {
  const { format, shape } = encoding;
  let { columns } = encoding;
  let opened: { readonly encoder: Encoder; readonly names: string } | undefined;
  for await (const chunk of format.collects ? collect(chunks, columns) : chunks) {
    if (!opened && isEmpty(chunk) && !format.collects) continue;
    columns = addColumns(columns, chunk.timeSeries);
    const layout = createLayout(shape, columns);
    const names = JSON.stringify(layout.columns.map(({ name }) => name));
    opened ??= { encoder: openEncoder(layout, encoding), names };
    if (opened.names !== names) throw new ColumnsChanged(columns);
    yield* opened.encoder.write(new ChunkBatch(chunk, layout, encoding));
  }
  const { encoder } = opened ?? { encoder: openEncoder(createLayout(shape, columns), encoding) };
  yield* encoder.end();
}

/** Encodes a table without time series, such as the list of metrics. */
export async function* encodeTable({ columns, rows }: Table, format: Format, options: FormatOptions): AsyncGenerator<Encoded> {
  const encoder = format.open({ columns, printStamp: printAsSent }, options);
  yield* encoder.write({ rows: () => rows });
  yield* encoder.end();
}

function openEncoder({ columns }: Layout, { format, formatOptions, printStamp }: Encoding): Encoder {
  return format.open({ columns, printStamp }, formatOptions);
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

  rows(): Iterable<Row> {
    const { shape, printStamp, onRows } = this.#encoding;
    const rows = walkRows(this.#layout, this.placed, printStamp);
    return shape === "wide" && onRows ? countRows(rows, onRows) : rows;
  }
}

function* countRows(rows: Iterable<Row>, onRows: (rows: number) => void): Generator<Row> {
  let count = 0;
  for (const row of rows) {
    count++;
    yield row;
  }
  onRows(count);
}
