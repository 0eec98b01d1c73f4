/** `--follow` on a virtual clock. */
import { describe, expect, test } from "vitest";
import { formatList } from "../../src/base/phrases.ts";
import { findFormats } from "../../src/format/registry.ts";
import { envelope, refusal, TOKEN } from "../e2e/envelopes.ts";
import { some } from "../support/extent.ts";
import { runEnts } from "../support/run-ents.ts";
import { at, grow, readRows, timestamp, startLive, STEP } from "./live-service.ts";

const QUERY = ["network", "NEM", "-m", "power", "-i", "5m", "--last", "20m", "--follow"];
const CSV = [...QUERY, "-f", "csv"];

const minutesOf = (stdout: string) => readRows(stdout).map(([minutes]) => minutes);
const every5 = (from: number, to: number) =>
  Array.from({ length: (to - from) / 5 + 1 }, (_, index) => from + 5 * index);

test("each new interval once, in order, under one header, with one request per interval", async () => {
  const { run, asked } = await startLive({ until: at(60) });
  const { code, stdout, stderr } = await run(CSV);
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  expect(stdout.split("\n")[0]).toBe("timestamp,network,metric,unit,region,value");
  expect(minutesOf(stdout)).toEqual(every5(-20, 50));
  expect(readRows(stdout).every(([minutes, , value]) => Number(value) === minutes / 5)).toBe(true);
  expect(asked).toHaveLength(13);
  expect(new Set(asked.map(({ now }) => Math.floor(now / STEP))).size).toBe(13);
});

test("with --above it is an alarm: the values beyond alone, under one header", async () => {
  const { run } = await startLive({ until: at(60) });
  const { stdout } = await run([...CSV, "--above", "3"]);
  expect(stdout.split("\n")[0]).toBe("timestamp,network,metric,unit,region,value");
  expect(minutesOf(stdout)).toEqual(every5(20, 50));
});

test.each(["tsv", "ndjson"])("%s", async (format) => {
  const { run } = await startLive({ until: at(20) });
  const { stdout } = await run([...QUERY, "-f", format]);
  expect(stdout.match(/power/g)).toHaveLength(7);
  expect(stdout.split("\n")).toHaveLength(format === "tsv" ? 9 : 8);
});

test("a unit that changes is reported once, though each round is a new query", async () => {
  const changed = ({ now }: { now: number }) => {
    const unit = now < at(20) ? "MW" : "GW";
    const item = {
      series: [
        {
          labels: { region: "a" },
          points: every5(-20, (now - at(0)) / 60_000 - 7).map((minute) => [timestamp(at(minute)), 1] as const),
        },
      ],
    };
    return { status: 200, body: envelope([{ ...item, unit }]) };
  };
  const { run } = await startLive({ until: at(40), play: changed });
  const { stdout, stderr } = await run(CSV);
  expect([...new Set(stdout.match(/MW|GW/g))]).toEqual(["MW", "GW"]);
  expect(stderr).toBe("ents: warning: the unit of power changes (MW, then GW); each row keeps its own\n");
});

test("the requests: the window, then from a few intervals before the last one, without an end", async () => {
  const { run, service } = await startLive({ until: at(36) });
  await run(CSV);
  const starts = service.requests.map(({ url }) => new URL(url, service.url).searchParams);
  expect(starts.map((query) => query.get("date_start")?.slice(11))).toEqual([
    ...Array<string>(6).fill("11:40:00"),
    "11:45:00",
    "11:50:00",
    "11:55:00",
  ]);
  expect(starts.some((query) => query.has("date_end"))).toBe(false);
});

