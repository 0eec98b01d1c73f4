import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { envelope, HOUR, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { type ScriptedService, startService } from "../support/scripted-service.ts";
import { HAS_LINKS } from "../support/platform.ts";

/** https://datapackage.org/profiles/2.0/datapackage.json (public domain), without its descriptions. */
const PROFILE = JSON.parse(readFileSync(new URL("datapackage-2.0.json", import.meta.url), "utf8")) as object;

const ajv = new Ajv({ strict: false, logger: false });
addFormats.default(ajv);
const validate = ajv.compile(PROFILE);

const ROWS = 2 * HOUR.length;
const QUERY = "network NEM -m power energy -i 1h -s 2025-01-01 -e 2025-01-01".split(" ");
const home = createHome();
let service: ScriptedService;

beforeAll(async () => {
  const labels = { region: "NSW1" };
  const items = [
    { series: [{ labels, points: HOUR }] },
    { metric: "energy", unit: "MWh", series: [{ labels, points: HOUR }] },
  ];
  service = await startService(() => ({ body: envelope(items) }));
});

const run = (...flags: readonly string[]) =>
  home.run([...QUERY, "--base-url", service.url, ...flags], { env: { ENTS_TOKEN: TOKEN } });

function readDescription(output: string) {
  return JSON.parse(readFileSync(home.path(`${output}.datapackage.json`), "utf8")) as {
    resources: [
      {
        bytes: number;
        hash: string;
        rows: number;
        schema?: { fields: object[]; missingValues?: string[] };
        dialect?: object;
      },
    ];
    ents: { series: object[]; requests: object[]; output: object; window: object };
  };
}

function hash(path: string): string {
  return `sha256:${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

test.each([
  "x.csv",
  "x.csv.gz",
  "x.tsv",
  "x.json",
  "x.ndjson",
  "x.svg",
  "x.html",
  "x.txt",
  "x.parquet",
  "x.arrow",
  "x.xlsx",
])("the description of %s is a valid Data Package, with the hash and the size of the file's bytes", async (name) => {
  expect(await run("-o", name, "--datapackage")).toMatchObject({ code: 0 });
  const description = readDescription(name);
  validate(description);
  expect(validate.errors).toBeNull();
  const bytes = readFileSync(home.path(name)).length;
  expect(description.resources[0]).toMatchObject({ path: name, bytes, hash: hash(home.path(name)) });
});

test.each([
  ["x.csv", ROWS],
  ["x.parquet", ROWS],
  ["x.xlsx", HOUR.length],
])("for %s, it counts the rows", async (name, rows) => {
  await run("-o", name, "--datapackage");
  expect(readDescription(name).resources[0].rows).toBe(rows);
});

test("it names the delimiter of a tsv", async () => {
  await run("-o", "dialect.tsv", "--datapackage");
  expect(readDescription("dialect.tsv").resources[0].dialect).toEqual({ delimiter: "\t" });
});

test("it names the columns with types, units and meanings, and the spelling of values", async () => {
  const flags = "--shape wide --interval-end --null NA --time-format local --no-header".split(" ");
  expect(await run(...flags, "-o", "wide.csv", "--datapackage")).toMatchObject({ code: 0 });
  const { resources, ents } = readDescription("wide.csv");
  const time = { type: "datetime", format: "%Y-%m-%d %H:%M:%S" };
  expect(resources[0]).toMatchObject({
    format: "csv",
    dialect: { header: false },
    schema: {
      fields: [
        { name: "timestamp", ...time, description: "Start of the interval, as a wall clock in network time" },
        { name: "interval_end", ...time, description: "End of the interval, as a wall clock in network time" },
        { name: "network", type: "string" },
        { name: "region", type: "string" },
        { name: "power", type: "number", unit: "MW", description: "Instantaneous output or consumption" },
        { name: "energy", type: "number", unit: "MWh" },
      ],
      missingValues: ["", "NA"],
    },
  });
  expect(ents.output).toMatchObject({
    shape: "wide",
    interval_end: true,
    time_format: "local",
    null: "NA",
    header: false,
  });
});

const WALL_CLOCK = { type: "datetime", format: "%Y-%m-%d %H:%M:%S" };

test.each([
  ["x.csv", [], { timestamp: { type: "datetime" } }],
  ["x.tsv", ["--time-format", "local"], { timestamp: WALL_CLOCK }],
  ["x.ndjson", [], { timestamp: { type: "datetime" } }],
  ["x.ndjson", ["--time-format", "unix"], { timestamp: { type: "number" } }],
  ["x.xlsx", [], { timestamp: WALL_CLOCK }],
  ["x.parquet", [], { timestamp: { type: "datetime" }, timestamp_local: { type: "datetime" } }],
  ["x.arrow", [], { timestamp: { type: "datetime" }, timestamp_local: { type: "datetime" } }],
  ["x.csv", ["--profile", "day"], { time: { type: "string" } }],
  ["x.xlsx", ["--profile", "day"], { time: { type: "string" } }],
  ["x.csv", ["--duration"], { share_of_time: { type: "number" } }],
  ["x.csv", ["--top", "power:3"], { timestamp: { type: "datetime" } }],
  ["x.txt", [], undefined],
  ["x.json", [], undefined],
  ["x.svg", [], undefined],
])("the types of times for %s, %j", async (name, flags, times) => {
  expect(await run(...flags, "-o", name, "--datapackage")).toMatchObject({ code: 0 });
  const fields = readDescription(name).resources[0].schema?.fields as readonly Record<string, string>[] | undefined;
  const described = fields?.filter(({ name: column }) => column?.includes("time"));
  expect(
    described &&
      Object.fromEntries(
        described.map(({ name: column, type, format }) => [column, { type, ...(format ? { format } : {}) }]),
      ),
  ).toEqual(times);
});

test("it says where the numbers came from: requests with their responses, series, and the window", async () => {
  await run("-o", "x.csv", "--datapackage");
  const path =
    "/v4/data/network/NEM?metrics=power&metrics=energy&interval=1h&date_start=2025-01-01T00%3A00%3A00&date_end=2025-01-01T23%3A59%3A59";
  const series = {
    network: "NEM",
    labels: { region: "NSW1" },
    first: "2024-12-31T14:00:00Z",
    last: "2024-12-31T15:00:00Z",
  };
  expect(readDescription("x.csv").ents).toMatchObject({
    requests: [{ path, version: "4.5.1", created_at: "2025-01-02T00:00:00+00:00" }],
    series: [
      { ...series, metric: "power", unit: "MW" },
      { ...series, metric: "energy", unit: "MWh" },
    ],
    window: { start: "2025-01-01T00:00:00", end: "2025-01-01T23:59:59" },
  });
});

test("the same command writes the same description", async () => {
  await run("-o", "same.csv", "--datapackage");
  const first = readFileSync(home.path("same.csv.datapackage.json"), "utf8");
  await run("-o", "same.csv", "--datapackage");
  expect(readFileSync(home.path("same.csv.datapackage.json"), "utf8")).toBe(first);
});

test("an existing description stays true without the flag", async () => {
  await run("-o", "true.csv", "--datapackage");
  await run("-o", "true.csv", "--shape", "wide");
  expect(readDescription("true.csv").resources[0]).toMatchObject({
    hash: hash(home.path("true.csv")),
    rows: HOUR.length,
  });
});

test("without the flag none is written, and another program's file is left alone", async () => {
  expect(await run("-o", "plain.csv")).toMatchObject({ code: 0 });
  expect(existsSync(home.path("plain.csv.datapackage.json"))).toBe(false);
  writeFileSync(home.path("plain.csv.datapackage.json"), '{"resources": []}');
  expect(await run("-o", "plain.csv")).toMatchObject({ code: 0 });
  expect(readFileSync(home.path("plain.csv.datapackage.json"), "utf8")).toBe('{"resources": []}');
});

test("an output that is not a file has none", async () => {
  const streamed = await run("--datapackage");
  expect(streamed).toMatchObject({ code: 2, stdout: "" });
  expect(streamed.stderr).toContain("--datapackage only works with -o");
  expect(await run("-o", "/dev/null", "--datapackage")).toMatchObject({ code: 2, stdout: "" });
});

test.skipIf(!HAS_LINKS)("if it cannot be written, nothing is requested", async () => {
  symlinkSync("loop.csv.datapackage.json", home.path("loop.csv.datapackage.json"));
  const before = service.requests.length;
  expect(await run("-o", "loop.csv", "--datapackage")).toMatchObject({ code: 6 });
  expect(service.requests.length).toBe(before);
  expect(existsSync(home.path("loop.csv"))).toBe(false);
});
