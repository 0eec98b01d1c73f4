/** Encodes merged series in a format. */
import { setImmediate } from "node:timers/promises";
import type { AnswerHead } from "../series/answer.ts";
import { countPoints } from "../series/overlap.ts";
import type { Gaps } from "../series/gaps.ts";
import { addColumns, type KnownColumns } from "../series/layout/columns.ts";
import { createLayout } from "../series/layout/create-layout.ts";
import type { Column, RowLayout, Table } from "../series/layout/layout.ts";
import { type Chunk, joinChunks } from "../series/merge.ts";
import { orderTimeSeries } from "../series/order.ts";
import { printAsSent } from "../time/stamp-printer.ts";
import { NETWORK_ZONE, type Zone } from "../time/zone.ts";
import { type BatchOptions, ChunkBatch } from "./chunk-batch.ts";
import type { Provenance, Encoded, Encoder, Format, FormatOptions, EncodedParts } from "./format.ts";

export interface Encoding extends BatchOptions {
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly zone: Zone;
  readonly provenance?: Provenance | undefined;
  /** Whether `columns` are those of all chunks. */
  readonly hasAllColumns?: boolean;
  /** What the answers show of gaps, as far as they have come. */
  readonly gaps?: Pick<Gaps, "fills"> | undefined;
  /** Called with the columns of the output, before the first of its chunks is encoded. */
  readonly onColumns?: ((columns: readonly Column[]) => void) | undefined;
  /** Called with each chunk that is encoded. */
  readonly onChunk?: ((chunk: Chunk) => void) | undefined;
}

/** A later chunk has a column that the header, already written, lacks, or has with another type. */
export class ColumnsChanged extends Error {
  override readonly name = "ColumnsChanged";

  constructor(what = "columns") {
    super(`a later window has ${what} that earlier ones lack`);
  }
}

/**
 * Encodes chunks as one output with one header, written with the first series: they define the columns.
 * @throws {EntsError} refused: series of an unknown shape or missing rows, except in json; {ColumnsChanged} a later chunk has a new column.
 */
export async function* encodeChunks(chunks: AsyncIterable<Chunk>, encoding: Encoding): AsyncGenerator<Encoded> {
  let encoder: LaidEncoder | undefined;
  for await (const { chunk, layout } of layOutChunks(chunks, encoding)) {
    encoder ??= openEncoder(layout, encoding);
    for await (const part of encoder.write(chunk, layout)) {
      yield part;
      // It works on: signals come first.
      if (part === "") await setImmediate();
    }
  }
  if (encoder) yield* encoder.end();
}

/** A chunk with the layout of all of its output's rows. */
export interface LaidChunk {
  readonly chunk: Chunk;
  readonly layout: RowLayout;
}

/** The chunks of an output, at least one, with its columns, which are those of the first. @throws {ColumnsChanged} as above. */
export async function* layOutChunks(chunks: AsyncIterable<Chunk>, encoding: Encoding): AsyncGenerator<LaidChunk> {
  let { columns } = encoding;
  let header: string | undefined;
  const skipped: AnswerHead[] = [];
  const start = (layout: RowLayout) => {
    encoding.onColumns?.(layout.columns);
    return nameColumns(layout, encoding.format);
  };
  for await (const chunk of collectsAll(encoding) ? collect(chunks, columns) : chunks) {
    encoding.onChunk?.(chunk);
    if (header === undefined && isEmpty(chunk) && !encoding.format.collects) {
      skipped.push(...chunk.heads);
      continue;
    }
    columns = addColumns(columns, chunk.timeSeries);
    const layout = createLayout(encoding.layout, columns);
    header ??= start(layout);
    if (header !== nameColumns(layout, encoding.format))
      throw new ColumnsChanged(encoding.format.typed ? "columns, or types of columns," : "columns");
    yield { chunk: { ...chunk, heads: [...skipped.splice(0), ...chunk.heads] }, layout };
  }
  if (header !== undefined) return;
  const layout = createLayout(encoding.layout, columns);
  start(layout);
  yield { chunk: { heads: skipped, timeSeries: [] }, layout };
}

/** What must be the same in all of an output: the names of its columns, and their types where it has some. */
export function nameColumns({ columns }: Pick<RowLayout, "columns">, { typed }: Format): string {
  return JSON.stringify(columns.map(({ name, isBoolean }) => (typed ? [name, isBoolean] : name)));
}

/** Whether it needs the whole result at once: the columns of a pivot are known only then, unless all are known before. */
export function collectsAll({ format, layout, hasAllColumns }: Pick<Encoding, "format" | "layout" | "hasAllColumns">): boolean {
  return format.collects || (layout.pivot !== undefined && !hasAllColumns);
}

/** Encodes a table without time series, such as the list of metrics. */
export async function* encodeTable({ columns, rows }: Table, format: Format, options: FormatOptions): AsyncGenerator<Encoded> {
  const encoder = format.open({ columns, printStamp: printAsSent, zone: NETWORK_ZONE }, options);
  yield* encoder.write({ rows: () => rows });
  yield* encoder.end();
}

/** An encoder of chunks that are laid out. */
interface LaidEncoder extends Pick<Encoder, "end"> {
  readonly write: (chunk: Chunk, layout: RowLayout) => EncodedParts;
}

/** One output, or one file of it. */
export function openEncoder({ columns }: RowLayout, encoding: Encoding): LaidEncoder {
  const { format, formatOptions, printStamp, zone, provenance } = encoding;
  const encoder = format.open({ columns, printStamp, zone, provenance, join: encoding.layout.join }, formatOptions);
  return { write: (chunk, layout) => encoder.write(new ChunkBatch(chunk, layout, encoding)), end: () => encoder.end() };
}

function isEmpty({ timeSeries, unknown, incomplete }: Chunk): boolean {
  return !unknown && !incomplete && countPoints(timeSeries) === 0;
}

/** Joins all chunks, in canonical order. */
async function* collect(chunks: AsyncIterable<Chunk>, { requested }: KnownColumns): AsyncGenerator<Chunk> {
  const all = await joinChunks(chunks);
  yield { ...all, timeSeries: orderTimeSeries(all.timeSeries, requested) };
}