describe("finished intervals", () => {
  /** The interval in progress is present from its start, and its value grows. */
  const provisional = (now: number) => [
    ...grow("a"),
    { series: "a", bucket: now - (now % STEP), value: 999, from: now - (now % STEP) },
  ];

  test("the interval in progress is left out", async () => {
    const { run } = await startLive({
      until: at(30),
      readings: (now) => provisional(now).filter(({ from }) => from <= now),
    });
    const rows = readRows((await run(CSV)).stdout);
    expect(rows.map(([minutes]) => minutes)).toEqual(every5(-20, 20));
    expect(rows.some(([, , value]) => value === "999")).toBe(false);
  });

  test.each([
    ["a single forecast, and this machine's clock 90 seconds ahead", 1, { skew: 90 }],
    ["a single forecast, and this machine's clock an hour ahead", 1, { skew: 3600 }],
    ["forecasts of two hours, and this machine's clock 90 seconds ahead", 24, { skew: 90 }],
    ["a single forecast, and the service's clock an hour ahead", 1, { created: 3600 }],
    ["a single forecast, and the service's clock 90 seconds behind", 1, { created: -90 }],
  ])("also with %s", async (_, depth, { skew = 0, created = 0 }: { skew?: number; created?: number }) => {
    const forecast = grow("a").map((one) => ({ ...one, value: 999, from: one.bucket - depth * STEP }));
    const { run } = await startLive({
      until: at(30),
      readings: [...forecast, ...grow("a")],
      skew: () => skew * 1000,
      createdAt: (now) => new Date(now - 600 * 60_000 + created * 1000).toISOString(),
    });
    const rows = readRows((await run([...CSV.slice(0, 6), "-s", "2025-06-15T11:40", "--follow", "-f", "csv"])).stdout);
    const minutes = rows.map(([minute]) => minute);
    expect(minutes).toEqual(every5(-20, minutes.at(-1) ?? 0));
    expect(minutes.at(-1)).toBeGreaterThanOrEqual(15);
    expect(rows.some(([, , value]) => value === "999")).toBe(false);
  });

  const CLOCKS: readonly (readonly [string, { readonly skew?: (now: number) => number; readonly created?: number }])[] =
    [
      ["it jumps an hour ahead, and back", { skew: (now: number) => (now > at(11) && now < at(23) ? 60 : 0) }],
      ["it is set back an hour", { skew: (now: number) => (now > at(11) ? -60 : 0) }],
      ["the service's is an hour ahead", { created: 60 }],
      ["the service does not say when its answers are made", { created: Number.NaN }],
      ["this machine's clock is an hour ahead", { skew: () => 60 }],
      ["it is an hour behind", { skew: () => -60 }],
      ["the service's is an hour behind", { created: -60 }],
    ];

  test.each(some(4, CLOCKS))("also if %s", async (_, { skew = () => 0, created = 0 }) => {
    const { run, asked } = await startLive({
      until: at(120),
      readings: (now) => provisional(now).filter(({ from }) => from <= now),
      skew: (now) => skew(now) * 60_000,
      createdAt: (now) => (Number.isNaN(created) ? null : new Date(now + (created - 600) * 60_000).toISOString()),
    });
    const rows = readRows((await run([...CSV.slice(0, 6), "-s", "2025-06-15T10:30", "--follow", "-f", "csv"])).stdout);
    const minutes = rows.map(([minute]) => minute);
    expect(minutes).toEqual(every5(-60, minutes.at(-1) ?? 0));
    expect(minutes.at(-1)).toBeGreaterThanOrEqual(100);
    expect(asked.length).toBeGreaterThanOrEqual(24);
    expect(rows.some(([, , value]) => value === "999")).toBe(false);
    expect(asked.length).toBeLessThanOrEqual(27);
  });
});

test("an interval waits once for a series that has the one before", async () => {
  const late = grow("b").map((one) => (one.bucket === at(10) ? { ...one, from: at(16) } : one));
  const { run } = await startLive({ until: at(30), readings: [...grow("a"), ...late] });
  const { stdout, stderr } = await run(CSV);
  expect(stderr).toBe("");
  expect(readRows(stdout)).toEqual(every5(-20, 20).flatMap((m) => ["a", "b"].map((name) => [m, name, String(m / 5)])));
});

