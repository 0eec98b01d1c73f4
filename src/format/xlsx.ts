/** xlsx: dates as dates, numbers as numbers, and a second worksheet that says where they come from. */
import { EntsError } from "../base/errors.ts";
import { formatNumber } from "../base/phrases.ts";
import type { AnswerHead } from "../series/answer.ts";
import { findIntervalEnd } from "../series/layout/interval-end.ts";
import { cacheTimes, type TimedRow } from "../series/layout/rows.ts";
import type { Cell, Column, Row } from "../series/layout/layout.ts";
import { findSentOffset } from "../time/stamp.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import { toPlainText } from "./cells.ts";
import { type Batch, describeTexts, type Encoded, type Encoder, type Format, type Header } from "./format.ts";
import { type CellXml, encodeCell, encodeDate, encodeText, MAX_TEXT } from "./xlsx/cells.ts";
import { MAX_COLUMNS, MAX_ROWS } from "./xlsx/limits.ts";
import { findDateStyle, HEADING, NUMBER_HEADING } from "./xlsx/styles.ts";
import { Workbook, type Worksheet } from "./xlsx/workbook.ts";
import { toJsonText } from "../base/json.ts";
import { formatLocalTime } from "../time/local-time.ts";

export const xlsx: Format = {
  shape: "wide",
  collects: false,
  // Its cells of time are wall clocks.
  describe: (columns) => describeTexts(columns, "local"),
  open: openEncoder,
};

function openEncoder(header: Header): Encoder {
  const { columns, provenance } = header;
  if (columns.length > MAX_COLUMNS) throw tooMany(MAX_COLUMNS, "columns");
  const heads: AnswerHead[] = [];
  let workbook: Workbook | undefined;
  let rows = 0;
  return { write, end };

  async function* write(batch: Batch): AsyncGenerator<Encoded> {
    // Before anything is written: it may throw.
    const content = readBatch(batch, header);
    heads.push(...(batch.chunk?.heads ?? []));
    yield* start(content.samples);
    yield* (workbook as Workbook).write(count(content.rows));
  }

  async function* end(): AsyncGenerator<Encoded> {
    yield* start([]);
    yield* (workbook as Workbook).end(encodeSource(header, heads));
  }

  /** The worksheet with its header, if it is not there yet. */
  async function* start(samples: readonly Row[]): AsyncGenerator<Encoded> {
    if (workbook) return;
    workbook = new Workbook([{ name: "Data", widths: measureColumns(columns, samples) }, ...(provenance ? [SOURCE_SHEET] : [])]);
    yield* workbook.write([
      columns.map(({ name, kind, isNumber }) => encodeText(name, kind === "value" || isNumber ? NUMBER_HEADING : HEADING)),
    ]);
  }

  function* count<R>(all: Iterable<R>): Generator<R> {
    for (const row of all) {
      if (++rows > MAX_ROWS) throw tooMany(MAX_ROWS, "rows");
      yield row;
    }
  }
}

interface Content {
  readonly rows: Iterable<readonly CellXml[]>;
  /** Rows whose texts are as wide as any. */
  readonly samples: readonly Row[];
}

function readBatch(batch: Batch, { columns, zone }: Header): Content {
  if (!batch.timedRows) {
    const rows = [...batch.rows()];
    return { rows: rows.map((row) => row.map((cell, index) => encodeCell(cell, (columns[index] as Column).kind))), samples: rows };
  }
  const stamps = columns.filter(({ kind }) => kind === "stamp").map(() => null);
  return {
    rows: encodeTimedRows(batch.timedRows(), { zone, withEnd: stamps.length > 1 }),
    samples: (batch.placed ?? []).map(({ constants }) => [...stamps, ...constants]),
  };
}

