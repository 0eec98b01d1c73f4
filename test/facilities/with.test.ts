/** `--with`: adds columns from the list of units to the rows that come without it. */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LosslessNumber } from "../../src/base/json.ts";
import { JOINED_COLUMNS } from "../../src/base/vocabulary.ts";
import { tabulateUnits } from "../../src/facilities/tables.ts";
import { createJoin } from "../../src/facility-list/apply-list.ts";
import { toTable } from "../../src/series/layout/create-layout.ts";
import type { Cell, Join } from "../../src/series/layout/layout.ts";
import { readBytes, readPackage } from "../columnar/readers.ts";
import { envelope, HOUR, TOKEN } from "../e2e/envelopes.ts";
import { readWorkbook } from "../e2e/read-xlsx.ts";
import { draws } from "../support/extent.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { DAY } from "../../src/time/local-time.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { answers, askedMetrics, listRows, readBody, toBody } from "../unit/generators.ts";
import { FACILITIES, POWER, startUnitService } from "./unit-service.ts";

const printTimestamp = (timestamp: string) => timestamp;

describe("whatever the series", () => {
  const cells = fc.oneof(
    fc.string(),
    fc.constant(null),
    fc.integer().map((number) => new LosslessNumber(String(number))),
  );
  /** A third of the series are not in the list. */
  const joins: fc.Arbitrary<Join> = fc
    .record({ width: fc.integer({ min: 1, max: 3 }), pool: fc.array(cells, { minLength: 3, maxLength: 9 }) })
    .map(({ width, pool }) => ({
      columns: Array.from({ length: width }, (_, index) => ({ name: `joined_${index}`, kind: "text" as const })),
      cellsOf: (labels) => {
        const hash = Buffer.from(JSON.stringify(labels)).reduce((sum, byte) => (sum * 31 + byte) % 1009, 7);
        return Array.from({ length: width }, (_, index) =>
          hash % 3 === 0 ? null : (pool[(hash + index) % pool.length] ?? null),
        );
      },
    }));

  test.each([{ shape: "long" }, { shape: "wide" }] as const)(
    "$shape: other columns and rows stay unchanged",
    ({ shape }) => {
      fc.assert(
        fc.property(answers, askedMetrics, joins, (items, metrics, join) => {
          const timeSeries = readBody(toBody(items));
          const plain = toTable(timeSeries, { shape, metrics, printTimestamp });
          const joined = toTable(timeSeries, { shape, metrics, printTimestamp, join });
          const first = joined.columns.findIndex(({ name }) => name === "joined_0");
          const [labels, width] = [plain.columns.slice(0, first), join.columns.length];
          expect(joined.columns).toEqual([...labels, ...join.columns, ...plain.columns.slice(first)]);
          expect(plain.columns[first]?.kind ?? "value").toBe("value");
          const rows = listRows(joined);
          expect(rows.map((row) => row.toSpliced(first, width))).toEqual(listRows(plain));
          const start = shape === "long" ? 4 : 2;
          const toLabels = (row: readonly Cell[]) =>
            Object.fromEntries(labels.slice(start).map(({ name }, index) => [name, row[start + index] ?? null]));
          const known = new Map(
            timeSeries.flatMap(({ series }) =>
              series.map((one) => [keyOf(one.labels), join.cellsOf(one.labels)] as const),
            ),
          );
          for (const row of rows) expect(row.slice(first, first + width)).toEqual(known.get(keyOf(toLabels(row))));
        }),
        { numRuns: draws(100, 1000) },
      );
    },
  );

  /** The labels as a row has them: null if the series lacks one. */
  function keyOf(labels: Readonly<Record<string, unknown>>): string {
    const present = Object.entries(labels).filter(([, value]) => value !== null);
    return JSON.stringify(present.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
});

test("each column is from the list of units", () => {
  const [entry] = tabulateUnits([
    { code: "A", name: "a", network: "NEM", region: undefined, units: [{ code: "A1", facts: {} } as never] },
  ]).entries;
  expect(Object.keys(entry?.item.cells ?? {})).toEqual(
    expect.arrayContaining(JOINED_COLUMNS.filter((name) => name !== "units")),
  );
});

describe("of units of the same code", () => {
  const facility = (code: string, network: string) => ({
    code,
    name: code,
    network,
    region: undefined,
    units: [{ code: "A1", facts: {} } as never],
  });
  const LIST = [facility("ONE", "NEM"), facility("TWO", "WEM"), facility("THREE", "WEM")];

  test.each<{ what: string; requested: string[]; network?: string; cell: string | null }>([
    { what: "that of the network counts", requested: [], network: "NEM", cell: "ONE" },
    { what: "that of a facility that was asked for counts", requested: ["THREE"], cell: "THREE" },
    { what: "that of a facility that was asked for counts, of any network", requested: ["ONE"], cell: "ONE" },
    { what: "none of several", requested: [], cell: null },
    { what: "none of several that were asked for", requested: ["TWO", "THREE"], cell: null },
  ])("$what", ({ requested, network = "WEM", cell }) => {
    for (const list of [LIST, LIST.toReversed()]) {
      const join = createJoin(list, { columns: ["facility_code"], network, requested });
      expect(join.cellsOf({ unit_code: "A1" })).toEqual([cell]);
      expect([join.cellsOf({}), join.cellsOf({ unit_code: "constructor" })]).toEqual([[null], [null]]);
    }
  });
});

const UNITS = [...POWER, ..."--facility-code HORNSDALE W/HOE --with capacity,facility_name".split(" ")];

async function open(): Promise<{ readonly home: Home; readonly fetch: (...flags: string[]) => Promise<string> }> {
  const [service, home] = [await startUnitService(FACILITIES), createHome()];
  const fetch = async (...flags: string[]) => {
    const { code, stdout, stderr } = await service.run(home, [...UNITS, ...flags]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };
  return { home, fetch };
}

describe("formats", () => {
  test("csv, tsv and ndjson: after the labels, in the order asked, numbers as numbers", async () => {
    const { fetch } = await open();
    const csv = await fetch("-f", "csv");
    expect(csv.split("\n").slice(0, 5)).toEqual([
      "timestamp,network,metric,unit,unit_code,capacity,facility_name,value",
      "2025-01-01T00:00:00+10:00,NEM,power,MW,HDWF1,102.4,Hornsdale,20380.1976",
      "2025-01-01T00:00:00+10:00,NEM,power,MW,HDWF2,102.4,Hornsdale,20380.1976",
      "2025-01-01T00:00:00+10:00,NEM,power,MW,HDWF9,0.1,Hornsdale,20380.1976",
      "2025-01-01T00:00:00+10:00,NEM,power,MW,W/HOE#1,,Wivenhoe,20380.1976",
    ]);
    expect(await fetch("-f", "tsv")).toBe(csv.replaceAll(",", "\t"));
    const lines = (await fetch("-f", "ndjson", "--shape", "wide")).split("\n");
    expect(lines[0]).toBe(
      '{"timestamp":"2025-01-01T00:00:00+10:00","network":"NEM","unit_code":"HDWF1","capacity":102.4,"facility_name":"Hornsdale","power":20380.1976}',
    );
    expect(lines[3]).toContain('"capacity":null,"facility_name":"Wivenhoe"');
  });

  test("table: numbers to the right, with their unit", async () => {
    const { fetch } = await open();
    expect((await fetch("-f", "table", "--shape", "wide")).split("\n").slice(0, 6)).toEqual([
      "timestamp         unit_code  capacity (MW)  facility_name  power (MW)",
      "----------------  ---------  -------------  -------------  ----------",
      "2025-01-01 00:00  HDWF1              102.4  Hornsdale       20,380.20",
      "2025-01-01 00:00  HDWF2              102.4  Hornsdale       20,380.20",
      "2025-01-01 00:00  HDWF9                0.1  Hornsdale       20,380.20",
      "2025-01-01 00:00  W/HOE#1                   Wivenhoe        20,380.20",
    ]);
    expect((await fetch("-f", "table")).split("\n").slice(1, 4)).toEqual([
      "unit_code  capacity (MW)  facility_name  1 Jan 00:00      01:00",
      "---------  -------------  -------------  -----------  ---------",
      "HDWF1              102.4  Hornsdale        20,380.20  19,727.62",
    ]);
  });

  test("table: what never changes is in the footer, beside a column for each unit", async () => {
    const { fetch } = await open();
    const lines = (await fetch("-f", "table", "--fueltech", "wind", "--status", "operating", "--with", "region"))
      .trimEnd()
      .split("\n");
    expect(lines[0]).toBe("power (MW)            HDWF1      HDWF2");
    expect(lines.at(-1)).toBe(
      "network NEM, capacity 102.4 MW, facility_name Hornsdale, region South Australia, by unit_code",
    );
  });

  test("xlsx: numbers are numbers, unknown ones are empty", async () => {
    const { home, fetch } = await open();
    await fetch("-o", "units.xlsx");
    const { rows, source } = await readWorkbook(home.path("units.xlsx"));
    expect(rows[0]).toEqual(["timestamp", "network", "unit_code", "capacity (MW)", "facility_name", "power (MW)"]);
    expect(rows[1]?.slice(2)).toEqual(["HDWF1", 102.4, "Hornsdale", 20380.1976]);
    expect(rows[4]?.slice(2)).toEqual(["W/HOE#1", null, "Wivenhoe", 20380.1976]);
    expect(source).toContainEqual(["units", "MW"]);
  });

  test.each(["chart", "svg", "html"])("%s: in the names of series", async (format) => {
    const { fetch } = await open();
    const text = await fetch("-f", format, "--width", format === "chart" ? "120" : "960", "--with", "facility_name");
    for (const name of ["HDWF1, 102.4, Hornsdale", "W/HOE#2, (none), Wivenhoe"]) expect(text).toContain(name);
  });

  test("json stays the envelope", async () => {
    const { code, stdout, stderr } = await createHome().run([...UNITS, "-f", "json", "--sandbox"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^ents: --with only works with --format table, .*\n {6}the format is json\n$/);
  });
});

describe("storage and dates", () => {
  const BATTERY = [
    ...POWER,
    ..."--facility-code HPR HORNSDALE --unit-code HPRG1 HDWF1 --with capacity_storage,first_data,last_data,commenced".split(
      " ",
    ),
  ];
  const DATES = ["2017-11-26T10:05:00+10:00", "2025-01-01T01:55:00+10:00"];

  async function fetchBattery(...flags: string[]): Promise<{ readonly home: Home; readonly stdout: string }> {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    const { code, stdout, stderr } = await service.run(home, [...BATTERY, ...flags]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return { home, stdout };
  }

  test.each([
    ["csv", ","],
    ["tsv", "\t"],
  ])("%s", async (format, delimiter) => {
    const rows = parse((await fetchBattery("-f", format)).stdout, { delimiter });
    expect(rows[0]?.slice(4)).toEqual([
      "unit_code",
      "capacity_storage",
      "first_data",
      "last_data",
      "commenced",
      "value",
    ]);
    expect(rows[1]?.slice(4, 9)).toEqual(["HDWF1", "", "", "", ""]);
    expect(rows[2]?.slice(4, 9)).toEqual(["HPRG1", "193.5", ...DATES, "2017-12-01"]);
  });

  test("ndjson", async () => {
    const [none, battery] = (await fetchBattery("-f", "ndjson")).stdout
      .split("\n")
      .map((line) => line && (JSON.parse(line) as object));
    expect(none).toMatchObject({ unit_code: "HDWF1", capacity_storage: null, first_data: null, last_data: null });
    expect(battery).toMatchObject({
      unit_code: "HPRG1",
      capacity_storage: 193.5,
      first_data: DATES[0],
      last_data: DATES[1],
      commenced: "2017-12-01",
    });
  });

  test("table: with the unit", async () => {
    const [header] = (await fetchBattery("-f", "table", "--shape", "wide")).stdout.split("\n");
    expect(header).toMatch(
      /^timestamp +unit_code +capacity_storage \(MWh\) +first_data +last_data +commenced +power \(MW\)$/,
    );
  });

  test("xlsx: the source worksheet names the unit of each column", async () => {
    const { home } = await fetchBattery("-o", "units.xlsx");
    const { rows, source } = await readWorkbook(home.path("units.xlsx"));
    // Their wall clocks.
    const days = [...DATES.map((date) => `${date.slice(0, 19)}Z`), "2017-12-01"].map((date) => new Date(date));
    expect(rows[2]?.slice(2, 7)).toEqual(["HPRG1", 193.5, ...days]);
    const start = source.findIndex(([name]) => name === "units");
    expect(source.slice(start, start + 2).map(([, units]) => units)).toEqual(["MWh: capacity_storage", "MW: power"]);
  });

  test("xlsx, long: the unit of a column is not that of the values", async () => {
    const { home } = await fetchBattery("-o", "units.xlsx", "--shape", "long");
    const { source } = await readWorkbook(home.path("units.xlsx"));
    expect(source.find(([name]) => name === "units")?.[1]).toBe("MWh: capacity_storage");
  });

  const FIELDS = [
    { name: "capacity_storage", type: "number", unit: "MWh", description: "Storage capacity of the unit" },
    {
      name: "first_data",
      type: "datetime",
      description: "First time for which the service has data of the unit, in network time",
    },
    {
      name: "last_data",
      type: "datetime",
      description: "Last time for which the service has data of the unit, in network time",
    },
    {
      name: "commenced",
      type: "date",
      description: "Day of commencement; of some units, a month or year is known alone",
    },
  ];

  test.each(["parquet", "arrow"] as const)("%s: with their types, and described in its metadata", async (format) => {
    const { home } = await fetchBattery("-o", `units.${format}`);
    const path = home.path(`units.${format}`);
    const { types, rows } = await readBytes(format, readFileSync(path));
    expect(types).toMatchObject({ capacity_storage: "number", first_data: "instant", commenced: "day" });
    const row = Object.fromEntries(Object.keys(types).map((name, index) => [name, rows[1]?.[index]]));
    expect(row).toMatchObject({
      unit_code: "HPRG1",
      capacity_storage: 193.5,
      first_data: Date.parse(DATES[0] as string),
      last_data: Date.parse(DATES[1] as string),
      commenced: Date.parse("2017-12-01"),
    });
    expect(readPackage(path)).toMatchObject({
      resources: [{ schema: { fields: expect.arrayContaining(FIELDS) as unknown } }],
    });
  });

  test("a data package describes them", async () => {
    const { home } = await fetchBattery("-o", "units.csv", "--datapackage");
    const described = JSON.parse(readFileSync(home.path("units.csv.datapackage.json"), "utf8")) as unknown;
    expect(described).toMatchObject({ resources: [{ schema: { fields: expect.arrayContaining(FIELDS) as unknown } }] });
  });
});

describe("a unit that is not in the list, or no list at all", () => {
  const unknown = { labels: { unit_code: "OTHER" }, points: HOUR };
  const data = { body: envelope([{ series: [unknown, { labels: { unit_code: "ARWF1" }, points: HOUR }] }]) };
  const flags = "facilities NEM -m power --last 1d --with facility_name,capacity -f csv".split(" ");

  async function fetchWith(
    list: Parameters<typeof startService>[0] extends infer S ? Extract<S, readonly unknown[]>[number] : never,
  ) {
    const service = await startService(({ url }) => (url.startsWith("/v4/facilities/") ? list : data));
    const run = await createHome().run(flags, { env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN } });
    return {
      ...run,
      rows: parse(run.stdout)
        .slice(1)
        .map((row) => row.slice(4, 7)),
    };
  }

  test("has empty cells, and keeps its rows", async () => {
    const { code, stderr, rows } = await fetchWith({ body: { data: FACILITIES } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(rows).toEqual(
      [0, 1].flatMap(() => [
        ["ARWF1", "Ararat", "241"],
        ["OTHER", "", ""],
      ]),
    );
  });

  test.each([
    ["no such path", { status: 404, body: { detail: "Not Found" } }],
    ["a page", { body: "<!doctype html><title>Portal</title>" }],
    ["not allowed", { status: 403, body: { detail: "Your plan does not include facilities." } }],
    ["unavailable", { status: 503 }],
    ["empty", { body: { data: [] } }],
    ["without units", { body: { data: FACILITIES.map((facility) => ({ ...facility, units: [] })) } }],
  ])("%s: one warning", async (_, list) => {
    const { code, stderr, rows } = await fetchWith(list);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ents: warning: the columns of --with are empty: .+\n$/);
    expect(rows).toEqual(
      [0, 1].flatMap(() => [
        ["ARWF1", "", ""],
        ["OTHER", "", ""],
      ]),
    );
  });
});

test.each([
  ["the same both times", "ARWF1,Ararat,wind,241"],
  ["with another capacity", "ARWF1,Ararat,wind,"],
])("a unit that a list has twice, %s: equal values stay", async (_, cells) => {
  const twice = FACILITIES.map((facility) => {
    const [unit] = facility.units;
    const again = cells.endsWith("241") ? unit : { ...unit, capacity_registered: 1 };
    return { ...facility, units: [...facility.units, again] };
  });
  const series = [{ labels: { unit_code: "ARWF1" }, points: HOUR.slice(0, 1) }];
  const service = await startService(({ url }) =>
    url.startsWith("/v4/facilities/") ? { body: { data: twice } } : { body: envelope([{ series }]) },
  );
  const flags = "facilities NEM -m power -f csv --with facility_name fueltech capacity --facility-code ARWF".split(" ");
  const { stdout } = await createHome().run(flags, { env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN } });
  expect(stdout).toContain(`,${cells},`);
});

test("a label with the name of a column gets another name", async () => {
  const series = [
    { labels: { unit_code: "ARWF1", region: "from the service", capacity: "big" }, points: HOUR.slice(0, 1) },
  ];
  const service = await startService(({ url }) =>
    url.startsWith("/v4/facilities/")
      ? { body: { data: FACILITIES } }
      : { body: envelope([{ series }, { metric: "energy", series }]) },
  );
  const env = { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN };
  const run = (...flags: string[]) =>
    createHome().run(["facilities", "NEM", "-m", "power", "energy", "-f", "csv", ...flags], { env });
  const { stdout } = await run("--with", "region", "fueltech");
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "timestamp,network,metric,unit,unit_code,region_label,capacity,region,fueltech,value",
    "2025-01-01T00:00:00+10:00,NEM,power,MW,ARWF1,from the service,big,VIC1,wind,20380.1976",
  ]);
  const wide = await run("--with", "region", "fueltech", "--shape", "wide");
  expect(wide.stdout.split("\n")[0]).toBe(
    "timestamp,network,unit_code,region_label,capacity,region,fueltech,power,energy",
  );
});

describe("refused", () => {
  test.each<[flags: string, stderr: RegExp]>([
    [
      "--with capacity --pivot unit_code",
      /^ents: --with cannot be used with --pivot unit_code, .*\n {6}use one of them\n$/,
    ],
    ["--with max_capacity", /^ents: unknown column "max_capacity"; did you mean capacity_maximum\?\n/],
    ["--with storage", /^ents: unknown column "storage"; did you mean capacity_storage\?\n/],
    ["--with data_first_seen", /^ents: unknown column "data_first_seen"; did you mean first_data\?\n/],
    [
      "--with name",
      /^ents: unknown column "name"; did you mean facility_name\?\n {6}use facility_code, facility_name, region, /,
    ],
  ])("%s", async (flags, stderr) => {
    const query = "facilities NEM -m power -i 1h -s 2025-01-01 --facility-code BAYSW --sandbox".split(" ");
    const run = await createHome().run([...query, ...flags.split(" ")]);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(stderr) as string });
  });

  test("other commands do not have it", async () => {
    expect((await createHome().run("network NEM -m power --with capacity --sandbox".split(" "))).stderr).toContain(
      "'ents network' has no --with; 'ents facilities' has it",
    );
  });
});