test("only once, if nothing newer has come by then", async () => {
  const readings = [
    ...grow("a").map((one) => (one.bucket > at(10) ? { ...one, from: at(40) } : one)),
    ...grow("b").filter(({ bucket }) => bucket < at(10)),
  ];
  const { run } = await startLive({ until: at(24), readings });
  expect(minutesOf((await run(CSV)).stdout).at(-1)).toBe(10);
});

test("a null that appears where nothing was is not reported", async () => {
  const readings = [
    ...grow("a"),
    ...grow("b").map((one) => (one.bucket === at(10) ? { ...one, value: null, from: at(26) } : one)),
  ];
  const { run } = await startLive({ until: at(50), readings });
  const { stdout, stderr } = await run(CSV);
  expect(stderr).toBe("");
  expect(readRows(stdout).filter(([minutes]) => minutes === 10)).toEqual([[10, "a", "2"]]);
});

test("late and restated values are reported and not printed", async () => {
  const readings = [
    ...grow("a"),
    ...grow("b").map((one) => (one.bucket === at(10) ? { ...one, from: at(26) } : one)),
    { series: "a", bucket: at(5), value: 7.5, from: at(21) },
  ];
  const { run } = await startLive({ until: at(50), readings });
  const { stdout, stderr } = await run(CSV);
  expect(readRows(stdout).filter(([, name]) => name === "a")).toEqual(
    every5(-20, 40).map((m) => [m, "a", String(m / 5)]),
  );
  expect(readRows(stdout).filter(([, name]) => name === "b")).toEqual(
    every5(-20, 40)
      .filter((m) => m !== 10)
      .map((m) => [m, "b", String(m / 5)]),
  );
  expect(stderr.split("\n")).toEqual([
    "ents: note: 1 value was restated, not printed: power a at 2025-06-15T12:05:00+10:00, 7.5 instead of 1",
    "ents: note: 1 value came late, not printed: power b at 2025-06-15T12:10:00+10:00, 2",
    "",
  ]);
});

test("a withdrawn value is reported, and its return; two restated values on one line", async () => {
  const gone = grow("a").map((one) => ({
    ...one,
    until: one.bucket === at(10) || one.bucket === at(15) ? at(24) : undefined,
  }));
  const back = grow("a")
    .filter(({ bucket }) => bucket === at(10))
    .map((one) => ({ ...one, from: at(34) }));
  const restated = [0, 5].map((minute) => ({ series: "b", bucket: at(minute), value: 0.5, from: at(14) }));
  const { run } = await startLive({ until: at(60), readings: [...gone, ...back, ...grow("b"), ...restated] });
  const { stdout, stderr } = await run(CSV);
  expect(readRows(stdout)).toEqual(every5(-20, 50).flatMap((m) => ["a", "b"].map((name) => [m, name, String(m / 5)])));
  expect(stderr.split("\n")).toEqual([
    "ents: note: 2 values were restated, not printed: the first is power b at 2025-06-15T12:00:00+10:00, 0.5 instead of 0",
    "ents: note: 2 values were withdrawn, not printed: the first is power a at 2025-06-15T12:10:00+10:00, null instead of 2",
    "ents: note: 1 value came late, not printed: power a at 2025-06-15T12:10:00+10:00, 2",
    "",
  ]);
});

