/** The rows that the design asks for, made in the simplest way, and how an output differs from them. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "csv-parse/sync";
import { digitsOf, parsePlain, type Plain, type PlainObject, type PlainPoint, type Reading } from "./read-plainly.ts";

export interface PlainOutput {
  readonly format: "csv" | "tsv" | "ndjson" | "json";
  readonly shape: "long" | "wide";
  /** A label whose values are columns. */
  readonly pivot?: string | undefined;
  readonly zone: "network" | "utc";
  /** The requested metrics. */
  readonly metrics: readonly string[];
}

/** What is wrong with an output; undefined if nothing is. */
export function findFault(text: string, reading: Reading, output: PlainOutput): string | undefined {
  if (output.format === "json") return findJsonFault(text, reading, output);
  if (reading.points === undefined) return undefined;
  const table = readTable(text, output);
  if (typeof table === "string") return table;
  if (reading.points.length === 0) return table.rows.length > 0 ? `rows out of nothing: ${shorten(text)}` : undefined;
  const isVague = reading.vague === true || isAmbiguous(reading.points, output);
  if (isVague && output.shape === "wide") return undefined;
  return compareRows(table, makeRows(reading.points, table.columns, output), { isVague, output });
}

/** Why a reader of the format cannot read an output; undefined if it can. */
export function findSyntaxFault(text: string, output: PlainOutput): string | undefined {
  if (output.format === "json") return findJsonFault(text, ANYTHING, output);
  const table = readTable(text, output);
  return typeof table === "string" ? table : undefined;
}

const ANYTHING: Reading = { rows: [], json: [] };

/** Whether points of one row have timestamps in several spellings. */
function isAmbiguous(points: readonly PlainPoint[], { shape, zone }: PlainOutput): boolean {
  const timestamps = new Map(points.map(({ instant, timestamp }) => [instant, timestamp]));
  return (
    shape === "wide" &&
    zone === "network" &&
    points.some(({ instant, timestamp }) => timestamps.get(instant) !== timestamp)
  );
}

interface PlainTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Plain[])[];
}

function readTable(text: string, { format }: PlainOutput): PlainTable | string {
  try {
    const table = format === "ndjson" ? readNdjson(text) : readDelimited(text, format === "csv" ? "," : "\t");
    if (format !== "ndjson" && table.columns[0] !== "timestamp") return `no header: ${shorten(text)}`;
    return new Set(table.columns).size < table.columns.length ? `a column twice: ${table.columns.join()}` : table;
  } catch (error) {
    return `unreadable: ${String(error)}: ${shorten(text)}`;
  }
}

function readDelimited(text: string, delimiter: string): PlainTable {
  const [columns = [], ...rows] = parse(text, { delimiter, record_delimiter: "\n" });
  return { columns, rows };
}

function readNdjson(text: string): PlainTable {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the last line has no end");
  const records = lines.map((line) => {
    const record = parsePlain(line) as PlainObject;
    const written = line.match(/"(?:[^"\\]|\\.)*"(?=:)/gs)?.length;
    if (written !== Object.keys(record).length) throw new Error("a key twice");
    return record;
  });
  const columns = Object.keys(records[0] ?? {});
  if (!records.every((record) => isDeepStrictEqual(Object.keys(record), columns)))
    throw new Error("columns that change");
  return { columns, rows: records.map((record) => Object.values(record)) };
}

const GIVEN = ["timestamp", "network", "metric", "unit", "value"];

const SUFFIXED_TWICE = new RegExp(`^'?(${GIVEN.join("|")})(_label){2,}$`);

interface ExpectedRows {
  readonly rows: readonly (readonly Plain[])[];
  readonly columns: readonly string[];
  readonly isOrdered: boolean;
}

interface Named {
  readonly point: PlainPoint;
  /** As printed; empty if that cannot be known. */
  readonly timestamp: string;
  /** The labels by the names of their columns. */
  readonly labels: ReadonlyMap<string, Plain>;
}

function makeRows(points: readonly PlainPoint[], columns: readonly string[], output: PlainOutput): ExpectedRows {
  const named = points.map((point): Named => {
    const others = Object.entries(point.labels).filter(([name]) => name !== output.pivot);
    const labels = others.map(([name, label]) => [nameColumn(name, output), label] as const);
    return { point, timestamp: printTimestamp(point, output), labels: new Map(labels) };
  });
  const labelColumns = [...new Set(named.flatMap(({ labels }) => [...labels.keys()]))];
  // In the order of the output, which is the service's; a JSON parser reorders numeric names.
  const inOrder = [
    ...columns.filter((name) => labelColumns.includes(name)),
    ...labelColumns.filter((name) => !columns.includes(name)),
  ];
  const metrics = listMetrics(points, output.metrics);
  const compareLabels = (a: Named, b: Named) =>
    firstOf(inOrder.map((name) => compareLabel(a.labels.get(name), b.labels.get(name))));
  const sorted = named.toSorted((a, b) => {
    const byMetric = metrics.indexOf(a.point.metric) - metrics.indexOf(b.point.metric);
    return firstOf([
      a.point.instant - b.point.instant,
      output.shape === "long" ? byMetric : 0,
      compareLabels(a, b),
      byMetric,
    ]);
  });
  const isOrdered =
    !isMixed(named) && (output.shape === "long" || new Set(points.map(({ network }) => network)).size === 1);
  if (output.shape === "long") return makeLong(sorted, inOrder, isOrdered);
  return makeWide(sorted, {
    labels: inOrder,
    cells: listCells(points, columns, { ...output, metrics }),
    isOrdered,
    output,
  });
}

