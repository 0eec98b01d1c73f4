/** Forecasts: windows that end in the future, the run that each value came from, and updates. */
import { readFileSync } from "node:fs";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { tableFromIPC } from "@uwdata/flechette";
import { describe, expect, test } from "vitest";
import { createHome, type Home } from "../support/run-ents.ts";
import { type Answer, type ReceivedRequest, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, TOKEN } from "./envelopes.ts";
import { readWorkbook } from "./read-xlsx.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 04:55 in the NEM. */
const NOW = Date.parse("2026-11-27T04:55:00+10:00");
const METRIC = "solar_rooftop_forecast";
const MARKET = ["market", "NEM", "-i", "1h", "-q"];

const clockAt = (now: number) => ({ ...createVirtualClock(), now: () => now });
const timestampOf = (local: number) => `${new Date(local).toISOString().slice(0, 19)}+10:00`;

interface ForecastService {
  now: number;
  /** Added to every value of a forecast. */
  error: number;
}

/**
 * A service with demand up to now and a forecast for two days, whose runs are issued every hour; a request has one run
 * for all.
 */
function serve({ url }: ReceivedRequest, { now, error }: ForecastService): Answer {
  const query = new URL(url, "http://localhost").searchParams;
  const local = now + 10 * HOUR;
  const newest = local - (local % HOUR);
  const readTime = (name: string, fallback: number) => (query.has(name) ? Date.parse(`${query.get(name)}Z`) : fallback);
  const start = readTime("date_start", newest);
  const listPoints = (until: number) => {
    const points: [string, number][] = [];
    for (let at = Math.ceil(start / HOUR) * HOUR; at <= Math.min(readTime("date_end", until), until); at += HOUR)
      points.push([timestampOf(at), (at / HOUR) % 100]);
    return points;
  };
  const items = query.getAll("metrics").flatMap((metric) => {
    const points = listPoints(metric === METRIC ? newest + 2 * DAY : newest);
    const series = metric === METRIC ? points.map(([timestamp, value]) => [timestamp, value + error] as const) : points;
    return points.length === 0
      ? []
      : [{ metric, unit: "MW", series: [{ labels: { region: "NSW1" }, points: series }] }];
  });
  const body = envelope(items);
  for (const item of body["data"] as Record<string, unknown>[]) {
    const last = Date.parse(`${String(item["date_end"]).slice(0, 19)}Z`);
    if (item["metric"] === METRIC) item["forecast_run_time"] = timestampOf(Math.min(newest, last));
  }
  return { body: { ...body, created_at: new Date(now).toISOString() } };
}

async function start() {
  const state: ForecastService = { now: NOW, error: 0 };
  const service = await startService((request) => serve(request, state));
  const home = createHome();
  const run = (...args: string[]) =>
    home.run([...MARKET, "--base-url", service.url, "--rate", "1000", ...args], {
      env: { ENTS_TOKEN: TOKEN, LC_ALL: "C.UTF-8" },
      clock: clockAt(state.now),
    });
  return { state, service, home, run };
}

/** Two days of forecast, half of them past, in two requests. */
const TWO_RUNS = ["-m", METRIC, "-s", "2026-11-26", "-e", "tomorrow", "--max-window", "1d"];
const EARLY = "2026-11-27T00:00:00+10:00";
const LATE = "2026-11-27T04:00:00+10:00";

