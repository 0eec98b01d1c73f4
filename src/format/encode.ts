/** Encodes merged series in a format. */
import { setImmediate } from "node:timers/promises";
import type { DecodedHead } from "../series/decoded-response.ts";
import { countPoints } from "../series/overlap.ts";
import type { Gaps } from "../series/gaps.ts";
import { addColumns, type KnownColumns, startColumns } from "../series/layout/columns.ts";
import { createLayout } from "../series/layout/create-layout.ts";
import {
  type Column,
  type LayoutOptions,
  type PlacedSeries,
  type Row,
  type RowLayout,
  type Table,
} from "../series/layout/layout.ts";
import { walkRows, walkTimedRows } from "../series/layout/rows.ts";
import { type Chunk, joinChunks } from "../series/merge.ts";
import { orderTimeSeries } from "../series/order.ts";
import { printAsSent, type TimestampPrinter } from "../time/timestamp-printer.ts";
import { NETWORK_ZONE, type Zone } from "../time/zone.ts";
import type { Analysis } from "../series/analyses/analysis.ts";
import { dropFigures } from "../series/time-series.ts";
import { escapeLines } from "../base/terminal.ts";
import type { Batch, Encoded, EncodedParts, Encoder, Format, FormatOptions, Header, Provenance } from "./format.ts";

export interface Encoding {
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly layout: LayoutOptions;
  readonly printTimestamp: TimestampPrinter;
  readonly zone: Zone;
  readonly provenance?: Provenance | undefined;
  /** What is printed in place of all rows. */
  readonly analysis?: Analysis | undefined;
  /** Columns known before any series is received. */
  readonly columns: KnownColumns;
  readonly hasAllColumns?: boolean;
  /** Gaps known from the responses so far. */
  readonly gaps?: Pick<Gaps, "evidence"> | undefined;
  /** Called with the columns of the output, before the first of its chunks is encoded. */
  readonly onColumns?: ((columns: readonly Column[]) => void) | undefined;
  /** Called with what came, before an analysis makes something else of it. */
  readonly onChunk?: ((chunk: Chunk) => void) | undefined;
  /** Called with what is printed. */
  readonly onPrinted?: ((chunk: Chunk) => void) | undefined;
  /** Called with the number of rows written of each chunk; of pictures and json, points. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** A later chunk adds a column, or changes a column's type, after the header was written. */
export class ColumnsChanged extends Error {
  override readonly name = "ColumnsChanged";

  constructor(what = "columns") {
    super(`a later window has ${what} that earlier ones lack`);
  }
}

/**
 * Encodes chunks as one output with one header. The first series define the columns; the header is written with them.
 * @throws {EntsError} refused: series of an unknown shape or missing rows, except in json; {ColumnsChanged} a later
 * chunk has a new column.
 */
export async function* encodeChunks(chunks: AsyncIterable<Chunk>, encoding: Encoding): AsyncGenerator<Encoded> {
  let encoder: ReturnType<typeof openEncoder> | undefined;
  for await (const { chunk, layout } of layOutChunks(chunks, encoding)) {
    encoder ??= openEncoder(layout, encoding);
    for await (const part of encoder.write(chunk, layout)) {
      yield part;
      // An empty part: more work follows, but let pending signals be handled first.
      if (part === "") await setImmediate();
    }
  }
  if (encoder) yield* encoder.end();
}

/** Yields the chunks of an output, at least one, with the columns of the first. @throws {ColumnsChanged} as above. */
export async function* layOutChunks(
  chunks: AsyncIterable<Chunk>,
  encoding: Encoding,
): AsyncGenerator<{ readonly chunk: Chunk; readonly layout: RowLayout }> {
  const { format } = encoding;
  let { columns } = encoding;
  let header: string | undefined;
  const skipped: DecodedHead[] = [];
  const isWhole = collectsAll(encoding);
  const options = { join: encoding.layout.join, isWhole };
  const collected = observeChunks(isWhole ? collect(chunks, columns) : chunks, encoding.onChunk);
  for await (const chunk of encoding.analysis?.apply(collected, options) ?? collected) {
    encoding.onPrinted?.(chunk);
    if (header === undefined && isEmpty(chunk) && !format.collects) {
      skipped.push(...chunk.heads);
      // Nothing that came may be picked, but its columns are known.
      if (encoding.analysis) columns = addColumns(columns, chunk.timeSeries);
      continue;
    }
    columns = addColumns(columns, chunk.timeSeries);
    const layout = layOutChunk(chunk, encoding, columns);
    const names = identifyColumns(layout, format);
    if (header === undefined) encoding.onColumns?.(layout.columns);
    else if (header !== names) throw new ColumnsChanged(format.typed ? "columns, or types of columns," : "columns");
    header = names;
    yield { chunk: { ...chunk, heads: [...skipped.splice(0), ...chunk.heads] }, layout };
  }
  if (header !== undefined) return;
  const layout = createLayout(layoutOf(encoding), columns);
  encoding.onColumns?.(layout.columns);
  yield { chunk: { heads: skipped, timeSeries: [] }, layout };
}

async function* observeChunks(chunks: AsyncIterable<Chunk>, onChunk: Encoding["onChunk"]): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    onChunk?.({ ...chunk, timeSeries: dropFigures(chunk.timeSeries) });
    yield chunk;
  }
}

