/** Picks, profiles and the like in each format, as an output, as a description, and as ents check. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBytes, readPackage } from "../columnar/readers.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope, TOKEN } from "./envelopes.ts";
import { readWorkbook, toPlainRows } from "./read-xlsx.ts";

const PRICES = "market NEM -m price -i 1h --during 2025-01-31 -g region --sandbox -q".split(" ");
const WORDS = [
  "--above 90 --below 60",
  "--top 7",
  "--bottom 2 --each",
  "--profile day",
  "--profile day --per quarter --pivot region",
  "--duration",
  "--duration --pivot region",
  "--summary-only --above 90",
  "--minus VIC1 --rolling 3h",
  "--compare 1d --above 90",
  "--bottom 2 --each --compare 1w --per day",
  "--duration --per day",
  "--summary-only --below 60 --per week",
];

const isNumeric = (cell: string) => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell);
/** Columns of times are instants in parquet, and beside the first the clock's time. */
const isTime = (name: string) => /^(timestamp|first|last|.*_time)$/.test(name);

test.each(WORDS)("%s has the rows of csv in every format, and its description counts them", async (flags) => {
  const home = createHome();
  const args = [...PRICES, ...flags.split(" ")];
  const { stdout } = await home.run([...args, "-f", "csv"]);
  const [header = [], ...rows] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  expect(rows.length).toBeGreaterThan(1);
  const expected = rows.map((row) => row.map((cell) => (cell === "" ? null : isNumeric(cell) ? Number(cell) : cell)));
  const untimed = (names: readonly string[], cells: readonly unknown[]) =>
    cells.filter((_, index) => !isTime(names[index] ?? ""));
  for (const format of ["parquet", "arrow"] as const) {
    await home.run([...args, "-o", home.path(`x.${format}`), "--datapackage"]);
    const { types, rows: read } = await readBytes(format, readFileSync(home.path(`x.${format}`)));
    const names = Object.keys(types).filter((name) => name !== "timestamp_local");
    expect(names).toEqual(header);
    const places = Object.keys(types).flatMap((name, index) => (name === "timestamp_local" ? [] : [index]));
    const cells = read.map((row) => places.map((place) => row[place]));
    expect(cells.map((row) => untimed(names, row))).toEqual(expected.map((row) => untimed(names, row)));
    expect(names.filter((name) => name === "timestamp").map((name) => types[name])).toEqual(
      header.includes("timestamp") ? ["instant"] : [],
    );
    expect(readPackage(home.path(`x.${format}`))).toMatchObject({
      ents: { command: expect.stringContaining(` ${flags.split(" ")[0]}`) as string },
    });
    const described = JSON.parse(readFileSync(home.path(`x.${format}.datapackage.json`), "utf8")) as {
      resources: [{ rows: number; schema: { fields: { name: string }[] } }];
    };
    expect(described.resources[0].rows).toBe(rows.length);
    expect(
      described.resources[0].schema.fields.map(({ name }) => name).filter((name) => name !== "timestamp_local"),
    ).toEqual(header);
  }
  const asJson = args.filter((arg, index) => arg !== "--pivot" && args[index - 1] !== "--pivot");
  const json = JSON.parse((await home.run([...asJson, "-f", "json"])).stdout) as unknown;
  const arePoints = /--(minus|rolling)|^--above 90 --below 60/.test(flags);
  expect(Array.isArray(json)).toBe(!arePoints);
  const listed = (Array.isArray(json) && asJson.length === args.length ? json : []) as Record<string, unknown>[];
  expect(listed.map((row) => header.map((name) => row[name]))).toEqual(listed.length > 0 ? expected : []);
  await home.run([...args, "-o", home.path("x.ndjson")]);
  const objects = readFileSync(home.path("x.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(objects.map((row) => header.map((name) => row[name]))).toEqual(expected);
  await home.run([
    ...args,
    ...(flags.includes("pivot") ? [] : ["--shape", "long"]),
    "-o",
    home.path("x.xlsx"),
    "--raw-names",
  ]);
  const { rows: sheet } = await readWorkbook(home.path("x.xlsx"));
  const [, ...shown] = toPlainRows(sheet);
  expect(shown.map((row) => untimed(header, row))).toEqual(expected.map((row) => untimed(header, row)));
});

test("ents check finds a price beyond the cap, with exit code 7, and says what it could not check", async () => {
  const data = Array.from({ length: 24 }, (_, hour) => [
    `2025-01-31T${String(hour).padStart(2, "0")}:00:00+10:00`,
    hour === 18 || hour === 19 ? 99_999 : 80,
  ]);
  const item = {
    network_code: "NEM",
    metric: "price",
    unit: "$/MWh",
    interval: "1h",
    results: [{ name: "price_SA1", columns: { region: "SA1" }, data }],
  };
  const body = {
    version: "4.5.17",
    created_at: "2025-02-01T06:00:00+10:00",
    success: true,
    data: [item],
    total_records: 1,
  };
  const { url } = await startService(() => ({ body }));
  const home = createHome();
  const env = { ENTS_BASE_URL: url, ENTS_TOKEN: TOKEN };
  const made = await home.run(
    "market NEM -m price -i 1h -s 2025-01-31 -e 2025-01-31 -r SA1 --update -o price.csv".split(" "),
    { env },
  );
  expect(made.code).toBe(0);
  const { code, stdout, stderr } = await home.run(["check", "price.csv"]);
  expect(stdout).toBe(
    "output,check,metric,timestamp,until,region,found,expected\nprice.csv,price-limits,price,2025-01-31T18:00:00+10:00,2025-01-31T20:00:00+10:00,SA1,99999,17500\n",
  );
  expect(code).toBe(7);
  expect(stderr).toContain(
    "ents: note: 1 check made (price-limits); the others need what the outputs do not have:\n      energy-power: ",
  );
  expect(stderr).toContain("ents: 1 finding in price.csv\n      'ents check --list' says what each check is of\n");
});

test.each<readonly [values: readonly string[], flags: string, last: string]>([
  [
    ["1e400", "1", "2"],
    "--summary-only",
    "1,2025-01-01T01:00:00+10:00,1.05,1.5,1.5,1.95,2,2025-01-01T02:00:00+10:00,3",
  ],
  [["1e400", "1", "2"], "--profile day", "01:00,NEM,energy,MWh,1,1\n02:00,NEM,energy,MWh,1,2"],
  [["1e400", "1", "2"], "--duration", "50,NEM,energy,MWh,2\n100,NEM,energy,MWh,1"],
  [["1e400", "1", "2"], "--top 1", "2025-01-01T00:00:00+10:00,NEM,energy,MWh,1e400"],
  [["1.7e308", "1.7e308", "1"], "--summary-only", ",1.7e+308,,1.7e+308,1.7e+308,2025-01-01T00:00:00+10:00,"],
  [["1.7e308", "1.7e308", "1"], "--profile year", "01,NEM,energy,MWh,3,"],
])("of %s, %s has no figure beyond doubles", async (values, flags, last) => {
  const points = values.map((value, hour) => [`2025-01-01T0${hour}:00:00+10:00`, value] as const);
  const { url } = await startService(() => ({
    body: envelope([{ metric: "energy", unit: "MWh", series: [{ points }] }]),
  }));
  const query = "network NEM -m energy -i 1h -s 2025-01-01T00:00 -e 2025-01-01T02:59:59 -f csv -q".split(" ");
  const run = await createHome().run([...query, ...flags.split(" ")], {
    env: { ENTS_BASE_URL: url, ENTS_TOKEN: TOKEN },
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout.trimEnd().slice(-last.length)).toBe(last);
});

test.each([
  ["--pivot region", "region", ["50,NEM,90,5", "100,NEM,80,"]],
  ["", "", ["50,NEM,price,$/MWh,SA1,90", "100,NEM,price,$/MWh,SA1,80", "100,NEM,price,$/MWh,VIC1,5"]],
])(
  "--duration %s: ranks are of the values that there are, which is said where a row has several",
  async (flags, label, rows) => {
    const series = [
      {
        labels: { region: "SA1" },
        points: [
          ["2025-01-31T00:00:00+10:00", 80],
          ["2025-01-31T01:00:00+10:00", 90],
        ] as const,
      },
      {
        labels: { region: "VIC1" },
        points: [
          ["2025-01-31T00:00:00+10:00", 5],
          ["2025-01-31T01:00:00+10:00", null],
        ] as const,
      },
    ];
    const { url } = await startService(() => ({ body: envelope([{ metric: "price", unit: "$/MWh", series }]) }));
    const line =
      `market NEM -m price -i 1h -g region -s 2025-01-31 -e 2025-01-31T01:59:59 -f csv --duration ${flags}`.trim();
    const { stdout, stderr } = await createHome().run(line.split(" "), {
      env: { ENTS_BASE_URL: url, ENTS_TOKEN: TOKEN },
    });
    expect(stdout.trimEnd().split("\n").slice(1)).toEqual(rows);
    const note = "ents: note: series have 1 to 2 values: a row has those of one rank, and its share_of_time is of 2\n";
    expect(stderr.includes(note)).toBe(label !== "");
  },
);

test("--latest: a series without a value is a null row, and no sample", async () => {
  const results = [
    {
      name: "price_SA1",
      columns: { region: "SA1" },
      data: [
        ["2025-01-31T00:00:00+10:00", 80],
        ["2025-01-31T01:00:00+10:00", null],
      ],
    },
    { name: "price_VIC1", columns: { region: "VIC1" }, data: [["2025-01-31T01:00:00+10:00", null]] },
  ];
  const item = { network_code: "NEM", metric: "price", unit: "$/MWh", interval: "1h", results };
  const { url } = await startService(() => ({
    body: { version: "4", created_at: "2025-02-01T06:00:00+10:00", success: true, data: [item] },
  }));
  const run = (format: string) =>
    createHome().run([..."market NEM -m price -i 1h -g region --latest -f".split(" "), format], {
      env: { ENTS_BASE_URL: url, ENTS_TOKEN: TOKEN },
    });
  const { stdout } = await run("csv");
  expect(stdout.replace(/,\d{6,},/, ",AGE,")).toBe(
    "timestamp,age_seconds,network,metric,unit,region,value\n2025-01-31T00:00:00+10:00,AGE,NEM,price,$/MWh,SA1,80\n,,NEM,price,$/MWh,VIC1,\n",
  );
  const { stdout: metrics } = await run("openmetrics");
  expect(metrics.split("\n").filter((line) => line.startsWith("ents_"))).toEqual([
    'ents_price{network="NEM",unit="$/MWh",region="SA1",interval="1h"} 80',
    'ents_price_timestamp_seconds{network="NEM",unit="$/MWh",region="SA1",interval="1h"} 1738245600',
  ]);
  expect(metrics.endsWith("# EOF\n")).toBe(true);
});
