/** `-f xlsx`: the cells of a workbook, and when none is written. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { CUT, fetchWhole, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { type World } from "../faults/world.ts";
import { describeFormat, FORMAT_NAMES } from "../../src/format/registry.ts";
import { FULL, some } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope, TOKEN } from "./envelopes.ts";
import { NASTY_LABELS, readWorkbook, toPlainRows, typeCsv } from "./read-xlsx.ts";

async function exportTo(home: Home, line: string, world: Partial<World> = {}) {
  const service = await startWorldService({ world });
  return runIn({ home, service }, [...QUERY, ...CUT, "-o", ...line.split(" ")]);
}

const VALUES = /^(?:value|power|energy)/;

const SHAPES = [
  ["--shape wide", ""],
  ["--shape long --time-zone Australia/Sydney", "--shape long --time-zone Australia/Sydney"],
  ["--pivot region --allow-unknown", "--pivot region --allow-unknown"],
  ["--shape long", "--shape long"],
  ["--shape wide --interval-end", "--interval-end"],
  ["--shape wide --time-zone utc", "--time-zone utc"],
] as const;

test.concurrent.for(some(3, SHAPES))(
  "the cells are those of csv %s: nulls, booleans, duplicates and ragged series",
  async ([csvLine, line]) => {
    const home = createHome();
    expect(await exportTo(home, `out.xlsx ${line}`.trimEnd())).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const csv = await fetchWhole(QUERY, ["-f", "csv", "--time-format", "local", ...csvLine.split(" ")]);
    const { rows, names, frozenRows } = await readWorkbook(home.path("out.xlsx"));
    expect(toPlainRows(rows)).toEqual(typeCsv(csv, VALUES));
    expect({ names, frozenRows }).toEqual({ names: ["Data", "Source"], frozenRows: 1 });
    expect(readdirSync(home.folder)).toEqual(["out.xlsx"]);
  },
);

test.concurrent("headings have units, codes have names beside them, numbers have a format, and a filter is on all rows", async () => {
  const home = createHome();
  const read = async (line: string) => {
    await exportTo(home, line);
    const { sheets } = await readXlsx(readFileSync(home.path(line.split(" ")[0] as string)), { readStyles: true });
    const [{ rows, autoFilter, cells }] = sheets as [NonNullable<(typeof sheets)[0]>];
    return {
      rows,
      formats: new Set(
        [...(cells?.values() ?? [])].filter(({ type }) => type === "number").map(({ style }) => style?.numFmt),
      ),
      filtered: autoFilter?.range,
    };
  };
  const long = await read("wide.xlsx");
  expect(long.rows[0]).toEqual([
    "timestamp",
    "network",
    "region",
    "region_name",
    "renewable",
    "power (MW)",
    "energy (MW)",
  ]);
  expect(long.rows.find((row) => row[2] === "NSW1")?.[3]).toBe("New South Wales");
  expect(long.formats).toContain("#,##0.00");
  expect(long.filtered).toBe(`A1:G${long.rows.length}`);
  const pivot = "market NEM -m price -i 1h --last 3h -g region --pivot region --sandbox -q -o pivot.xlsx";
  await home.run(pivot.split(" "));
  expect((await readWorkbook(home.path("pivot.xlsx"))).rows[0]).toContain("NSW1, New South Wales ($/MWh)");
  expect((await read("raw.xlsx --raw-names")).rows[0]).toEqual([
    "timestamp",
    "network",
    "region",
    "renewable",
    "power (MW)",
    "energy (MW)",
  ]);
});

test.concurrent("labels are text, whatever they look like", async () => {
  const labels = [...NASTY_LABELS, "\ud800 \uffff \udc00"];
  const points = [["2025-01-01T00:00:00+10:00", 1]] as const;
  const series = labels.map((unit_code) => ({ labels: { unit_code }, points }));
  const service = await startService(() => ({ body: envelope([{ series }]) }));
  const home = createHome();
  await runIn({ home, service }, ["facilities", "NEM", "-m", "power", "-o", "out.xlsx"]);
  const { rows } = await readWorkbook(home.path("out.xlsx"));
  expect(new Set(rows.slice(1).map((row) => row[2]))).toEqual(new Set([...NASTY_LABELS, "\ufffd \ufffd \ufffd"]));
});

test.concurrent("the second worksheet says where the data come from, without the token", async () => {
  const home = createHome();
  const service = await startWorldService();
  await runIn({ home, service }, [...QUERY, ...CUT, "-o", "out.xlsx"]);
  const { source } = await readWorkbook(home.path("out.xlsx"));
  const facts = source.map((row) => `${String(row[0] ?? "")}|${String(row[1])}`);
  expect(facts.slice(0, 3)).toEqual([
    `service|${service.url}/`,
    `command|ents network NEM --metrics power energy --interval 5m --date-start 2025-01-01T00:00:00 --date-end 2025-01-01T06:59:59 --output out.xlsx --max-window 1h --rate 1000 --base-url ${service.url}`,
    expect.stringMatching(/^ents version\|\d+\.\d+\.\d+/),
  ]);
  expect(facts).toEqual(
    expect.arrayContaining([
      "query|network NEM",
      "|metrics: power, energy",
      "window|from 2025-01-01T00:00:00 (network time)",
      "|to 2025-01-01T06:59:59 (network time)",
      "time zone|network time",
      "units|MW",
      "service version|4.5.1",
      "answers created|2025-02-01T00:00:00Z",
    ]),
  );
  // Concurrent requests may arrive in any order.
  const urls = service.requests.map(({ url }) => url).toSorted();
  expect(facts.slice(-7)).toEqual(urls.map((url, index) => `${index === 0 ? "requests" : ""}|${url}`));
  expect(JSON.stringify(source)).not.toContain(TOKEN);
});

test.concurrent("for the sandbox, it says that the numbers are synthetic", async () => {
  const home = createHome();
  await home.run([
    "market",
    "NEM",
    "-m",
    "price",
    "-i",
    "1h",
    "-s",
    "2025-01-01",
    "-e",
    "2025-01-01",
    "--sandbox",
    "-o",
    "out.xlsx",
  ]);
  const { source } = await readWorkbook(home.path("out.xlsx"));
  expect(source[0]).toEqual(["service", "the sandbox inside ents: synthetic data"]);
});

test.concurrent("a list has text, and no second worksheet", async () => {
  const home = createHome();
  expect(await home.run(["metrics", "-o", "metrics.xlsx"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const { rows, names } = await readWorkbook(home.path("metrics.xlsx"));
  expect(rows).toEqual(typeCsv((await home.run(["metrics", "-f", "csv"])).stdout, /^$/));
  expect(names).toEqual(["Data"]);
});

test.concurrent("more intervals than rows is a usage error before any request", async () => {
  const home = createHome();
  const service = await startWorldService();
  writeFileSync(home.path("big.xlsx"), "old");
  const query = ["network", "NEM", "-m", "power", "-i", "5m", "-s", "2005", "-e", "2024"];
  expect(await runIn({ home, service }, [...query, "-o", "big.xlsx"])).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr:
      "ents: xlsx holds at most 1,048,575 rows; this window has 2,103,840 intervals of 5m\n" +
      "      use another --format, such as csv, a coarser --interval or a shorter window\n",
  });
  expect(service.requests).toEqual([]);
  expect(readFileSync(home.path("big.xlsx"), "utf8")).toBe("old");
});

test.runIf(FULL).concurrent("more rows than that is exit 6, and the old file stays", async () => {
  const home = createHome();
  writeFileSync(home.path("big.xlsx"), "old");
  const query = [
    "market",
    "NEM",
    "-m",
    "price",
    "-i",
    "5m",
    "-s",
    "2020",
    "-e",
    "2022",
    "--group-by",
    "region",
    "--sandbox",
  ];
  const run = await home.run([...query, "-o", "big.xlsx", "--max-window", "300d", "--rate", "1000", "--no-resume"]);
  expect(run).toMatchObject({ code: 6, stdout: "" });
  expect(run.stderr).toContain(
    "ents: the result has more than the 1,048,575 rows that xlsx holds\n      choose another format, such as csv",
  );
  expect(readFileSync(home.path("big.xlsx"), "utf8")).toBe("old");
  expect(readdirSync(home.folder)).toEqual(["big.xlsx"]);
});

test.concurrent.for(FORMAT_NAMES)("a list as %s: written, or refused if the format needs series", async (format) => {
  const home = createHome();
  const run = await home.run(["metrics", "-f", format, "-o", "metrics"]);
  const { seriesOnly } = describeFormat(format);
  expect(readdirSync(home.folder)).toEqual(seriesOnly ? [] : ["metrics"]);
  const refusal = `ents: format ${format} only works with time series\n      use table, csv, `;
  expect(run).toMatchObject({
    code: seriesOnly ? 2 : 0,
    stdout: "",
    stderr: expect.stringContaining(seriesOnly ? refusal : "") as string,
  });
});

test.concurrent.for([
  ["-f", "xlsx"],
  ["-o", "x.xlsx"],
])("a dry run prints its plan as text: %s %s", async (flags) => {
  const home = createHome();
  const plain = [...QUERY, ...CUT, "--dry-run"];
  expect(await home.run([...plain, ...flags])).toEqual(await home.run(plain));
  expect(await home.run([...plain, ...flags], { columns: 100 })).toEqual(await home.run(plain, { columns: 100 }));
  expect(readdirSync(home.folder)).toEqual([]);
});
