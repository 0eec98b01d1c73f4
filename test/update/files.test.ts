/** Files that an update finds: mended, or refused and left as they are. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { DAY, MINUTE } from "../../src/time/local-time.ts";
import { expectError } from "../e2e/old-file.ts";
import { STEP } from "../merge/buckets.ts";
import { some } from "../support/extent.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS, START } from "./nights.ts";
import { subtract } from "./world.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;

/** What a run that must be refused before any request changes: nothing. */
async function runRefused(nights: Nights, command?: readonly string[]) {
  const before = nights.read();
  const requests = nights.service.requests.length;
  const run = await (command ? nights.run(...command) : nights.update());
  const left = readdirSync(nights.home.folder).filter((name) => /ents-(?:tmp|partial)/.test(name));
  return { run, changes: { isOther: nights.read() !== before, requests: nights.service.requests.length - requests, left } };
}

const NO_CHANGES = { isOther: false, requests: 0, left: [] };

function rewrite(nights: Nights, change: (text: string) => string): void {
  writeFileSync(nights.home.path(FILE), change(nights.read()));
}

const MENDED: readonly [string, (text: string) => string][] = [
  ["a truncated last line", (text) => text.slice(0, -17)],
  ["a cut first row", (text) => text.slice(0, text.indexOf("\n") + 20)],
  ["nothing", () => ""],
  ["five rows less", (text) => `${text.trimEnd().split("\n").slice(0, -5).join("\n")}\n`],
  ["no line feed at its end", (text) => text.slice(0, -1)],
  ["half a row more", (text) => `${text}2026-01-1`],
  ["no rows", (text) => text.slice(0, text.indexOf("\n") + 1)],
];