describe("the run of each value", () => {
  test("is in every row of csv, tsv and ndjson, whatever the shape", async () => {
    const { run } = await start();
    const { stdout } = await run(...TWO_RUNS);
    const [header = "", ...rows] = stdout.trimEnd().split("\n");
    expect(header).toBe("timestamp,network,metric,unit,region,forecast_run_time,value");
    expect(rows).toHaveLength(72);
    for (const row of rows)
      expect(row.split(",")[5]).toBe(row < "2026-11-27" ? EARLY : row < "2026-11-28" ? LATE : LATE);
    const wide = (await run(...TWO_RUNS, "--shape", "wide", "-f", "tsv")).stdout.split("\n");
    expect(wide[0]).toBe(`timestamp\tnetwork\tregion\tforecast_run_time\t${METRIC}`);
    expect(wide[1]?.split("\t")[3]).toBe(EARLY);
    expect(wide[30]?.split("\t")[3]).toBe(LATE);
    const pivoted = (await run(...TWO_RUNS, "--pivot", "region", "-g", "region", "-f", "ndjson")).stdout.split("\n");
    expect(Object.keys(JSON.parse(pivoted[0] ?? "") as object)).toEqual([
      "timestamp",
      "network",
      "forecast_run_time",
      "NSW1",
    ]);
    expect(JSON.parse(pivoted[30] ?? "")).toMatchObject({
      timestamp: "2026-11-27T06:00:00+10:00",
      forecast_run_time: LATE,
    });
  });

  test("is in the zone and format of the timestamps", async () => {
    const { run } = await start();
    const cellsOf = async (...flags: string[]) => (await run(...TWO_RUNS, ...flags)).stdout.split("\n")[1]?.split(",");
    expect((await cellsOf("--time-zone", "utc"))?.[5]).toBe("2026-11-26T14:00:00Z");
    expect((await cellsOf("--time-format", "local"))?.[5]).toBe("2026-11-27 00:00:00");
    expect((await cellsOf("--time-format", "unix"))?.[5]).toBe(String(Date.parse(EARLY) / 1000));
    const [line = ""] = (await run(...TWO_RUNS, "-f", "ndjson", "--time-format", "unix-ms")).stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({ forecast_run_time: Date.parse(EARLY) });
  });

  test("is a timestamp in parquet, arrow and xlsx", async () => {
    const { run, home } = await start();
    for (const name of ["f.parquet", "f.arrow", "f.xlsx"])
      expect(await run(...TWO_RUNS, "-o", name)).toMatchObject({ code: 0 });
    const file = Uint8Array.from(readFileSync(home.path("f.parquet"))).buffer;
    const column = parquetSchema(parquetMetadata(file)).children.find(
      ({ element }) => element.name === "forecast_run_time",
    );
    expect(column?.element).toMatchObject({
      type: "INT64",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true },
    });
    const rows = await parquetReadObjects({ file });
    expect(
      rows.map((row) => row["forecast_run_time"] as Date).filter((issued) => issued.getTime() === Date.parse(EARLY)),
    ).toHaveLength(24);
    const arrow = tableFromIPC(readFileSync(home.path("f.arrow")), { useDate: true });
    expect(arrow.getChild("forecast_run_time")?.at(71)).toEqual(new Date(LATE));
    const { rows: sheet } = await readWorkbook(home.path("f.xlsx"));
    const at = sheet[0]?.indexOf("forecast_run_time") ?? -1;
    expect([sheet[1]?.[at], sheet[72]?.[at]]).toEqual([
      new Date("2026-11-27T00:00:00Z"),
      new Date("2026-11-27T04:00:00Z"),
    ]);
  });

  test("is a field of its TimeSeries in json: one for each run", async () => {
    const { run } = await start();
    const { data } = JSON.parse((await run(...TWO_RUNS, "-f", "json")).stdout) as { data: Item[] };
    expect(data.map(summarize)).toEqual([
      [EARLY, "2026-11-26T00:00:00+10:00", "2026-11-26T23:00:00+10:00", 24],
      [LATE, "2026-11-27T00:00:00+10:00", "2026-11-28T23:00:00+10:00", 48],
    ]);
    const whole = JSON.parse((await run(...TWO_RUNS.slice(0, -2), "-f", "json")).stdout) as { data: Item[] };
    expect(whole.data.map(summarize)).toEqual([[LATE, "2026-11-26T00:00:00+10:00", "2026-11-28T23:00:00+10:00", 72]]);
  });

  test("is empty for measured metrics, and where the service does not say", async () => {
    const { run, service } = await start();
    const both = ["-m", "demand", METRIC, "-s", "2026-11-27", "-e", "tomorrow"];
    const rows = (await run(...both)).stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((row) => row.split(","));
    expect(new Set(rows.map((row) => `${row[2]} ${row[5]}`))).toEqual(new Set(["demand ", `${METRIC} ${LATE}`]));
    const wide = (await run(...both, "--shape", "wide")).stdout.split("\n");
    expect(wide[0]).toBe(`timestamp,network,region,forecast_run_time,demand,${METRIC}`);
    expect(wide.slice(1, -1).every((row) => row.split(",")[3] === LATE)).toBe(true);
    expect(service.requests).toHaveLength(2);
    const old = await startService((request) => {
      const { body } = serve(request, { now: NOW, error: 0 });
      const data = (body as { data: Item[] }).data.map((item) => ({ ...item, forecast_run_time: null }));
      return { body: { ...(body as object), data } };
    });
    const unnamed = await createHome().run([...MARKET, ...TWO_RUNS, "--base-url", old.url], {
      env: { ENTS_TOKEN: TOKEN },
      clock: clockAt(NOW),
    });
    expect(unnamed.stdout.split("\n")[1]).toMatch(
      /^2026-11-26T00:00:00\+10:00,NEM,solar_rooftop_forecast,MW,NSW1,,\d+$/,
    );
  });

  test("is said under a table and a chart", async () => {
    const { run } = await start();
    const table = await run(...TWO_RUNS, "-f", "table");
    expect(table.stdout).toContain("forecast issued 2026-11-27 00:00 to 2026-11-27 04:00\n");
    expect(table.stdout).not.toContain("forecast_run_time");
    const chart = await run(...TWO_RUNS, "-f", "chart", "--width", "100", "--height", "24");
    expect(chart.stdout).toContain(
      "after 2026-11-27 04:55 (now): forecast, issued 2026-11-27 00:00 to 2026-11-27 04:00\n",
    );
    expect(chart.stdout.match(/┊/g)?.length).toBeGreaterThan(10);
    const past = await run("-m", METRIC, "-s", "2026-11-25", "-e", "2026-11-25", "-f", "chart");
    expect(past.stdout).toContain("\nforecast issued 2026-11-25 23:00\n");
    expect(past.stdout).not.toContain("┊");
    const svg = await run(...TWO_RUNS, "-f", "svg");
    expect(svg.stdout).toContain(">now</text>");
    expect(svg.stdout).toMatch(/class="veil"/);
  });
});

