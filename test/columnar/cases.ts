/**
 * Exports to parquet and arrow, each with the expected column types; the rows must be those of the CSV of the same
 * request.
 */
import { parse as parseCsv } from "csv-parse/sync";
import type { ColumnType } from "../../src/format/columnar/columns.ts";
import { envelope, HOUR, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { FACILITIES } from "../facilities/unit-service.ts";
import { type Answer, type ReceivedRequest, type Script, startService } from "../support/scripted-service.ts";

export interface Case {
  readonly name: string;
  readonly args: readonly string[];
  /** The sandbox if undefined. */
  readonly script?: Script;
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** Times are milliseconds since 1970. */
export type Value = string | number | boolean | null;

export interface Rows {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly Value[])[];
}

const TIMES = { timestamp: "instant", timestamp_local: "wall-clock" } as const;
const LONG_START = { ...TIMES, network: "text", metric: "text", unit: "text" } as const;
const REGIONS = ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"];
const numbers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "number" as const]));

/** Three requests. */
const MARKET =
  "market NEM -m price demand -i 1h -s 2025-01-01 -e 2025-01-03 --max-window 1d --primary-grouping network_region".split(
    " ",
  );
const POWER = ["network", "NEM", "-m", "power"];
const [FIRST, SECOND] = [HOUR[0]!, HOUR[1]!];

const labels = [
  { labels: { fueltech: "wind", renewable: true }, points: [FIRST, ["2025-01-01T01:00:00+10:00", null] as const] },
  { labels: { fueltech: '=HYPERLINK("http://example.org")', renewable: false }, points: [SECOND] },
  { labels: { fueltech: 'a "quoted", comma\'d label\nof 2 lines', renewable: false }, points: [FIRST, SECOND, SECOND] },
  { labels: { fueltech: "日本 💡" }, points: [["2025-01-01T00:30:00+10:00", -0.1] as const] },
];
const LABELS = { body: envelope([{ series: labels }, { metric: "energy", unit: "MWh", series: labels.slice(1) }]) };

/**
 * Numbers in unusual spellings, a label that is a boolean in one series and a text in another, and a network without a
 * known offset.
 */
const STRANGE = {
  body: `{"version":"5.0","created_at":"2025-01-02T00:00:00Z","success":true,"data":[{"network_code":"XX","metric":"power","unit":null,"results":[
    {"name":"a","columns":{"level":1.50,"renewable":true},"data":[["2025-01-01T00:00:00Z",12345678901234567890.12],["2025-01-01T00:05:00Z",null]]},
    {"name":"b","columns":{"level":null,"renewable":"partly"},"data":[["2025-01-01T00:00:00Z",-1e-7],["9999-12-31T23:59:59Z",0.30]]}]}]}`,
  headers: { "content-type": "application/json" },
};

const UNITS = ["facilities", "NEM", "-m", "power", "energy", "--with", "capacity", "facility_name"];
const units = ["HDWF1", "W/HOE#1", "OTHER", "ARWF1"].map((unit_code, index) => ({
  labels: { unit_code },
  points: HOUR.slice(index % 2),
}));

function listUnits({ url }: ReceivedRequest): Answer {
  if (url.startsWith("/v4/facilities/")) return { body: { data: FACILITIES } };
  return { body: envelope([{ series: units }, { metric: "energy", unit: "MWh", series: units.slice(1) }]) };
}