function makeLong(sorted: readonly Named[], labels: readonly string[], isOrdered: boolean): ExpectedRows {
  const rows = sorted.map(({ point, timestamp, labels: own }) => {
    const { network, metric, unit, value } = point;
    return [timestamp, network, metric, unit, ...labels.map((name) => own.get(name) ?? null), value];
  });
  return { columns: ["timestamp", "network", "metric", "unit", ...labels, "value"], rows, isOrdered };
}

/** A value column, and the points that belong in it. */
interface WideCell {
  readonly name: string;
  readonly metric: string;
  readonly value: string | undefined;
}

function listCells(
  points: readonly PlainPoint[],
  columns: readonly string[],
  { metrics, pivot, ...output }: PlainOutput,
): WideCell[] {
  if (pivot === undefined)
    return metrics.map((metric) => ({ name: escapeName(metric, { ...output, metrics }), metric, value: undefined }));
  const values = [...new Set(points.map((point) => pivotedValue(point, pivot)))];
  const cells = (own: (metric: string) => string) =>
    metrics.flatMap((metric) =>
      values.map((value) => ({
        name: escapeName(own(metric) + nameValue(value), { ...output, metrics }),
        metric,
        value,
      })),
    );
  // A metric without points may still have columns.
  const named = cells(() => "");
  return metrics.length === 1 && named.every(({ name }) => columns.includes(name))
    ? named
    : cells((metric) => `${metric}_`);
}

/** As JSON text: a number as its digits, text in quotes. */
function pivotedValue({ labels }: PlainPoint, pivot: string): string {
  const value = Object.hasOwn(labels, pivot) ? (labels[pivot] as Plain) : null;
  return digitsOf(value) ?? JSON.stringify(value);
}

function nameValue(value: string): string {
  if (value === "null") return "(none)";
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}

interface Wide {
  readonly labels: readonly string[];
  readonly cells: readonly WideCell[];
  readonly isOrdered: boolean;
  readonly output: PlainOutput;
}