interface Item {
  readonly forecast_run_time: string | null;
  readonly date_start: string;
  readonly date_end: string;
  readonly results: readonly { readonly data: readonly unknown[] }[];
}

function summarize({ forecast_run_time, date_start, date_end, results }: Item) {
  return [forecast_run_time, date_start, date_end, results[0]?.data.length];
}

describe("windows", () => {
  const endOf = async (home: Home, ...args: string[]) => {
    const { stdout, stderr, code } = await home.run(["market", "NEM", ...args, "--dry-run", "-f", "csv"], {
      clock: clockAt(NOW),
    });
    expect(code).toBe(0);
    const query = new URL(stdout.split("\n")[1]?.split(",")[1] ?? "").searchParams;
    return { start: query.get("date_start"), end: query.get("date_end"), stderr };
  };

  test.each([
    ["-i 30m -e +2d", undefined, "2026-11-29T04:59:59"],
    ["-i 1h -e +90m", undefined, "2026-11-27T06:59:59"],
    ["-i 1d -e +2d", undefined, "2026-11-29T23:59:59"],
    ["-i 1h -s tomorrow -e tomorrow", "2026-11-28T00:00:00", "2026-11-28T23:59:59"],
    ["-i 1h --during tomorrow", "2026-11-28T00:00:00", "2026-11-28T23:59:59"],
    ["-i 1h -s now -e +1d --complete", "2026-11-27T04:00:00", "2026-11-28T04:59:59"],
    ["-i 1h -s -1d --complete", "2026-11-26T04:00:00", null],
    ["-i 1d -s 2026-11-26T05:00 -e +2d --complete", "2026-11-27T00:00:00", "2026-11-29T23:59:59"],
  ])("%s", async (flags, from, until) => {
    const { start: first, end, stderr } = await endOf(createHome(), "-m", METRIC, ...flags.split(" "));
    expect([first ?? undefined, end]).toEqual([from, until]);
    expect(stderr).not.toMatch(/in progress|partial/);
  });

  test("--complete still leaves the hour in progress out of measured data", async () => {
    const { run } = await start();
    const args = ["-m", "demand", METRIC, "-s", "2026-11-27", "-e", "tomorrow"];
    const lastOf = async (...flags: string[]) => {
      const rows = (await run(...args, ...flags)).stdout.trimEnd().split("\n");
      return ["demand", METRIC].map((metric) => rows.findLast((row) => row.includes(`,${metric},`))?.slice(0, 16));
    };
    expect(await lastOf()).toEqual(["2026-11-27T04:00", "2026-11-28T23:00"]);
    expect(await lastOf("--complete")).toEqual(["2026-11-27T03:00", "2026-11-28T23:00"]);
  });

  test("--follow is refused, with what to use instead", async () => {
    const { code, stderr } = await createHome().run([
      "market",
      "NEM",
      "-m",
      METRIC,
      "-i",
      "1h",
      "-s",
      "now",
      "--follow",
      "--sandbox",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--follow cannot follow ${METRIC}`);
    expect(stderr).toContain("-o with --update");
  });
});

describe("--update", () => {
  const UPDATE = ["-m", METRIC, "-s", "2026-11-26", "-o", "f.csv", "--update", "--revise", "1d", "--recheck", "0"];
  const rowsOf = (home: Home) => readFileSync(home.path("f.csv"), "utf8").trimEnd().split("\n").slice(1);

  test("asks again for windows that have not passed; a new run is no restated value, and takes its place", async () => {
    const { state, home, run, service } = await start();
    expect((await run(...UPDATE)).code).toBe(0);
    expect(rowsOf(home)).toHaveLength(28 + 49);
    const before = rowsOf(home);
    state.now += DAY;
    state.error = 0.5;
    const asked = service.requests.length;
    const second = await run(...UPDATE.filter((flag) => flag !== "-q"));
    expect(second).toMatchObject({ code: 0 });
    expect(service.requests.length).toBeGreaterThan(asked);
    const after = rowsOf(home);
    expect(after).toHaveLength(28 + 49 + 24);
    expect(after.at(-1)).toContain("2026-11-28T04:00:00+10:00,");
    expect(after.filter((row) => before.includes(row)).length).toBeLessThan(before.length);
    expect(readFileSync(home.path("f.csv.ents/journal.ndjson"), "utf8")).not.toContain("changes");
    const told = await home.run(["market", "NEM", "-i", "1h", "--base-url", service.url, ...UPDATE], {
      env: { ENTS_TOKEN: TOKEN },
      clock: clockAt(state.now + HOUR),
    });
    expect(told.stderr).not.toMatch(/[1-9]\d* restated/);
  });

  test("equals a new export of that moment", async () => {
    const { state, home, run } = await start();
    const flags = [
      ...UPDATE.filter((flag) => !["--revise", "1d"].includes(flag)),
      "--max-window",
      "1d",
      "--revise",
      "30d",
    ];
    for (let night = 0; night < 3; night++) {
      expect((await run(...flags)).code).toBe(0);
      state.now += DAY + HOUR;
      state.error += 1;
    }
    expect((await run(...flags)).code).toBe(0);
    const fresh = await run("-m", METRIC, "-s", "2026-11-26", "--max-window", "1d");
    expect(readFileSync(home.path("f.csv"), "utf8")).toBe(fresh.stdout);
  });
});

describe("--require-fresh", () => {
  test.each([
    ["1h", 0, 0],
    ["1h", 3 * HOUR, 7],
  ])("%s, on a service whose newest run is %i ms old", async (age, late, code) => {
    const service = await startService((request) => serve(request, { now: NOW - late, error: 0 }));
    const args = [...MARKET, "-m", METRIC, "-s", "now", "-e", "+1d", "--require-fresh", age, "--base-url", service.url];
    const run = await createHome().run(args, { env: { ENTS_TOKEN: TOKEN }, clock: clockAt(NOW) });
    expect(run.code).toBe(code);
    const told = /the newest forecast was issued at .*/.exec(run.stderr)?.[0];
    expect(told).toBe(
      code === 0
        ? undefined
        : "the newest forecast was issued at 2026-11-27 01:00; --require-fresh 1h requires 2026-11-27 03:55 or later (UTC+10:00)",
    );
  });
});

test("a table of the sandbox's forecast, as a person asks for it", async () => {
  const line = `market NEM -m ${METRIC} -i 30m -e +2d -g region --sandbox -q -f table`;
  const { stdout, code } = await createHome().run(line.split(" "), { clock: clockAt(NOW) });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^solar_rooftop_forecast \(MW\)\n/);
  expect(stdout).toContain("97 rows, 2026-11-27 04:30 to 2026-11-29 04:30, UTC+10:00, interval 30m");
  expect(stdout).toContain("\nforecast issued 2026-11-27 04:30\n");
});

test("any metric that ends in _forecast is sent, with a note; another unknown one is exit 2", async () => {
  const ask = (metric: string) =>
    createHome().run(["market", "NEM", "-m", metric, "-i", "1h", "-s", "-1d", "--dry-run", "--sandbox"]);
  const { code, stdout, stderr } = await ask("wind_forecast");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^ents: note: unknown metric "wind_forecast" \(sent anyway\)\n/) as string,
  });
  expect(stdout).toContain("metrics=wind_forecast");
  expect((await ask("wind_forecasts")).code).toBe(2);
});
