/**
 * Seasons of the public service: January, February and December of one year form one; each is stamped with the first
 * day of a quarter.
 */
import { expect, test } from "vitest";
import { DAY, MINUTE } from "../../src/time/local-time.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import type { ModelSeries } from "../merge/fake-service.ts";
import { runEnts } from "../support/run-ents.ts";
import type { Answer } from "../support/scripted-service.ts";
import { MODEL, SERIES, startWorld } from "../update/world.ts";

type Days = readonly [from: string, to: string];

function seriesOf(region: string, ...present: Days[]): ModelSeries {
  return {
    ...SERIES,
    labels: { region },
    present: present.map(([from, to]) => [Date.parse(from) / MINUTE, Date.parse(to) / MINUTE]),
  };
}

const ALWAYS = seriesOf("NSW1", ["2010-01-01", "2030-01-01"]);
/** No data around the end of a year, later only in summers. */
const SOMETIMES = seriesOf(
  "VIC1",
  ["2020-05-01", "2021-10-01"],
  ["2022-04-15", "2023-05-01"],
  ["2024-01-10", "2024-02-10"],
);

interface World {
  readonly series?: readonly ModelSeries[];
  readonly inclusiveEnd?: boolean;
  readonly fillsGaps?: boolean;
  /** The maximum window, in days. */
  readonly limit?: number;
}

async function openService({ limit = Number.POSITIVE_INFINITY, ...more }: World) {
  const model = { ...MODEL, interval: "season", series: [ALWAYS, SOMETIMES], ...more } as const;
  const urls: URL[] = [];
  const play = (_: number, url: string) => {
    const { searchParams } = new URL(url, "http://localhost");
    const [start, end] = ["date_start", "date_end"].map((name) => Date.parse(`${searchParams.get(name)}Z`)) as [
      number,
      number,
    ];
    urls.push(new URL(url, "http://localhost"));
    return end - start > limit * DAY ? refuse(limit) : undefined;
  };
  const service = await startWorld({ model, now: Date.UTC(2026, 0), play });
  const run = (flags: string) =>
    runEnts(["network", "NEM", "-m", "power", "-i", "season", "-g", "region", ...flags.split(" "), "--rate", "1000"], {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    });
  return { run, starts: () => urls.map(({ searchParams }) => searchParams.get("date_start")?.slice(0, 10)) };
}

function refuse(days: number): Answer {
  return refusal(400, `Date range too large for season interval. Maximum range is ${days} days.`);
}

const YEARS = "-s 2020-11-08T00:00 -e 2025-05-05T00:00";

test("January and February belong to the season stamped in October: four rows of five months", async () => {
  const { run } = await openService({ series: [ALWAYS] });
  const { code, stdout, stderr } = await run("-s 2024-01-01T00:00 -e 2024-06-01T00:00 -f csv --max-window 1y -q");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const rows = stdout.split("\n").slice(1, -1);
  expect(rows.map((row) => [row.slice(0, 10), row.endsWith(",")])).toEqual([
    ["2024-01-01", false],
    ["2024-04-01", true],
    ["2024-07-01", true],
    ["2024-10-01", false],
  ]);
});

test("a limit shorter than a year is refused, by --max-window and by the service", async () => {
  const { run, starts } = await openService({});
  expect(await run("-s 2024-01-01T00:00 -e 2024-06-01T00:00 --max-window 3M -q")).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      "ents: the maximum window of one request, 3M, is shorter than a year: seasons are only split at 1 January\n" +
      "      use a finer --interval or --max-window 1y\n",
  });
  expect(starts()).toEqual([]);
  const strict = await openService({ limit: 90 });
  expect(await strict.run("-s 2024-01-01T00:00 -e 2024-06-01T00:00 -q")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^ents: the service's maximum window, 90 days, is shorter than a year: seasons are only split at 1 January\n *use a finer --interval, such as 1M\n/,
    ) as string,
  });
});

test.for([
  ["an exclusive end", {}],
  ["an inclusive end", { inclusiveEnd: true }],
  ["gaps that are not filled", { fillsGaps: false }],
] as const)("split by --max-window or by the service's limit, they are as from one request: %s", async ([, world]) => {
  const whole = await (await openService(world)).run(`${YEARS} -f csv --max-window none`);
  expect(whole.stdout.split("\n").length).toBeGreaterThan(20);
  const service = await openService(world);
  expect(await service.run(`${YEARS} -f csv --max-window 1y`)).toEqual(whole);
  expect(service.starts()).toContain("2022-01-01");
  const strict = await openService({ ...world, limit: 732 });
  expect(await strict.run(`${YEARS} -f csv`)).toEqual(whole);
  expect(strict.starts().length).toBeGreaterThan(2);
});

test("a season's interval_start and interval_end are its first day and that of the next; a year's summer has none", async () => {
  const { run } = await openService({ series: [ALWAYS] });
  const { stdout } = await run("-s 2024-01-01 -e 2024-12-31 -f csv --interval-end -q");
  expect(
    stdout.split("\n").map((row) =>
      row
        .split(",")
        .slice(0, 3)
        .map((cell) => cell.slice(0, 10)),
    ),
  ).toEqual([
    ["timestamp", "interval_s", "interval_e"],
    ["2024-01-01", "2024-03-01", "2024-06-01"],
    ["2024-04-01", "2024-06-01", "2024-09-01"],
    ["2024-07-01", "2024-09-01", "2024-12-01"],
    ["2024-10-01", "", ""],
    [""],
  ]);
});
