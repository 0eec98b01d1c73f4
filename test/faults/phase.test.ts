/** Intervals that do not start where those of the public service do: learned from the first timestamps, or a warning. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FULL, some } from "../support/extent.ts";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { DAY, type LocalTime, MINUTE } from "../../src/time/local-time.ts";
import type { ReceivedRequest } from "../support/scripted-service.ts";
import { answerQuery, bucketsOf, HOUR, readMoment, type World, WORLD } from "./world.ts";
import { fetchWhole, OUT, type Play, runIn, startIn, startWorldService } from "./world-service.ts";

const DAYS_FROM_SIX: Partial<World> = { interval: "1d", step: 6 * HOUR, bucketOf: bucketsOf(DAY, 6 * HOUR) };
const WEDNESDAY = 6 * DAY;
const CSV = ["-f", "csv"];
const FAST = ["--rate", "1000"];

const ask = (interval: string, start: string, end: string) =>
  ["network", "NEM", "-m", "energy", "-i", interval, "-s", start, "-e", end] as const;
const THREE_YEARS = ask("1d", "2022-01-01", "2024-12-31");

/** The warning that the start of intervals is unknown. */
const UNCLEAR = /warning: cannot tell where the service's (\w+) intervals start from timestamps such as ([^;]*); values may be wrong/g;
const listUnclear = (stderr: string) => [...stderr.matchAll(UNCLEAR)].map(([, interval, stamps]) => `${interval}: ${stamps}`);

const wholeFromSix = fetchWhole(THREE_YEARS, CSV, DAYS_FROM_SIX);

const startOf = ({ url }: ReceivedRequest): LocalTime =>
  readMoment(new URL(url, "http://localhost").searchParams.get("date_start")) ?? Number.NaN;

const isFromSix = (request: ReceivedRequest): boolean => startOf(request) % DAY === 6 * HOUR;

const LEARNED: readonly [name: string, query: readonly string[], world: Partial<World>][] = [
  ["days from six o'clock, over three years", THREE_YEARS, DAYS_FROM_SIX],
  ["UTC days, over three years", THREE_YEARS, { interval: "1d", step: 2 * HOUR, bucketOf: bucketsOf(DAY, 10 * HOUR) }],
  [
    "hours at half past, over three months",
    ask("1h", "2025-01-01", "2025-03-31"),
    { interval: "1h", step: 10 * MINUTE, bucketOf: bucketsOf(HOUR, 30 * MINUTE) },
  ],
  [
    "weeks from Wednesday six, over three years",
    ask("7d", "2022-01-02", "2024-12-28"),
    { interval: "7d", step: 6 * HOUR, bucketOf: bucketsOf(7 * DAY, WEDNESDAY + 6 * HOUR) },
  ],
  [
    "five minutes from two past, over twenty days",
    ask("5m", "2025-01-01", "2025-01-20"),
    { interval: "5m", step: MINUTE, bucketOf: bucketsOf(5 * MINUTE, 2 * MINUTE), series: [{ labels: {} }] },
  ],
];

test.runIf(FULL).concurrent.for(LEARNED)("the real binary writes the bytes of one request: %s", async ([, query, world]) => {
  const whole = await (world === DAYS_FROM_SIX ? wholeFromSix : fetchWhole(query, CSV, world));
  for (const inclusive of [true, false]) {
    const service = await startWorldService({ world: { ...world, inclusive } });
    const run = await startIn({ service }, [...query, ...FAST]).finished;
    expect(run).toMatchObject({ code: 0, stdout: whole, stderr: "" });
    expect(service.requests.length).toBeGreaterThan(2);
  }
});

