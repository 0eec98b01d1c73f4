/** xlsx: dates as dates, numbers as numbers, and a second worksheet with the source of the data. */
import type { TimedRow } from "../../series/layout/rows.ts";
import type { Cell, Column, Row } from "../../series/layout/layout.ts";
import { hasNames, nameCode } from "../../base/code-names.ts";
import { nameZone } from "../../time/zone.ts";
import { createTimeReader, toPlainText } from "../cells.ts";
import { ResponseLog } from "../datapackage.ts";
import { type Batch, describeTexts, type Encoder, type Format, type FormatOptions, type Header } from "../format.ts";
import {
  type CellXml,
  encodeCell,
  encodeDate,
  encodeText,
  MAX_CELL_TEXT,
  findDateStyle,
  HEADING,
  NUMBER_HEADING,
} from "./cells.ts";
import { MAX_COLUMNS } from "./limits.ts";
import { tooMany, Workbook, type Worksheet } from "./workbook.ts";
import { type Json, type JsonObject, toJsonText } from "../../base/json.ts";
import { formatLocalTime } from "../../time/local-time.ts";
import { findSentOffset, parseTimestamp } from "../../time/timestamp.ts";

export const xlsx: Format = {
  collects: false,
  // Its time cells are wall-clock times.
  describe: (columns, { timeFormat = "local", ...options }) =>
    describeTexts(addNameColumns(columns, options), { timeFormat }).map((field) => ({
      ...field,
      heading: sheetTitleOf(field, options),
    })),
  open: openWorkbook,
};

type SheetNaming = Pick<FormatOptions, "rawNames" | "pivot">;

const NAME_END = "_name";

/** Puts a column of names after each column of codes that have some: `region_name`. */
function addNameColumns(columns: readonly Column[], { rawNames }: SheetNaming): readonly Column[] {
  if (rawNames) return columns;
  return columns.flatMap((column) => {
    const name = column.name + NAME_END;
    const isNamed =
      column.kind === "text" &&
      !column.isBoolean &&
      hasNames(column.name) &&
      columns.every((other) => other.name !== name);
    return isNamed ? [column, { name, kind: "text" as const }] : [column];
  });
}

/** `price ($/MWh)`; of a pivot, `NSW1, New South Wales ($/MWh)`. */
function sheetTitleOf({ name, unit }: Pick<Column, "name" | "unit">, { rawNames, pivot }: SheetNaming): string {
  const meaning = rawNames || pivot === undefined ? undefined : nameCode(pivot, name);
  return `${name}${meaning === undefined ? "" : `, ${meaning}`}${unit ? ` (${unit})` : ""}`;
}

function openWorkbook(header: Header, options: FormatOptions): Encoder {
  const { provenance } = header;
  const columns = addNameColumns(header.columns, options);
  if (columns.length > MAX_COLUMNS) throw tooMany(MAX_COLUMNS, "columns");
  const titles = columns.map((column) => sheetTitleOf(column, options));
  const headings = columns.map(({ kind, isNumber }, index) =>
    encodeText(titles[index] as string, kind === "value" || isNumber ? NUMBER_HEADING : HEADING),
  );
  const responses = new ResponseLog();
  let workbook: Workbook | undefined;
  const open = (samples: readonly Row[]) => {
    const sheet = { name: "Data", widths: measureColumns(columns, titles, samples) };
    return (workbook ??= new Workbook([sheet, ...(provenance ? [SOURCE_SHEET] : [])], headings));
  };
  return {
    write: (batch) => {
      const { rows, samples } = readBatch(batch, header, { ...options, columns });
      responses.add(batch.chunk?.heads ?? []);
      return open(samples).write(rows);
    },
    end: () => open([]).end(encodeSource(header, responses.list())),
  };
}

interface Sheet extends Pick<FormatOptions, "timeFormat"> {
  /** Those of the rows, and the columns of names. */
  readonly columns: readonly Column[];
}

/** Reads the rows of a batch, and samples with its widest texts, which determine the column widths. */
function readBatch(
  batch: Batch,
  header: Header,
  sheet: Sheet,
): { readonly rows: Iterable<readonly CellXml[]>; readonly samples: readonly Row[] } {
  const { columns } = header;
  if (!batch.timedRows) {
    const rows = Array.from(batch.rows(), (row) => row.flatMap(fillNameColumns(columns, sheet)));
    return {
      rows: rows.map((row) => row.map((cell, index) => encodeConstant(cell, sheet.columns[index], header))),
      samples: rows,
    };
  }
  const timestamps = columns.filter(({ kind }) => kind === "timestamp").map(() => null);
  const samples = (batch.placed ?? []).map(({ constants }) => [
    ...timestamps,
    ...constants.flatMap(fillNameColumns(constantsOf(header), sheet)),
  ]);
  return { rows: encodeTimedRows(batch.timedRows(), header, sheet), samples };
}

