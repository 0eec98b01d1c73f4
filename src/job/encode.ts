/** From answers to text, by the output's format. */
import { EntsError } from "../base/errors.ts";
import { mergeWindows } from "../series/merge.ts";
import { type FetchedWindow, readWindows } from "../source/windows.ts";
import type { EnvelopeFormat, RowEncoder, RowFormat } from "../format/format.ts";
import type { Query } from "../query/query.ts";
import { layOutLong, toLongTable } from "../series/layout/long.ts";
import type { RowOptions, Table } from "../series/layout/table.ts";
import { toWideTable } from "../series/layout/wide.ts";
import { type Envelope, joinEnvelopes } from "../decode/envelope.ts";
import { joinTimeSeries } from "../series/join.ts";
import { listLabelLists, listMetrics, orderLabelNames, orderTimeSeries } from "../series/order.ts";
import { countPoints } from "../series/settle.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { type Output, printOutput } from "./output.ts";

export interface Encoding {
  readonly query: Query;
  readonly output: Output;
  /** What is known of the columns before any series is. */
  readonly columns: KnownColumns;
  readonly warn: (text: string) => void;
  /** Told how many points go on; of answers that are written as they came, how many items. */
  readonly count: (points: number) => void;
}

/** What decides the columns of rows. */
export interface KnownColumns {
  /** The label names of series, list by list. */
  readonly labelLists: readonly (readonly string[])[];
  /** As asked, then those that came unasked. */
  readonly metrics: readonly string[];
}

/** Series brought a column that the header, already written, does not have. */
export class ColumnsChanged extends Error {
  override readonly name = "ColumnsChanged";
  readonly columns: KnownColumns;

  constructor(columns: KnownColumns) {
    super("a later window brings columns that the earlier ones do not have");
    this.columns = columns;
  }
}

/** @throws {EntsError} refused: TimeSeries whose shape is not known, where it must be; {ColumnsChanged} as it says. */
export async function* encodeWindows(windows: AsyncIterable<FetchedWindow>, encoding: Encoding): AsyncGenerator<string | Uint8Array> {
  const { format } = encoding.output;
  if (format.takes === "envelope") yield* encodeEnvelope(windows, format, encoding);
  else if (format.streams) yield* streamRows(mergeFetched(windows, encoding), format, encoding);
  else yield* printOutput(toTable(await mergeAll(windows, encoding), encoding), encoding.output);
}

async function* mergeFetched(windows: AsyncIterable<FetchedWindow>, { warn, count }: Encoding): AsyncGenerator<TimeSeries[]> {
  for await (const piece of mergeWindows(readWindows(windows), warn)) {
    count(countPoints(piece));
    yield piece;
  }
}

/** The header waits for the first series: until then nobody knows the columns. */
async function* streamRows(
  pieces: AsyncIterable<TimeSeries[]>,
  format: RowFormat,
  encoding: Encoding,
): AsyncGenerator<string | Uint8Array> {
  let known = encoding.columns;
  let open: { encoder: RowEncoder; header: string } | undefined;
  for await (const piece of pieces) {
    if (!open && countPoints(piece) === 0) continue;
    known = learnColumns(piece, known);
    const now = { ...encoding, columns: known };
    const { columns, rows } = toTable(piece, now);
    const header = JSON.stringify(columns.map(({ name }) => name));
    if (!open) {
      open = { encoder: format.open(columns, encoding.output.formatOptions), header };
      yield open.encoder.head();
    }
    if (open.header !== header) throw new ColumnsChanged(known);
    yield* copyPoints(piece, open.encoder, now) ?? open.encoder.body(rows);
  }
  if (open) yield* open.encoder.tail();
  else yield* printOutput(toTable([], encoding), encoding.output);
}

function learnColumns(piece: readonly TimeSeries[], { labelLists, metrics }: KnownColumns): KnownColumns {
  return { labelLists: listLabelLists(piece, labelLists), metrics: listMetrics(piece, metrics) };
}

function toTable(timeSeries: readonly TimeSeries[], encoding: Encoding): Table {
  const options = chooseRows(timeSeries, encoding);
  return encoding.output.shape === "wide" ? toWideTable(timeSeries, options) : toLongTable(timeSeries, options);
}

/** The fast way to the same lines, where there is one. */
function copyPoints(timeSeries: readonly TimeSeries[], encoder: RowEncoder, encoding: Encoding): Iterable<Uint8Array> | undefined {
  if (encoding.output.shape === "wide" || !encoder.points) return undefined;
  const options = chooseRows(timeSeries, encoding);
  return encoder.points(layOutLong(timeSeries, options).series, options.printStamp);
}

function chooseRows(timeSeries: readonly TimeSeries[], { output, columns, query }: Encoding): RowOptions {
  const labels = orderLabelNames(listLabelLists(timeSeries, columns.labelLists));
  const unasked = columns.metrics.filter((name) => !query.metrics.includes(name)).sort();
  return { metrics: [...query.metrics, ...unasked], labels, printStamp: output.printStamp };
}

async function* encodeEnvelope(windows: AsyncIterable<FetchedWindow>, format: EnvelopeFormat, encoding: Encoding): AsyncGenerator<string> {
  const fetched: FetchedWindow[] = [];
  for await (const window of windows) fetched.push(window);
  const envelopes = fetched.flatMap((window) => window.envelopes);
  const timeSeries = await mergeAll(toAsync(fetched), encoding).catch((error: unknown) => {
    // One answer is written as it came where the shape of its TimeSeries is not known.
    if (error instanceof EntsError && envelopes.length === 1) return undefined;
    throw error;
  });
  const { metrics } = encoding.query;
  const { printStamp } = encoding.output;
  if (timeSeries) yield* format.encode(joinEnvelopes(envelopes), orderTimeSeries(timeSeries, metrics), printStamp);
  else yield* encodeUnknown(envelopes[0] as Envelope, format, encoding);
}

function* encodeUnknown(envelope: Envelope, format: EnvelopeFormat, { count, output }: Encoding): Generator<string> {
  const { data, fields } = envelope.plain?.() ?? envelope;
  count(data.length);
  yield* format.encode({ data, fields }, undefined, output.printStamp);
}

async function mergeAll(windows: AsyncIterable<FetchedWindow>, encoding: Encoding): Promise<TimeSeries[]> {
  const pieces: TimeSeries[][] = [];
  for await (const piece of mergeFetched(windows, encoding)) pieces.push(piece);
  return joinTimeSeries(pieces);
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