test.concurrent.for(some(4, MENDED))("%s is mended", async ([, change]) => {
  const nights = await createNights();
  rewrite(nights, change);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

const FOREIGN: readonly [string, (text: string) => string, readonly [number, RegExp]][] = [
  ["CR LF", (text) => text.replaceAll("\n", "\r\n"), [6, /cannot update power\.csv: .*CR LF/]],
  ["another header", (text) => text.replace("timestamp,network", "time,network"), [2, /this command writes different columns/]],
  ["text at its end", (text) => `${text}the end\n`, [6, /the row at byte \d+ is not in the form that ents writes/]],
  ["no line", () => "precious", [6, /its first line is not in the form that ents writes/]],
  ["NUL in its last row", (text) => `${text.slice(0, -2)}\0\n`, [6, /cannot update power\.csv/]],
  [
    "no rows but text",
    (text) => `${text.slice(0, text.indexOf("\n") + 1)}to do\n`,
    [6, /its first row is not in the form that ents writes/],
  ],
  ["CR LF in its rows", (text) => text.replaceAll(/\n(?=.)/g, "\r\n").replace("\r", ""), [6, /cannot update power\.csv/]],
  ["no header", (text) => text.slice(text.indexOf("\n") + 1), [2, /this command writes different columns/]],
];

test.concurrent.for(some(5, FOREIGN))("a file of another program is refused untouched: %s", async ([, change, refusal]) => {
  const nights = await createNights();
  rewrite(nights, change);
  const { run, changes } = await runRefused(nights);
  expectError(run, ...refusal);
  expect(changes).toEqual(NO_CHANGES);
});

test.concurrent("rows out of order, or that cannot be read, in the revised part leave the file as it was", async () => {
  for (const change of [
    (text: string) => text.replace("2026-01-08T05", "2026-01-02T05"),
    (text: string) => text.replace("2026-01-08T05:00", "soon"),
  ]) {
    const nights = await createNights();
    rewrite(nights, change);
    const before = nights.read();
    expectError(await nights.update(), 6, /the (?:timestamp|row).* is not in the form that ents writes/);
    expect(nights.read()).toBe(before);
  }
});

const OTHERS: readonly [string, readonly string[], RegExp][] = [
  ["another network", ["network", "WEM", ...QUERY.slice(2)], /power\.csv was written with network NEM; this command has network WEM/],
  ["another metric", QUERY.with(3, "energy"), /was written with -m power; this command has -m energy/],
  ["another interval", QUERY.with(5, "1d"), /was written with -i 1h; this command has -i 1d/],
  ["another filter", [...QUERY, "-r", "NSW1"], /was written without -r NSW1\n/],
  [
    "a filter in place of a grouping",
    [...QUERY.slice(0, 8), "-r", "NSW1"],
    /was written with --group-by region; this command has -r NSW1\n/,
  ],
  ["no grouping", QUERY.slice(0, 8), /was written with --group-by region, which this command lacks\n/],
  [
    "another command and metric",
    ["market", "NEM", "-m", "price", ...QUERY.slice(4)],
    /with 'ents network' -m power; this command has 'ents market' -m price/,
  ],
  [
    "an earlier start",
    QUERY.with(7, "2025-12-01"),
    /starts at 2026-01-01; an update cannot add earlier rows \(2025-12-01 was asked for\)\n {6}use -s 2026-01-01/,
  ],
  ["the sandbox", [...QUERY, "--sandbox"], /was written without --sandbox\n/],
  ["another shape", [...QUERY, "--shape", "wide"], /was written with --shape long; this command has --shape wide/],
  [
    "another format of timestamps",
    [...QUERY, "--time-format", "unix"],
    /was written with --time-format iso; this command has --time-format unix/,
  ],
];

describe("a file of another command is refused untouched:", () => {
  let nights: Nights;
  beforeAll(async () => {
    nights = await createNights();
  });

  test.each(OTHERS)("%s", async (_, query, says) => {
    const { run, changes } = await runRefused(nights, [...query, "-o", FILE, "--update"]);
    expectError(run, 2, says);
    expect(changes).toEqual(NO_CHANGES);
  });
});

test.concurrent("a file of the sandbox: a command without --sandbox is told so, and of no address", async () => {
  const nights = await createNights();
  const command = [...QUERY, "-o", "synthetic.csv", "--update"];
  expect(await nights.run(...command, "--sandbox")).toMatchObject({ code: 0 });
  expectError(await nights.run(...command), 2, /synthetic\.csv was written with --sandbox, which this command lacks\n/);
});

test.concurrent("a later start is that of the file", async () => {
  const nights = await createNights();
  expect(await nights.run(...QUERY.with(7, "2026-01-09"), "-o", FILE, "--update")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
  expect(nights.read(DESCRIPTION)).toContain('"start": "2026-01-01T00:00:00"');
});

test.concurrent("without a description, the file is held against the command, and gets one", async () => {
  const nights = await createNights();
  rmSync(nights.home.path(DESCRIPTION));
  const run = await nights.update();
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^ents: note: power\.csv has no description/) as string });
  expect(nights.read()).toBe(await nights.readWhole("--datapackage"));
  const read = (name: string) =>
    JSON.parse(nights.read(name)) as { resources: [{ rows: number; hash: string }]; ents: { series: object[] } };
  const [own, whole] = [read(DESCRIPTION), read("whole.csv.datapackage.json")];
  expect(own.resources[0]).toMatchObject({ rows: whole.resources[0].rows, hash: whole.resources[0].hash });
  expect(own.ents.series).toEqual(whole.ents.series);
});

const OTHER_ROWS: readonly [string, readonly string[], RegExp][] = [
  ["another network", ["network", "WEM", ...QUERY.slice(2)], /its rows are of network NEM, not WEM/],
  ["a longer interval", QUERY.with(5, "1d"), /its rows are not 1d apart/],
  ["an earlier start", QUERY.with(7, "2025-12-01"), /starts at 2026-01-01; an update cannot add/],
  ["another shape", [...QUERY, "--shape", "wide"], /this command writes different columns/],
];