function* encodeTimedRows(rows: Iterable<TimedRow>, { zone, withEnd }: { zone: Zone; withEnd: boolean }): Generator<CellXml[]> {
  const labels = new WeakMap<readonly Cell[], CellXml[]>();
  const toTimes = cacheTimes((row) => encodeTimes(row, zone, withEnd));
  for (const row of rows) {
    const { constants, values } = row;
    let texts = labels.get(constants);
    if (!texts) labels.set(constants, (texts = constants.map((cell) => encodeCell(cell, "text"))));
    yield [...toTimes(row), ...texts, ...values.map((cell) => encodeCell(cell, "value"))];
  }
}

function encodeTimes({ instant, stamp, networkOffset, interval }: TimedRow, zone: Zone, withEnd: boolean): CellXml[] {
  const encode = (time: number) => {
    const wallClock = zone.toWallClock(time, networkOffset ?? findSentOffset(stamp));
    return encodeDate(wallClock, findDateStyle(wallClock, interval));
  };
  if (!withEnd) return [encode(instant)];
  const end = findIntervalEnd(interval, instant, networkOffset);
  return [encode(instant), end === undefined ? "" : encode(end)];
}

/** In characters. */
const WIDTH = { stamp: 20, min: 10, max: 60, margin: 2 };

function measureColumns(columns: readonly Column[], samples: readonly Row[]): number[] {
  return columns.map(({ name, kind }, index) => {
    const longest = samples.reduce((most, row) => Math.max(most, toPlainText(row[index] ?? null, kind).length), name.length);
    return kind === "stamp" ? WIDTH.stamp : Math.min(WIDTH.max, Math.max(WIDTH.min, longest + WIDTH.margin));
  });
}

function tooMany(most: number, what: string): EntsError {
  return new EntsError("output", `the result has more than the ${formatNumber(most)} ${what} that xlsx holds`, {
    hint: "choose another format, such as csv",
  });
}

/** The worksheet that says where the data come from. */
const SOURCE_SHEET: Worksheet = { name: "Source", widths: [18, 100] };

/** Two columns: what, and its value; nothing without `provenance`. */
function encodeSource({ provenance, columns, zone }: Header, heads: readonly AnswerHead[]): CellXml[][] {
  if (!provenance) return [];
  const { service, command, version, query } = provenance;
  const { start, end } = query.window;
  // What has no data may be an answer of ents' own.
  const answers = heads.filter(({ hasData }) => hasData);
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["service", [service]],
    ["command", [command]],
    ["ents version", [version]],
    ["query", [`${query.command} ${query.network}`, ...query.parameters.map(({ name, values }) => `${name}: ${values.join(", ")}`)]],
    ["window", [`from ${describeTime(start)}`, `to ${describeTime(end)}`]],
    ["time zone", [nameZone(zone)]],
    ["units", listUnits(columns)],
    ["service version", [...new Set(answers.map((head) => readField(head, "version")))]],
    ["answers created", listEnds(answers.map((head) => readField(head, "created_at")))],
    ["requests", heads.flatMap(({ path }) => path ?? [])],
  ];
  return facts.flatMap(([name, values]) =>
    values.map((value, index) => [index === 0 ? encodeText(name, HEADING) : "", encodeText(value.slice(0, MAX_TEXT))]),
  );
}

function describeTime(local: number | undefined): string {
  return local === undefined ? "the service's default" : `${formatLocalTime(local)} (network time)`;
}

/** One alone that all values have, or each with its columns. */
function listUnits(columns: readonly Column[]): string[] {
  const units = new Map<string, string[]>();
  for (const { name, unit } of columns) if (unit) units.set(unit, [...(units.get(unit) ?? []), name]);
  const isOne = units.size === 1 && columns.every(({ kind, unit }) => kind !== "value" || unit);
  return isOne ? [...units.keys()] : Array.from(units, ([unit, names]) => `${unit}: ${names.join(", ")}`);
}

function readField({ envelope }: AnswerHead, name: string): string {
  const value = envelope[name] ?? null;
  return typeof value === "string" ? value : toJsonText(value);
}

/** The first and the last. */
function listEnds(stamps: readonly string[]): string[] {
  const sorted = [...new Set(stamps)].sort();
  return [...new Set([sorted[0], sorted.at(-1)])].filter((stamp) => stamp !== undefined);
}