/** Returns a constant, with its name where the sheet has a column of names. */
function fillNameColumns(columns: readonly Column[], sheet: Sheet): (cell: Cell, index: number) => Cell[] {
  const added = new Set(
    sheet.columns
      .filter(({ name }) => name.endsWith(NAME_END) && !columns.some((column) => column.name === name))
      .map(({ name }) => name),
  );
  return (cell, index) => {
    const label = columns[index]?.name ?? "";
    return added.has(label + NAME_END) ? [cell, nameCode(label, toPlainText(cell, "text")) ?? null] : [cell];
  };
}

function* encodeTimedRows(rows: Iterable<TimedRow>, header: Header, sheet: Sheet): Generator<CellXml[]> {
  const labels = new WeakMap<readonly Cell[], CellXml[]>();
  const others = sheet.columns.filter(({ kind }) => kind !== "timestamp");
  const withNames = fillNameColumns(constantsOf(header), sheet);
  const encodeTime = (instant: number, wallClock: number, row: TimedRow) =>
    sheet.timeFormat === "name" && instant === row.instant
      ? encodeText(header.printTimestamp(row.timestamp, instant, row.networkOffset))
      : encodeDate(wallClock, findDateStyle(wallClock, row.interval));
  const readTimes = createTimeReader(header, encodeTime, "");
  for (const row of rows) {
    const { constants, values } = row;
    let texts = labels.get(constants);
    if (!texts)
      labels.set(
        constants,
        (texts = constants.flatMap(withNames).map((cell, index) => encodeConstant(cell, others[index], header))),
      );
    yield [...readTimes(row), ...texts, ...values.map((cell) => encodeCell(cell, "value"))];
  }
}

function constantsOf({ columns }: Header): Column[] {
  return columns.filter(({ kind }) => kind !== "timestamp");
}

function encodeConstant(cell: Cell, column: Column | undefined, { zone }: Header): CellXml {
  if (column?.isDate && typeof cell === "string") return encodeDate(Date.parse(cell), findDateStyle(0, "1d"));
  const instant = column?.isTimestamp && typeof cell === "string" ? parseTimestamp(cell, "Z") : undefined;
  if (instant === undefined) return encodeCell(cell, column?.kind ?? "text");
  const wallClock = zone.toWallClock(instant, findSentOffset(cell as string));
  return encodeDate(wallClock, findDateStyle(wallClock, undefined));
}

/** In characters. */
const WIDTH = { timestamp: 20, min: 10, max: 60, margin: 2 };

function measureColumns(columns: readonly Column[], titles: readonly string[], samples: readonly Row[]): number[] {
  return columns.map(({ kind, isTimestamp }, index) => {
    // Beside the button of the filter.
    const heading = (titles[index]?.length ?? 0) + WIDTH.margin;
    const longest = samples.reduce(
      (most, row) => Math.max(most, toPlainText(row[index] ?? null, kind).length),
      heading,
    );
    return kind === "timestamp" || isTimestamp
      ? WIDTH.timestamp
      : Math.min(WIDTH.max, Math.max(WIDTH.min, longest + WIDTH.margin));
  });
}

const SOURCE_SHEET: Worksheet = { name: "Source", widths: [18, 100] };

/** Rows of name and value that describe the source; none without `provenance`. `requests`: from `ResponseLog`. */
function encodeSource({ provenance, columns, zone }: Header, requests: readonly JsonObject[]): CellXml[][] {
  if (!provenance) return [];
  const { service, command, version, query } = provenance;
  const { start, end } = query.window;
  const listField = (name: string) =>
    [...new Set(requests.flatMap((request) => (name in request ? toCellText(request[name] ?? null) : [])))].sort();
  const created = listField("created_at");
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["service", [service]],
    ["command", [command]],
    ["ents version", [version]],
    [
      "query",
      [
        `${query.command} ${query.network}`,
        ...query.parameters.map(({ name, values }) => `${name}: ${values.join(", ")}`),
      ],
    ],
    ["window", [`from ${describeWindowEdge(start)}`, `to ${describeWindowEdge(end)}`]],
    ["time zone", [nameZone(zone)]],
    ["units", describeUnits(columns)],
    ["service version", listField("version")],
    ["answers created", [...new Set([...created.slice(0, 1), ...created.slice(-1)])]],
    ["requests", requests.flatMap(({ path }) => (path === undefined ? [] : toCellText(path)))],
  ];
  return facts.flatMap(([name, values]) =>
    values.map((value, index) => [
      index === 0 ? encodeText(name, HEADING) : "",
      encodeText(value.slice(0, MAX_CELL_TEXT)),
    ]),
  );
}

function describeWindowEdge(local: number | undefined): string {
  return local === undefined ? "the service's default" : `${formatLocalTime(local)} (network time)`;
}

/** The unit shared by all values, or each unit with its columns. */
function describeUnits(columns: readonly Column[]): string[] {
  const units = new Map<string, string[]>();
  for (const { name, unit } of columns) if (unit) units.set(unit, [...(units.get(unit) ?? []), name]);
  const isOne = units.size === 1 && columns.every(({ kind, unit }) => kind !== "value" || unit);
  return isOne ? [...units.keys()] : Array.from(units, ([unit, names]) => `${unit}: ${names.join(", ")}`);
}

function toCellText(value: Json): string {
  return typeof value === "string" ? value : toJsonText(value);
}