describe("a file without a description is refused untouched:", () => {
  let nights: Nights;
  beforeAll(async () => {
    nights = await createNights();
    rmSync(nights.home.path(DESCRIPTION));
  });

  test.each(OTHER_ROWS)("%s", async (_, query, says) => {
    const { run, changes } = await runRefused(nights, [...query, "-o", FILE, "--update"]);
    expectError(run, 2, says);
    expect(changes).toEqual(NO_CHANGES);
  });
});

test.concurrent.for<[string, readonly string[], RegExp, number]>([
  ["a filter that leaves rows out", ["-r", "NSW1"], /it has rows of VIC1, and this command asks for -r NSW1 alone/, 0],
  ["another grouping", ["-g", "fueltech"], /this command does not fetch power NSW1, which its last rows have/, 1],
])("without a description: %s is refused", async ([, flags, says, requests]) => {
  const nights = await createNights();
  rmSync(nights.home.path(DESCRIPTION));
  const { model } = nights.world;
  const series = model.series.map((one) => ({ ...one, labels: { region: "SA1" } }));
  if (requests > 0) nights.world.model = { ...model, series };
  const { run, changes } = await runRefused(nights, [
    ...QUERY.slice(0, 8),
    "--complete",
    ...flags,
    "-g",
    "region",
    "-q",
    "-o",
    FILE,
    "--update",
  ]);
  expectError(run, 2, says);
  expect(changes).toMatchObject({ isOther: false, requests });
});

test.concurrent("without a description: a shorter interval is refused", async () => {
  const nights = await createNights();
  rmSync(nights.home.path(DESCRIPTION));
  nights.world.model = { ...nights.world.model, interval: "5m" };
  const { run, changes } = await runRefused(nights, [...QUERY.with(5, "5m"), "-q", "-o", FILE, "--update"]);
  expectError(run, 2, /its rows are not 5m apart/);
  expect(changes.isOther).toBe(false);
});

const SPARSE = [
  ["season", "2016-03-01", 2],
  ["5m", "2026-01-05", 6],
  ["3M", "2016-01-01", 3],
  ["1y", "2010-01-01", 2],
] as const;

test.concurrent.for(some(2, SPARSE))(
  "without a description: sparse rows of %s are those of the command",
  async ([interval, start, every]) => {
    const sparse = REGIONS.map((one) => ({ ...one, present: [[0, 1e8]] as const, every }));
    const nights = await createNights();
    nights.world.model = { ...nights.world.model, interval, fillsGaps: false, series: sparse };
    const command = [...QUERY.with(5, interval).with(7, start), "-o", "sparse.csv"];
    await nights.run(...command, "--update");
    rmSync(nights.home.path("sparse.csv.datapackage.json"));
    nights.goTo(40);
    expect(await nights.run(...command, "--update")).toMatchObject({ code: 0 });
    await nights.run(...command.slice(0, -1), "whole.csv");
    expect(nights.read("sparse.csv")).toBe(nights.read("whole.csv"));
  },
);