test.each([
  ["units.csv", "units.csv", []],
  ["units", "units/year=2025/month=01/data.csv", ["--partition", "month", "-f", "csv"]],
])(
  "an update of %s has the current values of the list; without a list, it stays as it is",
  async (output, file, flags) => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    const update = (days: number, cache = "cache") => {
      const args = [
        ...POWER,
        "--facility-code",
        "ARWF",
        "--with",
        "facility_name",
        "-o",
        output,
        "--update",
        "-q",
        ...flags,
      ];
      return service.run(home, args, {
        clock: createVirtualClock(days * DAY),
        env: { ENTS_CACHE_DIR: home.path(cache) },
      });
    };
    const read = () => readFileSync(home.path(file), "utf8").split("\n")[1];
    expect(await update(0)).toMatchObject({ code: 0, stderr: "" });
    expect(read()).toBe("2025-01-01T00:00:00+10:00,NEM,power,MW,ARWF1,Ararat,20380.1976");
    service.relist(FACILITIES.map((one) => (one.code === "ARWF" ? { ...one, name: "Ararat II" } : one)));
    expect(await update(2)).toMatchObject({ code: 0, stderr: "" });
    expect(read()).toBe("2025-01-01T00:00:00+10:00,NEM,power,MW,ARWF1,Ararat II,20380.1976");
    service.relist([]);
    expect(await update(4, "without a list")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("the service's list of facilities is empty") as string,
    });
    expect(read()).toContain("Ararat II");
  },
);