describe("failures", () => {
  const down = (from: number, to: number, answer: object) => ({
    play: ({ now }: { now: number }) => (now >= at(from) && now < at(to) ? answer : undefined),
  });

  test.each([
    ["503s", { status: 503, body: "busy" }, /unavailable \(HTTP 503\) after 5 attempts/],
    ["resets", { instead: "reset" }, /cannot reach/],
    ["bodies that end early", { body: { data: [1, 2, 3] }, end: "hang up" }, /incomplete/],
    ["pages of a proxy", { status: 404, body: "<html>no backend</html>" }, /404/],
    ["refusals of a query that has worked", refusal(400, "no such thing"), /no such thing/],
    ["403s of a token that has worked", refusal(403, "not allowed"), /not allowed/],
    ["success: false", { body: { success: false, error: "Error executing query", data: [] } }, /Error executing query/],
    [
      "401s after the token has worked",
      refusal(401, "Authentication failed"),
      /refused \(HTTP 401\).*\n.*quota is probably spent/,
    ],
  ])("%s: reported once, and what was missed comes at once", async (_, answer, told) => {
    const { run } = await startLive({ until: at(60), ...down(11, 33, answer) });
    const { code, stdout, stderr } = await run(CSV);
    expect(code).toBe(130);
    expect(minutesOf(stdout)).toEqual(every5(-20, 50));
    expect(stderr).toMatch(told);
    expect(stderr).not.toMatch(/try again later|try again tomorrow/);
    expect(stderr.match(/ents: note/g)).toHaveLength(2);
    expect(stderr).toMatch(/note: the service is back after 2\d min\n$/);
  });

  test("at the start, too", async () => {
    const { run } = await startLive({ until: at(30), ...down(0, 12, { status: 503 }) });
    const { stdout } = await run(CSV);
    expect(minutesOf(stdout)).toEqual(every5(-20, 20));
  });

  test("a short one, when a day is due, does not cost another day", async () => {
    const [midnight, day] = [12 * 60, 24 * 60];
    const days = [-1, 0].map((index) => ({
      series: "a",
      bucket: at(midnight + (index - 1) * day),
      value: index,
      from: at(midnight + index * day),
    }));
    const { run, asked } = await startLive({
      until: at(day),
      readings: days,
      interval: "1d",
      ...down(midnight, midnight + 20, { status: 503 }),
    });
    const { stdout } = await run([
      "network",
      "NEM",
      "-m",
      "energy",
      "-i",
      "1d",
      "--last",
      "3d",
      "--follow",
      "-f",
      "csv",
    ]);
    expect(readRows(stdout).map(([, , value]) => Number(value))).toEqual([-1, 0]);
    expect(asked.filter(({ now }) => now >= at(midnight + 20) && now < at(midnight + 45))).toHaveLength(1);
  });

  test.each([
    ["a token that never worked", 3, { play: () => refusal(401, "Authentication failed") }],
    ["a request that was refused from the start", 4, { play: () => refusal(400, "no such thing") }],
    ["a token that was never allowed this", 3, { play: () => refusal(403, "not allowed") }],
    ["an answer of another shape", 4, down(11, 99, { body: { success: true, data: [{ a: 1 }] } })],
  ])("%s ends it with exit code %i", async (_, code, options) => {
    const { run } = await startLive({ until: at(60), ...options });
    expect(await run(CSV)).toMatchObject({ code });
  });
});

test.each(some(2, [600, 20, 40, 60]))(
  "each value of a series that is %i minutes late is printed or reported",
  async (behind) => {
    const from = at(-720);
    const { run } = await startLive({
      readings: [...grow("a", { from }), ...grow("b", { from, lag: behind * 60_000 })],
      until: at(60),
    });
    const { stdout, stderr } = await run([
      "network",
      "NEM",
      "-m",
      "power",
      "-i",
      "5m",
      "--last",
      "12h",
      "--follow",
      "-f",
      "csv",
    ]);
    const printed = readRows(stdout).flatMap(([minutes, series]) => (series === "b" ? [minutes] : []));
    const told = Array.from(
      stderr.matchAll(/1 value came late, not printed: .*?b.* at (\S+), /g),
      ([, time = ""]) => (Date.parse(`${time.slice(0, 19)}Z`) - at(0)) / 60_000,
    );
    // As of the last request, at most a minute before the end.
    expect([...printed, ...told]).toEqual(every5(-720, 50 - behind));
  },
);

test("a clock that jumps a year ahead costs one round of requests, and one each from then on", async () => {
  const skew = (now: number) => (now > at(20) ? 365 * 86_400_000 : 0);
  const { run, asked } = await startLive({ readings: grow("a"), until: at(90), skew });
  const { stdout } = await run(CSV);
  expect(minutesOf(stdout)).toEqual(every5(-20, 80));
  const rounds = asked.filter(({ now }) => now > at(30));
  expect(rounds.length).toBeLessThanOrEqual(13);
});