/** One row per timestamp and labels; a second value for the same cell gets a row of its own. */
function makeWide(sorted: readonly Named[], { labels, cells, isOrdered, output }: Wide): ExpectedRows {
  const rows: Plain[][] = [];
  const groups = new Map<string, Plain[][]>();
  for (const { point, timestamp, labels: own } of sorted) {
    const head = [point.network, ...labels.map((name) => own.get(name) ?? null)];
    const key = JSON.stringify([point.instant, head]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const value = output.pivot === undefined ? undefined : pivotedValue(point, output.pivot);
    const cell = cells.findIndex((one) => one.metric === point.metric && one.value === value);
    let row = group.find((one) => one[1 + head.length + cell] === undefined);
    if (!row) {
      row = [timestamp, ...head];
      group.push(row);
    }
    row[1 + head.length + cell] = point.value;
  }
  for (const group of groups.values())
    for (const row of group)
      rows.push(Array.from({ length: 1 + 1 + labels.length + cells.length }, (_, index) => row[index] ?? null));
  return { columns: ["timestamp", "network", ...labels, ...cells.map(({ name }) => name)], rows, isOrdered };
}

/** In the order asked, then others by name. */
function listMetrics(points: readonly PlainPoint[], asked: readonly string[]): string[] {
  return [...new Set([...asked, ...points.map(({ metric }) => metric).toSorted(compareText)])];
}

function nameColumn(label: string, output: PlainOutput): string {
  return escapeName(GIVEN.includes(label) ? `${label}_label` : label, output);
}

/** Formulas in headers are disarmed like other text. */
function escapeName(name: string, { format }: PlainOutput): string {
  return format === "ndjson" ? name : escapeFormula(name);
}

interface Comparison {
  readonly isVague: boolean;
  readonly output: PlainOutput;
}

function compareRows(table: PlainTable, expected: ExpectedRows, { isVague, output }: Comparison): string | undefined {
  // If two labels need the suffix, either may get it, and one of them may be of a series without points, or clash with
  // a metric.
  const isSuffixed = (name: string) =>
    SUFFIXED_TWICE.test(name) || table.columns.some((other) => !GIVEN.includes(other) && `${other}_label` === name);
  // Likewise for a pivoted value with the name of another column.
  const isPrefixed = (name: string) =>
    output.pivot !== undefined && name.replace(/^'/, "").startsWith(`${output.pivot}_`);
  if (
    table.columns.some((name) => isSuffixed(name) || isPrefixed(name)) ||
    new Set(expected.columns).size < expected.columns.length
  ) {
    return table.rows.length < expected.rows.length
      ? `${table.rows.length} rows for ${expected.rows.length}`
      : undefined;
  }
  const missing = expected.columns.filter((name) => !table.columns.includes(name));
  if (missing.length > 0) return `no column ${missing.join()} in ${table.columns.join()}`;
  const isEmpty = (cell: Plain | undefined) => cell === null || cell === "";
  const surplus = table.columns.filter(
    (name, index) => !expected.columns.includes(name) && !table.rows.every((row) => isEmpty(row[index])),
  );
  if (surplus.length > 0) return `a column too many: ${surplus.join()}`;
  const places = expected.columns.map((name) => table.columns.indexOf(name));
  const isGuess = (index: number) => isVague && expected.columns[index] === "timestamp";
  const came = table.rows.map((row) =>
    keyOf(places.map((place, index) => (isGuess(index) ? "" : (row[place] as Plain)))),
  );
  const due = expected.rows.map((row) =>
    keyOf(row.map((cell, index) => (isGuess(index) ? "" : printCell(cell, output)))),
  );
  const inOrder = expected.isOrdered && !isVague;
  const [one, other] = inOrder ? [came, due] : [came.toSorted(compareText), due.toSorted(compareText)];
  const at = other.findIndex((row, index) => row !== one[index]);
  if (at >= 0) return `row ${at} should be ${shorten(other[at] ?? "")}, is ${shorten(one[at] ?? "nothing")}`;
  return one.length > other.length ? `a row too many: ${shorten(one[other.length] ?? "")}` : undefined;
}

function printTimestamp({ timestamp, instant }: PlainPoint, { zone }: PlainOutput): string {
  if (zone === "network" || Number.isNaN(instant)) return timestamp;
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** A cell as a reader of the format finds it. */
function printCell(cell: Plain, { format }: PlainOutput): Plain {
  if (format === "ndjson") return cell;
  if (cell === null) return "";
  return digitsOf(cell) ?? (typeof cell === "string" ? escapeFormula(cell) : JSON.stringify(cell));
}

/** A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. */
function escapeFormula(text: string): string {
  const whole = Buffer.from(text).toString("utf8");
  return /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(whole) ? `'${whole}` : whole;
}

function keyOf(cells: readonly Plain[]): string {
  return JSON.stringify(cells);
}

function findJsonFault(text: string, { body, points, vague }: Reading, { metrics }: PlainOutput): string | undefined {
  let printed: PlainObject;
  try {
    JSON.parse(text);
    printed = parsePlain(text) as PlainObject;
  } catch (error) {
    return `no JSON: ${String(error)}: ${shorten(text)}`;
  }
  if (body === undefined) return undefined;
  const whole = { created_at: null, success: true, error: null, total_records: null, ...body };
  const data = printed["data"];
  for (const name of Object.keys(whole)) {
    if (name !== "data" && !isDeepStrictEqual(printed[name], whole[name as keyof typeof whole]))
      return `the field ${name} is ${shorten(JSON.stringify(printed[name]))}`;
  }
  const raw = body["data"] as readonly PlainObject[];
  if (isDeepStrictEqual(data, raw)) return undefined;
  if (points === undefined) return `data is not as it came: ${shorten(JSON.stringify(data))}`;
  return isDeepStrictEqual(sortAll(data as readonly PlainObject[], metrics), sortAll(raw, metrics)) || vague
    ? undefined
    : `data differs: ${shorten(JSON.stringify(data))}`;
}

/**
 * Sorts TimeSeries, series and points, as the service may send them in any order; the rows show which order is right.
 */
function sortAll(data: readonly PlainObject[], metrics: readonly string[]): unknown {
  const sortTexts = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted(compareText);
  const items = data.map((item) => {
    const results = item["results"] as readonly PlainObject[];
    return {
      ...item,
      results: sortTexts(results.map((one) => ({ ...one, data: sortTexts(one["data"] as readonly Plain[]) }))),
    };
  });
  return [metrics.length, ...sortTexts(items)];
}

/** Missing, false, true, text; the order of other types is not defined. */
function compareLabel(a: Plain = null, b: Plain = null): number {
  const rank = (label: Plain) => (label === null ? 0 : typeof label === "boolean" ? 1 + Number(label) : 3);
  if (rank(a) !== rank(b) || typeof a !== "string" || typeof b !== "string") return rank(a) - rank(b);
  return compareText(a, b);
}

function isMixed(named: readonly Named[]): boolean {
  return named.some(({ labels }) =>
    [...labels].some(([name, label]) => digitsOf(label) !== undefined || /^\d+$/.test(name)),
  );
}

function firstOf(orders: readonly number[]): number {
  return orders.find((order) => order !== 0 && !Number.isNaN(order)) ?? 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