test("a description has the columns", async () => {
  const { home, fetch } = await open();
  await fetch("-o", "units.csv", "--datapackage");
  const described = JSON.parse(readFileSync(home.path("units.csv.datapackage.json"), "utf8")) as {
    resources: [{ schema: { fields: unknown[] } }];
    ents: { output: unknown };
  };
  expect(described.resources[0].schema.fields).toEqual(
    expect.arrayContaining([
      { name: "capacity", type: "number", unit: "MW", description: "Registered capacity of the unit" },
      { name: "facility_name", type: "string", description: "Name of the facility" },
    ]),
  );
  expect(described.ents.output).toMatchObject({ with: ["capacity", "facility_name"] });
});

test("every file of a dataset has them", async () => {
  const { home, fetch } = await open();
  await fetch("-o", "units", "--partition", "day", "-f", "csv");
  const text = readFileSync(home.path("units/year=2025/month=01/day=01/data.csv"), "utf8");
  expect(text).toBe(await fetch("-f", "csv"));
});

test("a dry run needs no list", async () => {
  const service = await startUnitService(FACILITIES);
  const { code, stdout } = await service.run(createHome(), [...UNITS, "--dry-run", "-f", "csv"]);
  expect([code, service.requests, stdout.split("\n")[0]]).toEqual([0, [], "method,url,points"]);
});

test("capacity is what is registered, capacity_maximum what may be fed in", async () => {
  const line =
    "facilities NEM -m energy -i 1d -s 2026-11-01 -e 2026-11-01 --facility-code BNGSF --with capacity capacity_maximum --sandbox -q -f csv";
  const { stdout } = await createHome().run(line.split(" "));
  expect(stdout).toMatch(/^timestamp,network,metric,unit,unit_code,capacity,capacity_maximum,value\n.*,BNGSF1,110,88,/);
});
