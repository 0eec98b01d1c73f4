/** A new dataset holds the rows of a single file, split where a period of network time begins. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { formatList } from "../../src/base/phrases.ts";
import { findFormats } from "../../src/format/registry.ts";
import { intervalsOf } from "../faults/world.ts";
import { some } from "../support/extent.ts";
import { createPlace, HOURLY, joinCsv, readData, readDescription, readFiles, readParquet } from "./datasets.ts";
import { DAY } from "../../src/time/local-time.ts";

const OPEN = ["network", "NEM", "-m", "power", "energy", "-i", "1h", "-s", "2025-01-05"];
const QUERY = [...OPEN, "-e", "2025-02-09"];

describe("the rows of a single file", () => {
  const CASES: readonly (readonly [period: string, flags: readonly string[]])[] = [
    ["month", []],
    ["day", ["--shape", "wide", "--time-zone", "utc"]],
    ["year", ["--shape", "wide", "--interval-end"]],
    ["month", ["-g", "region", "--pivot", "region", "--max-window", "3d"]],
    ["day", ["-g", "region", "--pivot", "region", "--max-window", "3d", "--no-resume"]],
    ["day", []],
    ["month", ["-g", "region", "--pivot", "region"]],
    ["month", ["--max-window", "3d"]],
  ];

  test.each(some(5, CASES))("csv by %s with %j", async (period, flags) => {
    const { run, home } = await createPlace();
    expect(await run([...QUERY, ...flags, "-o", "one.csv"])).toMatchObject({ code: 0 });
    expect(await run([...QUERY, ...flags, "-f", "csv", "-o", "many/", "--partition", period])).toMatchObject({
      code: 0,
    });
    expect(joinCsv(home.path("many"))).toBe(readFileSync(home.path("one.csv"), "utf8"));
    expect(Object.keys(readFiles(home.folder)).filter((path) => !/^(one.csv|many\/.*)$/.test(path))).toEqual([]);
  });

  test("as it stands: every file whose path has no name that begins with _ or . is Parquet, of one schema, as pyarrow reads a folder", async () => {
    const { run, home } = await createPlace();
    expect(await run([...QUERY, "-o", "many/", "--partition", "month", "--update"])).toMatchObject({ code: 0 });
    const all = readdirSync(home.path("many"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const paths = all.map(({ parentPath, name }) => relative(home.path("many"), join(parentPath, name)));
    const read = paths.filter((path) => !/(?:^|[\\/])[._]/.test(path));
    expect([read.length, paths.length > 4]).toEqual([2, true]);
    const schemas = read.map(
      (path) => parquetMetadata(Uint8Array.from(readFileSync(home.path(`many/${path}`))).buffer).schema,
    );
    expect(schemas[1]).toEqual(schemas[0]);
  });

  test("ndjson, by day", async () => {
    const { run, home } = await createPlace();
    await run([...QUERY, "-o", "one.ndjson"]);
    expect(await run([...QUERY, "-f", "ndjson", "-o", "many", "--partition", "day"])).toMatchObject({ code: 0 });
    expect(Object.values(readData(home.path("many"))).join("")).toBe(readFileSync(home.path("one.ndjson"), "utf8"));
    expect(Object.keys(readData(home.path("many")))).toHaveLength(36);
  });

  test("parquet where no format is named; its files name no responses, so that they are the same as long as their rows are", async () => {
    const { run, home } = await createPlace();
    await run([...QUERY, "-o", "one.parquet"]);
    expect(await run([...QUERY, "-o", "many/", "--partition", "month", "--max-window", "8d"])).toMatchObject({
      code: 0,
    });
    const one = await parquetReadObjects({ file: Uint8Array.from(readFileSync(home.path("one.parquet"))).buffer });
    expect(await readParquet(home.path("many"))).toEqual(one);
    const starts = Object.values(readFiles(home.path("many")))
      .slice(1)
      .map(listStarts);
    expect(starts).toEqual([[], []]);
  });

  test("weeks are where they begin, also before the start", async () => {
    const { run, home } = await createPlace({
      ...HOURLY,
      interval: "7d",
      step: DAY,
      intervalOf: intervalsOf(7 * DAY, Date.UTC(2025, 0, 5)),
    });
    await run([
      "network",
      "NEM",
      "-m",
      "energy",
      "-i",
      "7d",
      "-s",
      "2025-01-01",
      "-e",
      "2025-02-09",
      "-q",
      "-f",
      "csv",
      "-o",
      "d",
      "--partition",
      "month",
    ]);
    const timestamps = Object.entries(readData(home.path("d"))).map(([path, text]) => [
      path,
      text.split("\n")[1]?.slice(0, 10),
    ]);
    expect(timestamps).toEqual([
      ["year=2024/month=12/data.csv", "2024-12-29"],
      ["year=2025/month=01/data.csv", "2025-01-05"],
      ["year=2025/month=02/data.csv", "2025-02-02"],
    ]);
  });

  test("an unknown network is cut by the offset of its responses", async () => {
    const { run, home } = await createPlace();
    const query = [...QUERY.with(1, "XYZ"), "-f", "csv", "--time-zone", "utc"];
    await run([...query, "-o", "one.csv"]);
    expect(await run([...query, "-o", "many", "--partition", "month"])).toMatchObject({ code: 0, stderr: "" });
    const data = readData(home.path("many"));
    expect(joinCsv(home.path("many"))).toBe(readFileSync(home.path("one.csv"), "utf8"));
    expect(data["year=2025/month=02/data.csv"]?.split("\n")[1]).toMatch(/^2025-01-31T14:00:00Z,/);
    expect(readDescription(home.path("many")).ents).toMatchObject({ utc_offset: "+10:00" });
  });

  test("the sandbox", async () => {
    const { run, home } = await createPlace();
    const query = [
      "market",
      "NEM",
      "-m",
      "price",
      "-i",
      "1h",
      "-s",
      "2024-12-30",
      "-e",
      "2025-01-02",
      "-g",
      "region",
      "--sandbox",
      "-q",
    ];
    await run([...query, "-o", "one.csv"]);
    await run([...query, "-f", "csv", "-o", "many", "--partition", "year"]);
    expect(joinCsv(home.path("many"))).toBe(readFileSync(home.path("one.csv"), "utf8"));
    expect(Object.keys(readData(home.path("many")))).toEqual(["year=2024/data.csv", "year=2025/data.csv"]);
  });
});

function listStarts(bytes: Buffer): string[] {
  const text = parquetMetadata(Uint8Array.from(bytes).buffer).key_value_metadata?.find(
    ({ key }) => key === "datapackage",
  )?.value;
  const { ents } = JSON.parse(text ?? "") as { ents: { requests: readonly { readonly path: string }[] } };
  return ents.requests.map(
    ({ path }) => new URL(path, "http://localhost").searchParams.get("date_start")?.slice(0, 10) ?? "",
  );
}

test("its description lists every file with bytes, rows and hash", async () => {
  const { run, home } = await createPlace();
  await run([...QUERY, "--shape", "wide", "-o", "d", "--partition", "month"]);
  const { resources, ents } = readDescription(home.path("d"));
  expect(resources).toMatchObject([
    { name: "nem-network-1h-year-2025-month-01", path: "year=2025/month=01/data.parquet", rows: 27 * 24 + 11 * 24 },
    { name: "nem-network-1h-year-2025-month-02", path: "year=2025/month=02/data.parquet", rows: 2 * 9 * 24 },
  ]);
  const files = readFiles(home.path("d"));
  for (const { path, bytes, hash } of resources) {
    const content = files[path] as Buffer;
    expect({ bytes, hash }).toEqual({
      bytes: content.length,
      hash: `sha256:${createHash("sha256").update(content).digest("hex")}`,
    });
  }
  expect(ents).toMatchObject({
    output: { format: "parquet", partition: "month" },
    window: { start: "2025-01-05T00:00:00", end: "2025-02-09T23:59:59" },
    requests: [{ version: "4.5.1" }, { version: "4.5.1" }, { version: "4.5.1" }],
  });
  expect(ents).not.toHaveProperty("unfinished");
});

describe("where it may not be", () => {
  const allowed = formatList(
    findFormats(({ dataset }) => dataset),
    "or",
  );

  test.each([
    [["-f", "json"], `--partition cannot write json\n      use ${allowed}`],
    [["-f", "tsv"], `--partition cannot write tsv\n      use ${allowed}`],
  ])("with %j", async (flags, message) => {
    const { run, service, home } = await createPlace();
    const { code, stderr } = await run([...OPEN, ...flags, "-o", "d", "--partition", "month"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
    expect(service.requests).toEqual([]);
    expect(readFiles(home.folder)).toEqual({});
  });

  test.each(["out.csv", "out.csv.gz", "out.ndjson/"])(
    "named %s, as if it were a file of another format",
    async (name) => {
      const { run, home } = await createPlace();
      const { code, stderr } = await run([...QUERY, "-o", name, "--partition", "month"]);
      const named = name.replace("/", "");
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `ents: cannot tell the format of the files in the folder ${named}\n      choose it with --format (${allowed}), or use a name without an extension\n`,
      });
      expect(readFiles(home.folder)).toEqual({});
    },
  );

  test("on standard output, in a file, in a folder without a parent", async () => {
    const { run, home } = await createPlace();
    writeFileSync(home.path("file"), "");
    expect(await run([...QUERY, "-o", "-", "--partition", "month"])).toMatchObject({ code: 2 });
    expect(await run([...QUERY, "--partition", "month"])).toMatchObject({ code: 2 });
    expect(await run([...QUERY, "-o", "file", "--partition", "month"])).toMatchObject({ code: 6 });
    expect(await run([...QUERY, "-o", "no/folder", "--partition", "month"])).toMatchObject({ code: 6 });
    mkdirSync(home.path("d"));
    const { code, stderr } = await run([...QUERY, "-o", "d/"]);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining("or --partition to write several files into it") as string,
    });
  });

  const HINT = "      restore the _datapackage.json that ents wrote there, or choose another folder with -o\n";

  test.each([
    ["year=2020/old.parquet", "has data (year=2020), but no _datapackage.json"],
    ["old.csv", "has data (old.csv), but no _datapackage.json"],
    ["region=NSW1/x", "has data (region=NSW1), but no _datapackage.json"],
    ["_datapackage.json", "has a _datapackage.json that ents cannot continue"],
  ])("beside %s, which it did not write", async (path, problem) => {
    const { run, home, service } = await createPlace();
    mkdirSync(home.path(`d/${path.includes("/") ? path.split("/")[0] : ""}`), { recursive: true });
    writeFileSync(home.path(`d/${path}`), "theirs");
    for (const flags of [[], ["--update"]]) {
      const query = flags.length > 0 ? [...QUERY.slice(0, -2), "--complete"] : QUERY;
      const { code, stderr } = await run([...query, ...flags, "-o", "d", "--partition", "month"]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: `ents: d ${problem}\n${HINT}` });
    }
    expect(service.requests).toEqual([]);
    expect(readFiles(home.folder)).toEqual({ [`d/${path}`]: Buffer.from("theirs") });
  });

  test("beside its own data, without --update", async () => {
    const { run, service } = await createPlace();
    expect(await run([...QUERY, "-o", "d", "--partition", "month"])).toMatchObject({ code: 0 });
    const before = service.requests.length;
    const { code, stderr } = await run([...QUERY, "-o", "d", "--partition", "month"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "ents: d has data already\n      add --update, or choose another folder with -o\n",
    });
    expect(service.requests).toHaveLength(before);
  });
});

test("a file that is no data stays", async () => {
  const { run, home } = await createPlace();
  mkdirSync(home.path("d"));
  writeFileSync(home.path("d/README.md"), "mine");
  expect(await run([...QUERY, "-f", "csv", "-o", "d", "--partition", "year"])).toMatchObject({ code: 0 });
  expect(Object.keys(readFiles(home.path("d")))).toEqual(["README.md", "_datapackage.json", "year=2025/data.csv"]);
});

test("no data is no file", async () => {
  const { run, home } = await createPlace({ ...HOURLY, series: [] });
  const none = await run([...QUERY, "-o", "none", "--partition", "month"]);
  expect(none).toMatchObject({ code: 0, stderr: "ents: note: the service has no data for this query\n" });
  expect(readFiles(home.folder)).toEqual({});
});