export const CASES: readonly Case[] = [
  { name: "long", args: MARKET, types: { ...LONG_START, region: "text", value: "number" } },
  {
    name: "wide, with interval_end",
    args: [...MARKET, "--shape", "wide", "--interval-end"],
    types: { ...TIMES, interval_end: "instant", network: "text", region: "text", price: "number", demand: "number" },
  },
  {
    name: "pivot, in another time zone",
    args: [...MARKET, "--pivot", "region", "--time-zone", "Australia/Sydney"],
    types: {
      ...TIMES,
      network: "text",
      ...numbers(REGIONS.map((region) => `price_${region}`)),
      ...numbers(REGIONS.map((region) => `demand_${region}`)),
    },
  },
  {
    name: "nulls, booleans and repeated timestamps of ragged series, long",
    args: [...POWER, "energy"],
    script: () => LABELS,
    types: { ...LONG_START, fueltech: "text", renewable: "boolean", value: "number" },
  },
  {
    name: "the same, wide",
    args: [...POWER, "energy", "--shape", "wide", "--interval-end"],
    script: () => LABELS,
    types: {
      ...TIMES,
      interval_end: "instant",
      network: "text",
      fueltech: "text",
      renewable: "boolean",
      power: "number",
      energy: "number",
    },
  },
  {
    name: "the same, one column for each boolean",
    args: [...POWER, "--pivot", "renewable", "--allow-unknown"],
    script: () => ({ body: envelope([{ series: labels }]) }),
    types: { ...TIMES, network: "text", fueltech: "text", "(none)": "number", false: "number", true: "number" },
  },
  {
    name: "labels of several types, and an unknown network",
    args: ["network", "XX", "-m", "power"],
    script: () => STRANGE,
    types: { ...LONG_START, level: "text", renewable: "text", value: "number" },
  },
  {
    name: "columns of the list of units, long: a unit without a capacity, and an unknown one",
    args: UNITS,
    script: listUnits,
    types: { ...LONG_START, unit_code: "text", capacity: "number", facility_name: "text", value: "number" },
  },
  {
    name: "the same, wide",
    args: [...UNITS, "--shape", "wide", "--interval-end"],
    script: listUnits,
    types: {
      ...TIMES,
      interval_end: "instant",
      network: "text",
      unit_code: "text",
      capacity: "number",
      facility_name: "text",
      power: "number",
      energy: "number",
    },
  },
  {
    name: "no rows, long",
    args: POWER,
    script: () => ({ body: envelope([]) }),
    types: { ...LONG_START, value: "number" },
  },
  {
    name: "no rows, wide",
    args: [...POWER, "energy", "--shape", "wide"],
    script: () => ({ body: envelope([]) }),
    types: { ...TIMES, network: "text", power: "number", energy: "number" },
  },
];

/** Exports the case in each format; returns the rows of the CSV and the paths of the files. */
export async function exportCase({ args, script, types }: Case) {
  const home = createHome();
  const service = script && (await startService(script));
  const env = service ? { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN } : {};
  const run = async (...flags: readonly string[]) => {
    const { code, stdout, stderr } = await home.run([...args, ...flags, ...(service ? [] : ["--sandbox"])], { env });
    if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const [instants, wallClocks] = [
    await run("-f", "csv", "--time-format", "unix-ms", "--null", NULL),
    await run("-f", "csv", "--time-format", "local"),
  ];
  await run("-o", "x.parquet");
  await run("-o", "x.arrow");
  const expected: Rows = { types, rows: readRows(instants, wallClocks, types) };
  return { expected, parquet: home.path("x.parquet"), arrow: home.path("x.arrow") };
}

const NULL = "no value";

function readRows(instants: string, wallClocks: string, types: Case["types"]): Value[][] {
  const [header = [], ...rows] = parseCsv(instants);
  const locals = parseCsv(wallClocks).slice(1);
  if (
    header.join() !==
    Object.keys(types)
      .filter((name) => name !== "timestamp_local")
      .join()
  )
    throw new Error(`CSV has ${header.join()}`);
  return rows.map((row, index) => {
    const [timestamp, ...others] = row.map((cell, at) => readCell(cell, types[header[at] ?? ""]));
    const local = locals[index]?.[0] ?? "";
    return [timestamp ?? null, Date.parse(`${local.replace(" ", "T")}Z`), ...others];
  });
}

function readCell(cell: string, type: ColumnType | undefined): Value {
  if (cell === NULL) return null;
  if (type === "boolean") return cell === "true";
  // CSV disarms formulas with an apostrophe.
  if (type === "text") return cell.replace(/^'(?=[=+\-@\t\r])/, "");
  return Number(cell);
}