test("a machine that was asleep gets all that it missed, split if necessary", async () => {
  const DAYS = 20 * 24 * 60;
  const { run, asked } = await startLive({
    until: at(DAYS + 30),
    readings: grow("a", { to: at(DAYS + 60) }),
    sleep: [at(11), DAYS * 60_000],
  });
  expect(minutesOf((await run(CSV)).stdout)).toEqual(every5(-20, DAYS + 20));
  const after = asked.filter(({ now }) => now > at(DAYS));
  expect(after[0]?.now).toBeLessThan(at(DAYS + 13));
  expect(after.map(({ start }) => start?.slice(5, 10))).toEqual([
    "06-15",
    "06-19",
    "06-26",
    "07-03",
    "07-05",
    "07-05",
    "07-05",
    "07-05",
  ]);
});

test("a window without data, and one in the future", async () => {
  const { run, asked } = await startLive({ until: at(30), readings: grow("a", { from: at(10) }) });
  const { stdout, stderr } = await run([...CSV.slice(0, 6), "-s", "now", "--follow", "-f", "csv"]);
  expect(minutesOf(stdout)).toEqual(every5(10, 20));
  expect(stderr).toMatch(/no interval of this window has ended yet/);
  expect(stderr).toMatch(/no data/);
  expect(asked[0]?.now).toBeGreaterThan(at(5));
});

test("without -i, the interval of the responses", async () => {
  const { run, service } = await startLive({ until: at(20) });
  const { stdout } = await run(["network", "NEM", "-m", "power", "--follow", "-f", "csv"]);
  expect(minutesOf(stdout)).toEqual(every5(-30, 10));
  expect(service.requests.map(({ url }) => new URL(url, service.url).searchParams.get("interval"))).toEqual([
    null,
    "5m",
    "5m",
    "5m",
    "5m",
  ]);
  const other = await startLive({ until: at(20), interval: "2M" });
  expect(await other.run(["network", "NEM", "-m", "power", "--follow", "-f", "csv"])).toMatchObject({
    code: 2,
    stderr: 'ents: cannot follow: unknown interval "2M"\n      choose one with -i\n',
  });
});

describe("--pivot", () => {
  const PIVOT = [...QUERY, "-g", "region", "--pivot", "region"];
  const comes = [...grow("NSW1"), ...grow("VIC1", { from: at(-20), to: at(5) }), ...grow("SA1", { from: at(15) })];

  test("columns are those of the window; one that disappears is empty, a new one ends csv with advice", async () => {
    const { run } = await startLive({ until: at(60), readings: comes });
    const { code, stdout, stderr } = await run([...PIVOT, "-f", "csv"]);
    expect(code).toBe(4);
    expect(stdout.split("\n")[0]).toBe("timestamp,network,NSW1,VIC1");
    expect(stdout).toMatch(/T12:00:00\+10:00,NEM,0,0\n.*T12:05:00\+10:00,NEM,1,\n.*T12:10:00\+10:00,NEM,2,\n$/);
    expect(stderr).toBe(
      "ents: the newest values have a column that the header lacks: SA1\n" +
        "      run the command again, or use --format ndjson, where columns may come and go\n",
    );
  });
});