test.concurrent("the first response is used, and the rest requested from its last interval on", async () => {
  const service = await startWorldService({ world: DAYS_FROM_SIX });
  const run = await runIn({ service }, [...THREE_YEARS, "-v", "--concurrency", "1", ...FAST, ...CSV]);
  expect(run).toMatchObject({ code: 0, stdout: await wholeFromSix });
  expect(run.stderr).toMatch(/the service's 1d intervals start at \d{4}-\d\d-\d\dT06:00:00; planning the rest again/);
  expect(service.requests.filter((request) => !isFromSix(request)).map(startOf)).toEqual([Date.UTC(2022, 0, 1)]);
  expect(service.requests.length).toBeGreaterThan(2);
});

test.concurrent("a first window without data shows nothing; the next one does", async () => {
  const world = { ...DAYS_FROM_SIX, gaps: [[Date.UTC(2000, 0), Date.UTC(2022, 5, 3, 4)]] as const };
  const service = await startWorldService({ world });
  const run = await runIn({ service }, [...THREE_YEARS, "--concurrency", "1", ...FAST, ...CSV]);
  expect(run).toMatchObject({ code: 0, stdout: await fetchWhole(THREE_YEARS, CSV, world), stderr: "" });
  const [first, second, ...others] = service.requests.map(isFromSix);
  expect([first, second, ...new Set(others)]).toEqual([false, false, true]);
});

test.concurrent("any batch of codes shows it", async () => {
  const codes = Array.from({ length: 35 }, (_, index) => `U${index}`);
  const query = [
    "facilities",
    "NEM",
    "-m",
    "energy",
    "-i",
    "1d",
    "-s",
    "2025-01-01",
    "-e",
    "2025-02-28",
    "--batch",
    "--unit-code",
    ...codes,
  ];
  const isFirstBatch: Play = ({ request }) => (request.url.includes("unit_code=U0&") ? NO_DATA : undefined);
  const service = await startWorldService({ world: DAYS_FROM_SIX, play: isFirstBatch });
  const cut = await runIn({ service }, [...query, "--max-window", "20d", ...FAST, ...CSV]);
  const whole = await runIn({ service }, [...query, "--max-window", "none", ...FAST, ...CSV]);
  expect(cut).toMatchObject({ code: 0, stdout: whole.stdout });
  expect(whole.stdout.split("\n").length).toBeGreaterThan(5 * 58);
});

const NO_DATA = refusal(404, "No data available for the given parameters");

test.concurrent("a stopped export resumes with the intervals that it learned", async () => {
  let broken = true;
  const isLater = (request: ReceivedRequest) => startOf(request) >= Date.UTC(2024, 0, 1);
  const play: Play = ({ request }) => (broken && isLater(request) ? refusal(403, "Not today") : undefined);
  const service = await startWorldService({ world: DAYS_FROM_SIX, play });
  const home = createHomeWithFile();
  const command = [...THREE_YEARS, "--concurrency", "1", ...FAST, "-o", OUT];
  expect(await runIn({ home, service }, command)).toMatchObject({ code: 3 });
  const before = service.requests.length;
  broken = false;
  const resumed = await runIn({ home, service }, command);
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining("resuming: ") as string });
  expect(resumed.stderr).not.toContain("another export");
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await wholeFromSix);
  expect(service.requests.slice(before).map(startOf)).toEqual(service.requests.slice(before - 1, before).map(startOf));
});

/** Midnight in Sydney, whose clock is an hour ahead of the network's during daylight saving. */
const sydneyDay = (local: LocalTime): LocalTime => {
  const ahead = (at: LocalTime) => (isSummer(at) ? HOUR : 0);
  const day = bucketsOf(DAY)(local + ahead(local));
  return day - ahead(day - HOUR);
};
const isSummer = (local: LocalTime): boolean => {
  const year = new Date(local).getUTCFullYear();
  return local < firstSunday(year, 3) + 2 * HOUR || local >= firstSunday(year, 9) + 2 * HOUR;
};
const firstSunday = (year: number, month: number): LocalTime => bucketsOf(7 * DAY, 3 * DAY)(Date.UTC(year, month, 7));