function layOutChunk({ analysis }: Chunk, encoding: Encoding, columns: KnownColumns): RowLayout {
  return analysis?.table
    ? { columns: analysis.table.columns, place: () => [] }
    : createLayout(layoutOf(encoding), columns);
}

/** What is read by people names the runs of forecasts once, not in each row. */
function layoutOf({ layout, format, printTimestamp, analysis }: Encoding): LayoutOptions {
  const { keys, figures = layout.figures } = analysis ?? {};
  const options = { ...layout, keys, figures };
  return format.describe && !keys ? { ...options, printRun: printTimestamp } : options;
}

/** Identifies columns that must stay the same throughout an output: by name, and by type if the format has types. */
function identifyColumns({ columns }: RowLayout, { typed }: Format): string {
  return JSON.stringify(columns.map(({ name, isBoolean }) => (typed ? [name, isBoolean] : name)));
}

/**
 * True if the complete result is needed at once: a pivot's columns are known only at the end, unless all are known
 * beforehand.
 */
export function collectsAll({
  format,
  layout,
  hasAllColumns,
}: Pick<Encoding, "format" | "layout" | "hasAllColumns">): boolean {
  return format.collects || (layout.pivot !== undefined && !hasAllColumns);
}

/** A table, whose rows may also come in parts. */
export type AnyTable = Pick<Table, "columns"> & { readonly rows: Iterable<Row> | AsyncIterable<readonly Row[]> };

export async function* encodeTable(
  { columns, rows }: AnyTable,
  format: Format,
  options: FormatOptions,
): AsyncGenerator<Encoded> {
  const encoder = openFormat(format, { columns, printTimestamp: printAsSent, zone: NETWORK_ZONE }, options);
  const parts = Symbol.asyncIterator in rows ? rows : [rows];
  const all: Row[] = [];
  for await (const some of parts) {
    if (!format.collects) yield* encoder.write({ rows: () => some });
    else for (const row of some) all.push(row);
  }
  if (format.collects) yield* encoder.write({ rows: () => all });
  yield* encoder.end();
}

/** Opens an encoder for one output, or for one file of it. */
export function openEncoder({ columns }: RowLayout, encoding: Encoding) {
  const { format, formatOptions, printTimestamp, zone, provenance } = encoding;
  const encoder = openFormat(
    format,
    { columns, printTimestamp, zone, provenance, join: encoding.layout.join },
    formatOptions,
  );
  return {
    write: (chunk: Chunk, layout: RowLayout) => encoder.write(createBatch(chunk, layout, encoding)),
    end: () => encoder.end(),
  };
}

/** A terminal gets no control characters but those of a format that styles its text. */
function openFormat(format: Format, header: Header, options: FormatOptions): Encoder {
  const encoder = format.open(header, options);
  if (!options.screen.isTerminal || format.styled) return encoder;
  return { write: (batch) => escapeParts(encoder.write(batch)), end: () => escapeParts(encoder.end()) };
}

async function* escapeParts(parts: EncodedParts): AsyncGenerator<string> {
  for await (const part of parts) yield escapeLines(typeof part === "string" ? part : Buffer.from(part).toString());
}

/** Converts merged series to rows of a format; the rows are laid out on first use. */
function createBatch(chunk: Chunk, layout: RowLayout, encoding: Encoding): Batch {
  const { timeSeries } = chunk;
  const { columns: known, printTimestamp, onRows } = encoding;
  let placed: readonly PlacedSeries[] | undefined;
  const place = () => {
    const problem = chunk.unknown?.problem ?? chunk.incomplete;
    if (problem) throw problem;
    placed ??= layout.place(timeSeries);
    return placed;
  };
  const { table } = chunk.analysis ?? {};
  if (table) return { chunk, onRows, rows: () => countEach(table.rows, onRows) };
  return {
    chunk,
    onRows,
    keys: layout.keys,
    get placed() {
      return place();
    },
    rows: () => walkRows(layout, place(), { printTimestamp, onRows }),
    ...(layout.keys ? {} : { timedRows: () => walkTimedRows(layout, place(), onRows) }),
    pivot: (label, metric) => {
      const own = metric === undefined ? timeSeries : timeSeries.filter((item) => item.metric === metric);
      const requested = metric === undefined ? known.requested : [metric];
      const columns = addColumns(startColumns(requested, { ...known, pivot: label }), own);
      const pivoted = createLayout({ ...layoutOf(encoding), pivot: label, printRun: undefined }, columns);
      return { ...pivoted, placed: pivoted.place(own) };
    },
  };
}

function* countEach(rows: Iterable<Row>, onRows: Encoding["onRows"]): Generator<Row> {
  let count = 0;
  for (const row of rows) {
    count++;
    yield row;
  }
  onRows?.(count);
}

export function isEmpty({ timeSeries, unknown, incomplete, analysis }: Chunk): boolean {
  return !unknown && !incomplete && !analysis?.table && countPoints(timeSeries) === 0;
}

async function* collect(chunks: AsyncIterable<Chunk>, { requested }: KnownColumns): AsyncGenerator<Chunk> {
  const all = await joinChunks(chunks);
  yield { ...all, timeSeries: orderTimeSeries(all.timeSeries, requested) };
}