test.concurrent("without a description: a series that the file lacks, and other values, are refused; in all of a file they are not", async () => {
  const nights = await createNights();
  rmSync(nights.home.path(DESCRIPTION));
  const { model } = nights.world;
  const [one, other] = model.series as [(typeof REGIONS)[0], (typeof REGIONS)[0]];
  nights.world.model = { ...model, series: [one, other, { ...other, labels: { region: "SA1" } }] };
  expectError(await nights.update("-q"), 2, /this command fetches power SA1 too, which its rows do not have/);
  nights.world.model = { ...model, series: [one, other].map((same) => ({ ...same, base: same.base + 10 })) };
  expectError(
    await nights.update("-q"),
    2,
    /340 of 340 values in its last rows differ from the service's: it may be of another service or query/,
  );
  nights.world.model = { ...model, series: [one, other, { ...other, labels: { region: "SA1" } }] };
  expect(await nights.update("--revise", "60d")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.concurrent("a file without a header needs its description", async () => {
  const nights = await createNights(["--no-header"]);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
  rmSync(nights.home.path(DESCRIPTION));
  nights.goTo(12);
  const { run, changes } = await runRefused(nights);
  expectError(run, 2, /it has no header, and no description/);
  expect(changes).toEqual(NO_CHANGES);
});

test.concurrent("a description of another state of the file is not trusted", async () => {
  const nights = await createNights();
  const old = nights.read(DESCRIPTION);
  await nights.update();
  writeFileSync(nights.home.path(DESCRIPTION), old);
  nights.goTo(40);
  expect(await nights.update()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("was changed by another program since ents wrote it") as string,
  });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.concurrent("rows that were changed, or whose description was lost, are told, and described as of unknown origin from then on", async () => {
  const nights = await createNights();
  const readDoubt = () => (JSON.parse(nights.read(DESCRIPTION)) as { ents: { unverified_before?: string } }).ents.unverified_before;
  rewrite(nights, (text) => text.replace(/(?<=2026-01-01T05.*,)\d/, "9"));
  expect((await nights.update()).stderr).toContain("warning: power.csv was changed by another program since ents wrote it");
  expect(readDoubt()).toBe("2026-01-03T12:00:00Z");
  nights.goTo(12);
  expect((await nights.update()).stderr).not.toContain("description");
  expect(readDoubt()).toBe("2026-01-03T12:00:00Z");
  rmSync(nights.home.path(DESCRIPTION));
  nights.goTo(13);
  await nights.update();
  expect(readDoubt()).toBe("2026-01-05T12:00:00Z");
  expect(await nights.update("--revise", "60d")).toMatchObject({ code: 0 });
  expect([readDoubt(), nights.read()]).toEqual([undefined, await nights.readWhole()]);
});

test.concurrent.for([
  ["its first rows", (lines: string[]) => [...lines.slice(0, 1), ...lines.slice(200)]],
  ["rows in its middle", (lines: string[]) => lines.filter((_, index) => index < 100 || index > 120)],
  ["rows in its middle, and its last", (lines: string[]) => [...lines.filter((_, index) => index < 100 || index > 120).slice(0, -2), ""]],
  ["a series", (lines: string[]) => lines.filter((line) => !line.includes("VIC1"))],
] as const)("a file that has lost %s is refused, and can be fetched again", async ([, cut]) => {
  const nights = await createNights();
  nights.goTo(20);
  await nights.update();
  rewrite(nights, (text) => cut(text.split("\n")).join("\n"));
  const { run, changes } = await runRefused(nights);
  expectError(
    run,
    2,
    /power\.csv has lost rows: it has \d+, and had 960 when ents wrote it; .*\n {6}restore the file, or move it away to fetch all of it again/,
  );
  expect(changes).toEqual(NO_CHANGES);
  expect(await nights.update("--revise", "60d")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.concurrent("a description that is none, or cannot be read, is refused and left as it is", async () => {
  const nights = await createNights();
  const good = nights.read(DESCRIPTION);
  for (const text of ["garbage", "", good.replace("2026-01-01T00:00:00", "nonsense")]) {
    writeFileSync(nights.home.path(DESCRIPTION), text);
    const { run, changes } = await runRefused(nights);
    expectError(run, 2, /power\.csv\.datapackage\.json is not a description by ents, or is damaged\n {6}restore it, or move it away/);
    expect([changes, nights.read(DESCRIPTION)]).toEqual([NO_CHANGES, text]);
  }
});

test.concurrent("without a description: a pivot's file with a label that nobody asked for is refused", async () => {
  const labels = REGIONS.map((one) => ({ ...one, labels: { ...one.labels, odd: "x" } }));
  const nights = await createNights(["--pivot", "region"], labels);
  rmSync(nights.home.path(DESCRIPTION));
  const { run, changes } = await runRefused(nights);
  expectError(run, 6, /the column "odd" is not in the form that ents writes/);
  expect(changes).toEqual(NO_CHANGES);
});

test.concurrent("without a description: the start is that of the command, where the first bucket starts before", async () => {
  const nights = await createNights();
  nights.world.model = { ...nights.world.model, phase: 30 * MINUTE };
  const command = [...QUERY.with(7, "2026-01-03"), "-o", "new.csv", "--datapackage"];
  await nights.run(...command);
  expect(nights.read("new.csv")).toContain("\n2026-01-02T23:30:00");
  const description = nights.read("new.csv.datapackage.json");
  rmSync(nights.home.path("new.csv.datapackage.json"));
  expect(await nights.run(...command, "--update", "--revise", "60d")).toMatchObject({ code: 0 });
  expect(nights.read("new.csv.datapackage.json")).toContain(/"start": .*/.exec(description)?.[0]);
});

test.concurrent("the same request is described once, with its last answer", async () => {
  const nights = await createNights();
  for (let run = 0; run < 3; run++) await nights.update();
  const { ents } = JSON.parse(nights.read(DESCRIPTION)) as { ents: { requests: { path: string }[] } };
  expect(ents.requests).toHaveLength(3);
});

test.concurrent("without a description: a wide file's series are described once", async () => {
  const nights = await createNights(["--shape", "wide"]);
  rmSync(nights.home.path(DESCRIPTION));
  await nights.update();
  const read = (name: string) => (JSON.parse(nights.read(name)) as { ents: { series: object[] } }).ents.series;
  await nights.readWhole("--datapackage");
  expect(read(DESCRIPTION)).toEqual(read("whole.csv.datapackage.json"));
});

test.concurrent("a last row that is older than a gap of a year", async () => {
  const [one, other] = REGIONS as [(typeof REGIONS)[0], (typeof REGIONS)[0]];
  const silent = [(START + 9.5 * DAY) / STEP, (START + 400 * DAY) / STEP] as const;
  const nights = await createNights(
    [],
    [one, other].map((series) => ({ ...series, present: subtract(series.present, silent) })),
  );
  nights.goTo(405);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.concurrent("what a link names is updated; another name of the file keeps the old one, as with any export", async () => {
  const nights = await createNights();
  const { home } = nights;
  renameSync(home.path(FILE), home.path("real.csv"));
  symlinkSync("real.csv", home.path(FILE));
  linkSync(home.path("real.csv"), home.path("second.csv"));
  const before = nights.read();
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(lstatSync(home.path(FILE)).isSymbolicLink()).toBe(true);
  expect(nights.read("real.csv")).toBe(await nights.readWhole());
  expect(nights.read("second.csv")).toBe(before);
});

test.concurrent("outputs that cannot be updated are refused, with what to use", async () => {
  const nights = await createNights();
  execFileSync("mkfifo", [nights.home.path("fifo.csv")]);
  const refusals: [readonly string[], RegExp][] = [
    [["-o", "x.json"], /cannot continue x\.json: its format is json\n {6}use csv, tsv or ndjson/],
    [["-o", "x.parquet"], /format is parquet\n.*--partition/],
    [["-o", "x.csv.gz"], /cannot continue a compressed file/],
    [["-o", "-"], /needs a regular file|only works with -o/],
    [["-o", "fifo.csv"], /needs a regular file/],
    [["-o", "/dev/null", "-f", "csv"], /needs a regular file/],
    [["-o", FILE, "-e", "2026-01-05"], /--update cannot be used with -e/],
  ];
  for (const [flags, says] of refusals) expectError(await nights.run(...QUERY, ...flags, "--update"), 2, says);
  expectError(await nights.run(..."network NEM -m power -i 1h".split(" "), "-o", FILE, "--update"), 2, /--update only works with -s/);
  expectError(await nights.run(..."network NEM -m power -s 2026".split(" "), "-o", FILE, "--update"), 2, /--update only works with -i/);
  expect(existsSync(nights.home.path("x.json"))).toBe(false);
});

test.concurrent("a file of a dataset is refused: the dataset is updated as a whole", async () => {
  const nights = await createNights();
  expect(await nights.run(...QUERY, "-o", "set", "--partition", "day", "-f", "csv")).toMatchObject({ code: 0 });
  const day = "set/year=2026/month=01/day=03";
  const before = nights.read(`${day}/data.csv`);
  for (const name of ["data.csv", "new.csv"]) {
    const run = await nights.run(...QUERY, "-o", `${day}/${name}`, "--update");
    expectError(run, 2, /is part of the dataset set\n {6}to update that, use -o set --partition day;/);
  }
  expect(readdirSync(nights.home.path(day))).toEqual(["data.csv"]);
  expect(nights.read(`${day}/data.csv`)).toBe(before);
});

test.concurrent.for([
  ["-999", "a number", 0],
  ["1.50E+3", "a number", 0],
  ["VIC1", "a region", 1],
  ["MW", "a unit", 1],
] as const)("--null %s, which is also %s, is refused", async ([text, what, requests]) => {
  const nights = await createNights();
  const { run, changes } = await runRefused(nights, [...QUERY, "--null", text, "-o", "new.csv", "--update"]);
  expectError(run, 2, new RegExp(`cannot update new\\.csv: --null .* is also ${what}, and an update could not tell the two apart`));
  expect(changes).toMatchObject({ isOther: false, requests });
  expect(existsSync(nights.home.path("new.csv"))).toBe(false);
});

test.concurrent("a clock that is behind the file's rows is told", async () => {
  const nights = await createNights();
  nights.goTo(9.9);
  const { run, changes } = await runRefused(nights);
  expectError(run, 6, /its last row, .*, is after now/);
  expect(changes).toEqual(NO_CHANGES);
});

test.concurrent("nights on which the service has no data leave the file as it is, with exit code 5", async () => {
  const nights = await createNights();
  const [before, description, { model }] = [nights.read(), nights.read(DESCRIPTION), nights.world];
  for (const noData of [200, 404] as const) {
    nights.world.model = { ...model, series: [], noData };
    expectError(
      await nights.update("-q"),
      5,
      /power\.csv is unchanged: the service has no data for the period that is fetched again, where the file has 340 values/,
    );
    expect([nights.read(), nights.read(DESCRIPTION)]).toEqual([before, description]);
  }
  nights.world.model = model;
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.concurrent("a file that another program changes meanwhile is left to it", async () => {
  const nights = await createNights();
  nights.world.play = () => {
    appendFileSync(nights.home.path(FILE), "2026-01-10T15:00:00+10:00,NEM,power,MW,NSW1,1\n");
    return undefined;
  };
  expectError(await nights.update(), 6, /another program has changed it meanwhile/);
  expect(nights.read()).toMatch(/,1\n$/);
  truncateSync(nights.home.path(FILE), nights.read().length - 46);
});

test.concurrent.for(["csv", "tsv", "ndjson"])("a pivot's column may be named by any text: %s", async (format) => {
  const odd = ["a\nb", 'x\r\n"y"', "\r", 'c\td,"'].map((region): (typeof REGIONS)[0] => ({
    ...(REGIONS[0] as (typeof REGIONS)[0]),
    labels: { region },
  }));
  const nights = await createNights(["--pivot", "region", "-f", format], [...REGIONS, ...odd]);
  expect(await nights.update("--changes", "log.csv")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
  expect(existsSync(nights.home.path("log.csv"))).toBe(false);
});

test.concurrent("a row of several lines that ends too early is mended", async () => {
  const odd = ["a\nb", "c"].map((region): (typeof REGIONS)[0] => ({ ...(REGIONS[0] as (typeof REGIONS)[0]), labels: { region } }));
  const nights = await createNights([], odd);
  const rows = nights.read().split(/\n(?=2026)/);
  writeFileSync(nights.home.path(FILE), `${rows.slice(0, -1).join("\n")}\n`.replace(/b",[\d.]+\n$/, ""));
  expect(nights.read()).toMatch(/"a\n$/);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});