const monthsOf = (local: LocalTime): LocalTime => Date.UTC(new Date(local).getUTCFullYear(), new Date(local).getUTCMonth());
const turnsAt = Date.UTC(2023, 5, 15);
const TURNING: Partial<World> = {
  interval: "1d",
  step: 6 * HOUR,
  bucketOf: (local) => bucketsOf(DAY, local < turnsAt ? 0 : 6 * HOUR)(local),
};

const UNLEARNED: readonly [name: string, maxWindow: string, world: Partial<World>, told: RegExp][] = [
  [
    "days of Sydney, which change with its clock after months",
    "30d",
    { interval: "1d", step: 6 * HOUR, bucketOf: sydneyDay },
    /^1d: 2022-01-\d\dT23:00:00\+10:00 and 2022-04-\d\dT00:00:00\+10:00$/,
  ],
  [
    "days from midnight, and from six o'clock later",
    "20d",
    TURNING,
    /^1d: 2022-01-\d\dT00:00:00\+10:00 and 2023-0[67]-\d\dT06:00:00\+10:00$/,
  ],
  [
    "months stamped on the 15th",
    "100d",
    { interval: "1M", step: DAY / 4, bucketOf: monthsOf, stampOf: (bucket) => bucket + 14 * DAY },
    /^1M: 2022-0\d-15T00:00:00\+10:00$/,
  ],
  [
    "days of Sydney, which change with its clock inside the first answer",
    "366d",
    { interval: "1d", step: 6 * HOUR, bucketOf: sydneyDay },
    /^1d: 2022-01-\d\dT23:00:00\+10:00 and 2022-\d\d-\d\dT00:00:00\+10:00$/,
  ],
  [
    "days from midnight, and from six o'clock in the last answer",
    "500d",
    TURNING,
    /^1d: 2022-01-\d\dT00:00:00\+10:00 and 2023-\d\d-\d\dT06:00:00\+10:00$/,
  ],
  [
    "months stamped on their last day",
    "100d",
    { interval: "1M", step: DAY / 4, bucketOf: monthsOf, stampOf: (bucket) => monthsOf(bucket + 31 * DAY) - DAY },
    /^1M: 2022-0\d-\d\dT00:00:00\+10:00 and 2022-0\d-\d\dT00:00:00\+10:00$/,
  ],
];

test.concurrent.for(some(2, UNLEARNED))("reported once, and not for a single request: %s", async ([, maxWindow, world, told]) => {
  const interval = world.interval ?? "";
  const query = ask(interval, "2022-01-01", "2023-12-31");
  const service = await startWorldService({ world });
  const run = await runIn({ service }, [...query, "--max-window", maxWindow, ...FAST, ...CSV]);
  expect(run.code).toBe(0);
  expect(listUnclear(run.stderr)).toEqual([expect.stringMatching(told)]);
  expect(run.stderr).toContain("use --max-window none to fetch it in one request\n");
  const before = service.requests.length;
  const one = await runIn({ service }, [...query, "--max-window", "none", ...FAST, ...CSV]);
  expect(one).toMatchObject({ code: 0, stderr: "" });
  expect(service.requests).toHaveLength(before + 1);
});

test.concurrent.for(some(1, ["30d", "7d"]))(
  "weeks that start on another day in each response, of %s: reported once, and the export ends",
  async (maxWindow) => {
    let answers = 0;
    const flip: Play = ({ request }) => ({
      body: answerQuery({ ...WORLD, interval: "7d", step: DAY / 4, bucketOf: bucketsOf(7 * DAY, answers++ * DAY) }, request.url),
      headers: { "content-type": "application/json" },
    });
    const service = await startWorldService({ play: flip });
    const query = ask("7d", "2022-01-02", "2022-12-31");
    const run = await runIn({ service }, [...query, "--max-window", maxWindow, "--concurrency", "1", ...FAST, ...CSV]);
    expect(run.code).toBe(0);
    expect(listUnclear(run.stderr)).toHaveLength(1);
    const starts = service.requests.map(startOf);
    expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
  },
);
