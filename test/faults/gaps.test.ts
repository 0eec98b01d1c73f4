/**
 * A service that fills gaps with null between a series' first and last point, as the public one has since August 2026.
 */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { envelope, refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { startService } from "../support/scripted-service.ts";
import { MINUTE } from "../../src/time/local-time.ts";
import { HOUR, hours, JANUARY, moment, type World } from "./world.ts";
import { type Asking, CUT, fetchWhole, OUT, type Play, QUERY, runIn, startWorldService } from "./world-service.ts";

const ROOFTOP: Partial<World> = {
  series: [
    { labels: { region: "NSW1", fueltech: "wind" } },
    { labels: { region: "NSW1", fueltech: "solar_rooftop" }, every: 30 * MINUTE },
    { labels: { region: "WEM", fueltech: "solar_rooftop" }, every: 30 * MINUTE, from: hours(5), to: hours(40) },
  ],
};
const DAYS = [
  "network",
  "NEM",
  "-m",
  "power",
  "-i",
  "5m",
  "-s",
  moment(JANUARY),
  "-e",
  moment(JANUARY + 72 * HOUR - 1000),
];
const AT_MIDNIGHT = ["--max-window", "1d", "--rate", "1000"];

test.concurrent.for([
  ["csv", "long"],
  ["csv", "wide"],
  ["ndjson", "long"],
  ["json", undefined],
] as const)("half-hourly rooftop solar at five minutes, split at midnight: %s %s", async ([format, shape]) => {
  const flags = ["-f", format, ...(shape ? ["--shape", shape] : [])];
  const whole = await fetchWhole(DAYS, flags, ROOFTOP);
  for (const inclusive of [true, false]) {
    const service = await startWorldService({ world: { ...ROOFTOP, inclusive } });
    expect(await runIn({ service }, [...DAYS, ...flags, ...AT_MIDNIGHT])).toEqual({
      code: 0,
      signal: null,
      stdout: whole,
      stderr: "",
    });
    expect(service.requests).toHaveLength(3);
  }
});

test.concurrent("five nulls after each value, over midnight too", async () => {
  const service = await startWorldService({ world: { ...ROOFTOP, inclusive: false } });
  const { stdout } = await runIn({ service }, [...DAYS, "-f", "csv", ...AT_MIDNIGHT]);
  const rows = stdout.split("\n").filter((line) => line.includes("NSW1,solar_rooftop"));
  expect(rows).toHaveLength(72 * 12 - 5);
  expect(
    rows
      .filter((row) => /T23:[345]/.test(row) && row.startsWith("2025-01-01"))
      .map((row) => /T(23:..).*,(.*)$/.exec(row)?.slice(1)),
  ).toEqual([
    ["23:30", expect.stringMatching(/^\d+\.\d\d$/)],
    ...["23:35", "23:40", "23:45", "23:50", "23:55"].map((clock) => [clock, ""]),
  ]);
});

/** VIC1 returns after two windows without it. */
const OUTAGE: Partial<World> = {
  series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, away: [hours(1.5), hours(4.25)] }],
};

test.concurrent("a unit that is missing for whole windows: the file is written again, from its stored responses", async () => {
  const whole = await fetchWhole(QUERY, ["-f", "csv"], OUTAGE);
  const service = await startWorldService({ world: OUTAGE });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT]);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests).toHaveLength(7);
  const piped = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv"]);
  expect(piped).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^ents: warning: rows without a value are missing .*\n$/) as string,
  });
  expect(piped.stdout.length).toBeLessThan(whole.length);
});

/** Hours of VIC1 beside a complete NSW1, in three windows of three hours; `nulls`: whether NSW1 has one. */
async function fetchHours(
  hoursOfVic1: readonly string[],
  { nulls = false, format = "csv", version = "4.5.1", more = [] as readonly string[], window = "3h" } = {},
) {
  const service = await startService(({ url }) => {
    const query = new URL(url, "http://localhost").searchParams;
    const [from, to] = ["date_start", "date_end"].map((name) => Number(query.get(name)?.slice(11, 13))) as [
      number,
      number,
    ];
    const timestamps = Array.from({ length: to - from + 1 }, (_, index) => `2025-01-01T0${from + index}:00:00+10:00`);
    const ofVic1 = hoursOfVic1.filter(
      (timestamp) => timestamps.includes(timestamp) || (timestamp > "2025-01-02" && to === 8),
    );
    const whole = timestamps.map((timestamp) => [timestamp, nulls && timestamp.includes("T01") ? null : 1] as const);
    const series = [
      { labels: { region: "NSW1" }, points: whole },
      { labels: { region: "VIC1" }, points: ofVic1.map((timestamp) => [timestamp, 2] as const) },
    ];
    return { body: { ...envelope([{ series: series.filter(({ points }) => points.length > 0) }]), version } };
  });
  const flags = ["-s", "2025-01-01", "-e", "2025-01-01T08:59", "--max-window", window, "--rate", "1000", ...more];
  const run = await runIn({ service }, ["network", "NEM", "-m", "power", "-i", "1h", ...flags, "-f", format]);
  expect(run.code).toBe(0);
  const rows = run.stdout.split("\n").filter((line) => line.includes("VIC1"));
  return { rows, stderr: run.stderr, requests: service.requests.length };
}

