/** Other readers of parquet and arrow; their results are converted to one form. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { parquetMetadata, parquetReadObjects, type SchemaElement } from "hyparquet";
import type { Rows, Value } from "./cases.ts";

/** Reads a file with the JavaScript libraries. */
export async function readBytes(format: "parquet" | "arrow", bytes: Uint8Array): Promise<Rows> {
  return format === "parquet" ? readWithHyparquet(bytes) : readWithApacheArrow(bytes);
}

async function readWithHyparquet(bytes: Uint8Array): Promise<Rows> {
  const file = Uint8Array.from(bytes).buffer;
  const [, ...elements] = parquetMetadata(file).schema;
  const records = await parquetReadObjects({ file });
  return {
    types: Object.fromEntries(elements.map((element) => [element.name, nameParquetType(element)])),
    rows: records.map((record) => elements.map(({ name }) => toValue(record[name]))),
  };
}

function nameParquetType({ type, converted_type, logical_type }: SchemaElement): string {
  if (logical_type?.type === "TIMESTAMP" && logical_type.unit === "MICROS") {
    return logical_type.isAdjustedToUTC && converted_type === "TIMESTAMP_MICROS" ? "instant" : "wall-clock";
  }
  if (converted_type === "DATE" && logical_type?.type === "DATE") return "day";
  return { BYTE_ARRAY: "text", BOOLEAN: "boolean", DOUBLE: "number" }[String(type)] ?? String(type);
}

/** The key-value metadata of a file. */
export function readPackage(path: string): unknown {
  const bytes = readFileSync(path);
  const text = path.endsWith(".arrow")
    ? tableFromIPC(bytes).schema.metadata.get("datapackage")
    : parquetMetadata(Uint8Array.from(bytes).buffer).key_value_metadata?.find(({ key }) => key === "datapackage")
        ?.value;
  return JSON.parse(text ?? "null");
}

const ARROW_TYPES: Readonly<Record<string, string>> = {
  "Timestamp<MICROSECOND, UTC>": "instant",
  "Timestamp<MICROSECOND>": "wall-clock",
  "Dictionary<Int32, Utf8>": "text",
  "Date32<DAY>": "day",
  Bool: "boolean",
  Float64: "number",
};

function readWithApacheArrow(bytes: Uint8Array): Rows {
  const table = tableFromIPC(bytes);
  const columns = table.schema.fields.map((_, index) => table.getChildAt(index));
  return {
    types: Object.fromEntries(
      table.schema.fields.map(({ name, type }) => [name, ARROW_TYPES[String(type)] ?? String(type)]),
    ),
    rows: Array.from({ length: table.numRows }, (_, row) => columns.map((column) => toValue(column?.get(row)))),
  };
}

const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  "TIMESTAMP WITH TIME ZONE": "instant",
  TIMESTAMP: "wall-clock",
  VARCHAR: "text",
  DATE: "day",
  BOOLEAN: "boolean",
  DOUBLE: "number",
};

/** A folder with the packages chdb (ClickHouse as a library) and @duckdb/node-api. */
export const DATABASES = process.env["ENTS_TEST_DATABASES"];

function loadDatabase(name: string): unknown {
  return createRequire(import.meta.url)(join(DATABASES ?? "", name));
}

/** The parts of @duckdb/node-api that the tests use. */
interface Duckdb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckdbConnection> }> };
}

interface DuckdbConnection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

async function withDuckdb<T>(work: (connection: DuckdbConnection) => Promise<T>): Promise<T> {
  const { DuckDBInstance } = loadDatabase("@duckdb/node-api") as Duckdb;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}

/** The first row of a query, as numbers. */
export function askDuckdb(sql: string): Promise<number[]> {
  return withDuckdb(async (connection) => ((await connection.runAndReadAll(sql)).getRows()[0] ?? []).map(Number));
}

export function askClickhouse(sql: string): number[] {
  const { query } = loadDatabase("chdb") as Chdb;
  return query(sql, "TSV").trim().split("\t").map(Number);
}

export function readWithDuckdb(path: string): Promise<Rows> {
  return withDuckdb(async (connection) => {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`);
    const types = described
      .getRows()
      .map(([name, type]) => [String(name), DUCKDB_TYPES[String(type)] ?? String(type)] as const);
    const rows = (await connection.runAndReadAll(`SELECT * FROM '${path}'`)).getRows();
    return { types: Object.fromEntries(types), rows: rows.map((row) => row.map(fromDuckdb)) };
  });
}

/** DuckDB returns timestamps as objects. */
function fromDuckdb(value: unknown): Value {
  const isTime = typeof value === "object" && value !== null && "micros" in value;
  return isTime ? Number(value.micros) / 1000 : toValue(value);
}

/** ClickHouse has no type for wall clocks and reads them as instants in UTC. */
const CLICKHOUSE_TYPES: Readonly<Record<string, string>> = {
  "DateTime64(6, 'UTC')": "time",
  String: "text",
  Bool: "boolean",
  Float64: "number",
};

interface Chdb {
  readonly query: (sql: string, format: string) => string;
}

interface ClickhouseResult {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly unknown[])[];
}

export function readWithClickhouse(path: string): Rows {
  const { query } = loadDatabase("chdb") as Chdb;
  const { meta, data } = JSON.parse(query(`SELECT * FROM file('${path}', Parquet)`, "JSONCompact")) as ClickhouseResult;
  const types = meta.map(
    ({ name, type }) => [name, CLICKHOUSE_TYPES[/^Nullable\((.*)\)$/.exec(type)?.[1] ?? type] ?? type] as const,
  );
  const isTime = types.map(([, type]) => type === "time");
  const read = (value: unknown, index: number) =>
    isTime[index] && typeof value === "string" ? Date.parse(`${value.replace(" ", "T")}Z`) : toValue(value);
  return { types: Object.fromEntries(types), rows: data.map((row) => row.map(read)) };
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new TypeError(`a reader gave ${typeof value}`);
}
