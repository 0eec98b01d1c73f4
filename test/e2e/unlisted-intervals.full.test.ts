/** Intervals that v4 does not list: `30m`, and any other of whole minutes, hours or days with --allow-unknown. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findRule, findMaxDays, type Interval, isInterval } from "../../src/base/intervals.ts";
import { createHome } from "../support/run-ents.ts";
import { type ReceivedRequest, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, refusal, TOKEN } from "./envelopes.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Half past noon, and a bit, NEM time. */
const NOW = Date.parse("2026-03-15T12:34:56+10:00");

/**
 * A service whose intervals are so many minutes long; both ends of a window are inclusive, and its intervals end at
 * `until`.
 */
function serve({ url }: ReceivedRequest, minutes: number, until: number) {
  const query = new URL(url, "http://localhost").searchParams;
  const readTime = (name: string, fallback: number) => (query.has(name) ? Date.parse(`${query.get(name)}Z`) : fallback);
  const step = minutes * MINUTE;
  const last = Math.min(readTime("date_end", until), until - step);
  const points: [string, number][] = [];
  for (let at = Math.ceil(readTime("date_start", 0) / step) * step; at <= last; at += step)
    points.push([`${new Date(at).toISOString().slice(0, 19)}+10:00`, (at / MINUTE) % 997]);
  const body = envelope([{ metric: "price", unit: "$/MWh", series: [{ points }] }]);
  for (const item of body["data"] as Record<string, unknown>[]) item["interval"] = query.get("interval");
  return { body };
}

const LENGTHS: readonly [interval: string, minutes: number, cut: string][] = [
  ["30m", 30, "3d"],
  ["15m", 15, "2d"],
  ["1m", 1, "1d"],
  ["2h", 120, "3d"],
  ["3d", 4320, "6d"],
];

describe.each(LENGTHS)("%s", (interval, minutes, cut) => {
  const local = NOW + 600 * MINUTE;
  const ended = Math.floor(local / (minutes * MINUTE)) * minutes * MINUTE;
  const flags = [
    "market",
    "NEM",
    "-m",
    "price",
    "-i",
    interval,
    "-s",
    "2026-02-27",
    "--allow-unknown",
    "--rate",
    "1000",
    "-q",
  ];

  async function start() {
    const state = { now: NOW, until: ended };
    const service = await startService((request) => serve(request, minutes, state.until));
    const home = createHome();
    const clock = { ...createVirtualClock(), now: () => state.now };
    const run = (...more: string[]) =>
      home.run([...flags, "--base-url", service.url, ...more], { env: { ENTS_TOKEN: TOKEN }, clock });
    return { state, service, home, run };
  }

  test("a long window in parts equals the whole, and has each interval's end", async () => {
    const { run, service } = await start();
    const whole = await run("--max-window", "none", "--interval-end", "--complete");
    expect(service.requests).toHaveLength(1);
    const parts = await run("--max-window", cut, "--interval-end", "--complete");
    expect(service.requests.length).toBeGreaterThan(3);
    expect(parts).toEqual(whole);
    const [, ...rows] = whole.stdout.trimEnd().split("\n");
    for (const row of rows) {
      const [at = "", end = ""] = row.split(",");
      expect(Date.parse(end) - Date.parse(at)).toBe(minutes * MINUTE);
    }
    expect(Date.parse(rows.at(-1)?.split(",")[1] ?? "")).toBe(ended - 600 * MINUTE);
  });

  test("--complete ends with the last interval that has ended, and --require-complete counts the others", async () => {
    const { run, state } = await start();
    expect(await run("--complete", "--require-complete")).toMatchObject({ code: 0 });
    state.until -= 2 * minutes * MINUTE;
    const { code, stderr } = await run("--complete", "--require-complete");
    expect(code).toBe(7);
    expect(stderr).toMatch(/ents: 2 of [\d,]+ intervals have no value: /);
  });

  test("--update adds what has come since", async () => {
    const { run, state, home } = await start();
    const update = ["-o", "a.csv", "--update", "--complete", "--max-window", cut, "--revise", "1d", "--recheck", "0"];
    expect(await run(...update)).toMatchObject({ code: 0 });
    const before = readFileSync(home.path("a.csv"), "utf8");
    state.now += 3 * DAY;
    state.until += 3 * DAY;
    expect(await run(...update)).toMatchObject({ code: 0 });
    const after = readFileSync(home.path("a.csv"), "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.split("\n").length - before.split("\n").length).toBe((3 * DAY) / (minutes * MINUTE));
  });
});

test("an interval of minutes, hours or days is known by its length; nothing else that v4 does not list is", () => {
  for (const text of ["1m", "10m", "90m", "36h", "9999d"]) expect(isInterval(text)).toBe(true);
  for (const text of ["0m", "015m", "-5m", "5", "m", "1.5h", "10000m", "2M", "2y", "1w", "30M", "30s", "toString"]) {
    expect(isInterval(text)).toBe(false);
  }
  expect(findRule("14d")).toEqual({ ms: 14 * DAY, phase: 3 * DAY });
  expect(findRule("90m")).toEqual({ ms: 90 * MINUTE, phase: 0 });
});

test("its maximum window is that of the next shorter one with a limit, or one interval", () => {
  const days = { "5m": 8, "30m": 16, "1h": 32, "1d": 366 };
  const cases: [Interval, number][] = [
    ["1m", 8],
    ["15m", 8],
    ["45m", 16],
    ["12h", 32],
    ["3d", 366],
    ["500d", 500],
  ];
  for (const [interval, most] of cases) expect([interval, findMaxDays(interval, days)]).toEqual([interval, most]);
  expect(findMaxDays("15m", { ...days, "15m": 11 })).toBe(11);
});

test("30m is sent without --allow-unknown, and a service that refuses it is quoted", async () => {
  const service = await startService([refusal(422, "Input should be '5m', '1h' or '1d'")]);
  const run = await createHome().run(["market", "NEM", "-m", "price", "-i", "30m", "--base-url", service.url], {
    env: { ENTS_TOKEN: TOKEN },
  });
  expect(service.requests[0]?.url).toContain("interval=30m");
  expect(run).toMatchObject({ code: 4, stdout: "" });
  expect(run.stderr).toContain("Input should be '5m', '1h' or '1d'");
});

test.each([
  [
    "-i 2M --allow-unknown -s 2026-01-01",
    '--max-window 8d has no effect: ents does not know where intervals of "2M" start',
  ],
  ["-s 2026-01-01", "--max-window 8d has no effect: it needs --interval"],
  ["-i 2M --allow-unknown -s 2026-03-10", undefined],
  ["-i 2M --allow-unknown", undefined],
])("--max-window with %s", async (flags, warning) => {
  const line = `market NEM -m price ${flags} --max-window 8d --dry-run`;
  const { code, stderr } = await createHome().run(line.split(" "), {
    clock: { ...createVirtualClock(), now: () => NOW },
  });
  expect(code).toBe(0);
  expect(/--max-window.*/.exec(stderr)?.[0]).toBe(warning);
});