const VIC1_AWAY = ["2025-01-01T00:00:00+10:00", "2025-01-01T07:00:00+10:00"];

test.concurrent.for(["csv", "json"])(
  "if no response shows whether the service fills gaps, a warning says that rows may be missing: %s",
  async (format) => {
    const { stderr } = await fetchHours(VIC1_AWAY, { format });
    expect(stderr).toMatch(
      /^ents: warning: rows without a value may be missing .* \(first: power_VIC1, after \S+\): no response shows .*\n$/,
    );
  },
);

/** VIC1 has nothing at the split at three, and its gap is longer than a request may be. */
const SPLIT_AT_THREE = ["2025-01-01T00:00:00+10:00", "2025-01-01T04:00:00+10:00"];

test.concurrent.for(["4.5.11", "4.5.17", "4.6.0", "4.10.2"])(
  "a service of version %s fills gaps, unless a response shows otherwise",
  async (version) => {
    const { rows, stderr, requests } = await fetchHours(SPLIT_AT_THREE, { version });
    expect(rows.map((row) => [row.slice(11, 13), row.split(",").at(-1)])).toEqual([
      ["00", "2"],
      ["01", ""],
      ["02", ""],
      ["03", ""],
      ["04", "2"],
    ]);
    expect({ stderr, requests }).toEqual({ stderr: "", requests: 3 });
    const told = await fetchHours(SPLIT_AT_THREE, { version, more: ["-v"] });
    expect(told.stderr).toContain(
      "no response shows whether the service fills gaps; OpenElectricity does since 4.5.11",
    );
    const shown = await fetchHours([...SPLIT_AT_THREE, "2025-01-01T06:00:00+10:00"], { version });
    expect(shown.rows).toHaveLength(3);
    expect(shown.stderr).toBe("");
  },
);

test.concurrent.for(["4.5.10", "4.5.1", "4.4.99", "4.5", "5.0.0", "14.5.17", "4.5.11-beta", ""])(
  "of a service of version %j nothing is known",
  async (version) => {
    const { rows, stderr } = await fetchHours(SPLIT_AT_THREE, { version });
    expect(rows).toHaveLength(2);
    expect(stderr).toContain("rows without a value may be missing");
  },
);

/** VIC1 has no data around the split at three, and nothing else shows whether gaps are filled. */
const AT_THREE: Partial<World> = {
  series: [
    { labels: { region: "NSW1" } },
    { labels: { region: "VIC1" }, away: [hours(2) + 55 * MINUTE, hours(3) + 10 * MINUTE] },
  ],
};
const isLook = ({ request: { url } }: Asking) =>
  url.includes("date_start=2025-01-01T02%3A50%3A00&date_end=2025-01-01T03%3A14%3A59");

test.concurrent("one more request across a gap decides it, after all others", async () => {
  const world = { ...AT_THREE, nulls: false };
  let isDown = true;
  const play: Play = ({ piece }) => (isDown && piece === 6 ? refusal(503, "down") : undefined);
  const service = await startWorldService({ world, play });
  const home = createHomeWithFile();
  const stopped = await runIn({ home, service }, [...QUERY, ...CUT, "--retries", "0", "-o", OUT]);
  expect(stopped).toMatchObject({ code: 5, stderr: expect.stringContaining("requests are done") as string });
  isDown = false;
  const looks = () => service.requests.filter(({ url }) => url.includes("T02%3A50")).length;
  expect(looks()).toBe(0);
  expect(await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT])).toMatchObject({ code: 0 });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await fetchWhole(QUERY, ["-f", "csv"], world));
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(looks()).toBe(1);
});

test.concurrent.for([
  ["refused", refusal(400, "not this one")],
  ["not answered", refusal(500, "Error executing query")],
  ["not allowed", refusal(401, "Authentication failed")],
  ["answered with something else", { body: "<html>" }],
] as const)("if that request is %s, all rows come, and a warning says which may be missing", async ([, answer]) => {
  const world = { ...AT_THREE, nulls: false };
  const service = await startWorldService({ world, play: (asking) => (isLook(asking) ? answer : undefined) });
  const run = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv", "--retries", "0"]);
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^ents: warning: rows without a value may be missing .* --max-window may show it\n$/,
    ) as string,
  });
  const isValue = (line: string) => !line.endsWith(",");
  const whole = await fetchWhole(QUERY, ["-f", "csv"], world);
  expect(run.stdout.split("\n").filter(isValue)).toEqual(whole.split("\n").filter(isValue));
});

test.concurrent("a timestamp far outside the window ends no gap", async () => {
  const stray = "9999-01-01T00:00:00+10:00";
  const { rows, stderr } = await fetchHours(["2025-01-01T05:00:00+10:00", stray], { nulls: true });
  expect(rows).toEqual(["2025-01-01T05:00:00+10:00,NEM,power,MW,VIC1,2", `${stray},NEM,power,MW,VIC1,2`]);
  expect(stderr).toBe("");
});