describe("table and chart", () => {
  test("in a pipe, below each other; the window slides", async () => {
    const { run } = await startLive({ until: at(16) });
    const { stdout } = await run([...QUERY, "-f", "table"]);
    const frames = stdout.trim().split(/\n\n(?=timestamp)/);
    expect(frames).toHaveLength(4);
    expect(frames.map((frame) => /^(\d+) rows, (.*), UTC/m.exec(frame)?.slice(1))).toEqual([
      ["4", "2025-06-15 11:40 to 2025-06-15 11:55"],
      ["4", "2025-06-15 11:45 to 2025-06-15 12:00"],
      ["4", "2025-06-15 11:50 to 2025-06-15 12:05"],
      ["4", "2025-06-15 11:55 to 2025-06-15 12:10"],
    ]);
  });

  test("on a terminal in place, each frame at once, and the last one stays", async () => {
    const { run } = await startLive({ until: at(16) });
    const { stdout } = await run([...QUERY, "-f", "chart"], { columns: 60 });
    expect(stdout.split("\u001b[?1049h")).toHaveLength(2);
    expect(stdout.split("\u001b[H")).toHaveLength(5);
    const [, after = ""] = stdout.split("\u001b[?25h\u001b[?1049l");
    expect(after).toMatch(/Power/);
    expect(after).toMatch(/12:10/);
  });

  test("an outage is reported under the table, and after it at the end", async () => {
    const play = ({ now }: { now: number }) =>
      now > at(9) && now < at(13) ? { status: 503, body: "busy" } : undefined;
    const { run } = await startLive({ until: at(26), play });
    const { stdout, stderr } = await run([...QUERY, "-f", "table"], { columns: 60 });
    const [painted = "", after = ""] = stdout.split("\u001b[?1049l");
    const frames = painted.split("\u001b[H").map((frame) => frame.replaceAll(/\u001b\[[?0-9;]*[a-zA-Z]/g, ""));
    const notes = frames
      .map((frame) => frame.split("\r\n").filter((line) => line.startsWith("ents: note")))
      .filter(({ length }) => length > 0);
    expect(notes).toEqual([
      [expect.stringMatching(/^ents: note: the service is unavailable \(HTTP 503\) after/)],
      [expect.stringMatching(/^ents: note: the service is back after \d+ min$/)],
    ]);
    expect(frames.every((frame) => frame.split("\r\n").every((line) => line.length <= 60))).toBe(true);
    expect(after).not.toContain("note");
    expect(stderr).toMatch(
      /^ents: note: the service is unavailable [\s\S]*?\nents: note: the service is back after \d+ min\n$/,
    );
  });

  test("restated values are drawn", async () => {
    const { run } = await startLive({
      until: at(16),
      readings: [...grow("a"), { series: "a", bucket: at(0), value: 77, from: at(9) }],
    });
    const { stdout, stderr } = await run([...QUERY, "-f", "table"]);
    expect(stdout.match(/12:00 +77/g)).toHaveLength(2);
    expect(stdout.match(/12:00 +0/g)).toHaveLength(1);
    expect(stderr).toBe("");
  });
});

test("--summary comes at the end", async () => {
  const { run } = await startLive({ until: at(16) });
  const { code, stderr } = await run([...CSV, "--summary"]);
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /^summary: 1 series, 7 points.*\nno nulls, none missing, first 2025-06-15 11:40, last 2025-06-15 12:10,$/m,
  );
});
const GROWING = findFormats(({ grows }) => grows);
const REFUSED = `--follow only works with --format ${formatList([...GROWING, ...findFormats(({ redrawn }) => redrawn)], "or")}`;

test.concurrent.for([
  [["-f", "json"], REFUSED],
  [["-f", "parquet", "-o", "/dev/null"], REFUSED],
  [
    ["-o", "power.csv"],
    "      to record what comes, use >> power.csv instead of -o (a single > empties it at each start)",
  ],
  [["-e", "2025-02-01"], "--follow cannot be used with -e"],
] as const)("exit 2: %s", async ([args, message]) => {
  const { code, stderr } = await runEnts([
    "network",
    "NEM",
    "-m",
    "power",
    "-i",
    "5m",
    "--follow",
    "--sandbox",
    ...args,
  ]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
});

test("the daily cost in requests is noted if it is large", async () => {
  const me = { body: { data: { plan: "COMMUNITY" } } };
  const { run } = await startLive({
    until: at(16),
    play: ({ request }) => (request.url === "/v4/me" ? me : undefined),
  });
  const env = { ENTS_TOKEN: undefined };
  await run(["login"], { stdin: TOKEN, env });
  const { stderr } = await run(CSV, { env });
  expect(stderr).toBe("ents: note: following takes 288 requests a day, 58 % of a community key's 500 requests a day\n");
});
