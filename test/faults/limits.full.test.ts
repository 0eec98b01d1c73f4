/** A maximum window that the service names when it refuses a longer one. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile, expectError, expectUntouched } from "../e2e/old-file.ts";
import { DAY } from "../../src/time/local-time.ts";
import { HOUR, JANUARY, moment, type World } from "./world.ts";
import { fetchWhole, lengthOf, OUT, type Play, runIn, startWorldService } from "./world-service.ts";

const HOURLY: Partial<World> = { interval: "1h", step: HOUR, intervalOf: (local) => local - (local % HOUR) };
const QUERY = [
  "network",
  "NEM",
  "-m",
  "power",
  "energy",
  "-s",
  moment(JANUARY),
  "-e",
  moment(JANUARY + 10 * DAY - 1000),
];
const asHours = [...QUERY, "-i", "1h"];

const tooLarge = (interval: string, days: number) =>
  refusal(400, `Date range too large for ${interval} interval. Maximum range is ${days} days.`);

/** Refuses windows of more than this many days, from a day of January on. */
function limitTo(days: number, interval = "1h", from = 0): Play {
  return ({ request, piece }) =>
    lengthOf(request) > days * DAY && piece >= from * 24 ? tooLarge(interval, days) : undefined;
}

/** Four-day windows begin on 1, 4 and 8 January, as their calendar counts from 1970. */
const LESSONS: readonly [name: string, flags: readonly string[], play: Play, requests: number][] = [
  ["at the first and only request", [], limitTo(3), 1 + 4],
  ["at the first of several", ["--max-window", "4d", "--concurrency", "1"], limitTo(3), 1 + 4],
  ["at a later piece", ["--max-window", "4d", "--concurrency", "1"], limitTo(1, "1h", 3), 1 + 1 + 7],
  ["at the last piece", ["--max-window", "4d", "--concurrency", "1"], limitTo(1, "1h", 7), 3 + 3],
  ["twice", ["--concurrency", "1"], (asking) => limitTo(5)(asking) ?? limitTo(2, "1h", 5)(asking), 1 + 1 + 1 + 4],
  ["with several under way", ["--max-window", "4d", "--concurrency", "4"], limitTo(1), 4 + 10],
];

const whole = fetchWhole(asHours, ["-f", "csv"], HOURLY);

test.concurrent.for(LESSONS)("learned %s", async ([, flags, play, requests]) => {
  const service = await startWorldService({ world: HOURLY, play });
  const home = createHomeWithFile();
  expect(await runIn({ home, service }, [...asHours, ...flags, "--rate", "1000", "-o", OUT])).toEqual({
    code: 0,
    signal: null,
    stdout: "",
    stderr: "",
  });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests.length).toBeLessThanOrEqual(requests);
});

test.concurrent("detected during output to standard output, with an exclusive end", async () => {
  const service = await startWorldService({ world: { ...HOURLY, inclusive: false }, play: limitTo(3) });
  const run = await runIn({ service }, [...asHours, "--rate", "1000", "-f", "csv", "-v"]);
  expect(run).toMatchObject({ code: 0, stdout: await whole });
  expect(run.stderr).toContain("the service takes at most 3 days per request; planning the rest again");
});

test.concurrent("detected without --interval: the response names it", async () => {
  const service = await startWorldService({ world: HOURLY, play: limitTo(3) });
  expect(await runIn({ service }, [...QUERY, "--rate", "1000", "-f", "csv"])).toEqual({
    code: 0,
    signal: null,
    stdout: await whole,
    stderr: "",
  });
  const [first, ...others] = service.requests.map(({ url }) => new URL(url, service.url).searchParams.get("interval"));
  expect([first, ...new Set(others)]).toEqual([null, null]);
});

test.concurrent("responses before the detected limit survive a later failure", async () => {
  let broken = true;
  const limit = limitTo(1, "1h", 4);
  const service = await startWorldService({
    world: HOURLY,
    play: (asking) =>
      limit(asking) ?? (broken && asking.piece === 8 * 24 ? refusal(401, "Authentication failed") : undefined),
  });
  const home = createHomeWithFile();
  const command = [...asHours, "--max-window", "4d", "--concurrency", "1", "--rate", "1000", "-o", OUT];
  expect(await runIn({ home, service }, command)).toMatchObject({ code: 3 });
  const before = service.requests.length;
  broken = false;
  expect(await runIn({ home, service }, command)).toMatchObject({ code: 0 });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
  // The refused request again, then the ninth and tenth of January.
  expect(service.requests).toHaveLength(before + 1 + 2);
});

test.concurrent("a limit shorter than an interval: a finer one is suggested", async () => {
  const world: Partial<World> = {
    interval: "1M",
    step: DAY,
    intervalOf: (local) => Date.UTC(new Date(local).getUTCFullYear(), new Date(local).getUTCMonth()),
  };
  const service = await startWorldService({ world, play: limitTo(7, "1M") });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [
    "network",
    "NEM",
    "-m",
    "power",
    "-i",
    "1M",
    "-s",
    "2025-01",
    "-e",
    "2025-03",
    "-o",
    OUT,
  ]);
  expectError(
    run,
    2,
    /maximum window, 7 days, is shorter than one interval of 1M\n *use a finer --interval, such as 1d\n.*Maximum range is 7 days/,
  );
  expectUntouched(home);
  expect(service.requests).toHaveLength(1);
});

test.concurrent("the public service's limit of fy: 1M is suggested", async () => {
  const service = await startWorldService({ play: limitTo(7, "fy") });
  const run = await runIn({ service }, [
    "network",
    "NEM",
    "-m",
    "energy",
    "-i",
    "fy",
    "-s",
    "2025-07-01",
    "-e",
    "2026-06-30",
  ]);
  expectError(
    run,
    2,
    /maximum window, 7 days, is shorter than one interval of fy\n *use a finer --interval, such as 1M\n/,
  );
  expect(service.requests).toHaveLength(1);
});

test.concurrent.for([
  ["that the window is within", 30],
  ["of nothing", 0],
] as const)("a limit %s is not used: an error, at once", async ([, days]) => {
  const service = await startWorldService({ world: HOURLY, play: () => tooLarge("1h", days) });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...asHours, "-o", OUT]);
  expect([2, 4]).toContain(run.code);
  expect(run.stderr).toMatch(/^ents: [^\n]+\n( {6}[^\n]+\n){0,2}$/);
  expectUntouched(home);
  expect(service.requests).toHaveLength(1);
});
