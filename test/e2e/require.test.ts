/** `--require-complete`, `--require-fresh`: exit 7 if the result is not complete or fresh; it is still written. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMAT_NAMES } from "../../src/format/registry.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { type Script, type ScriptedService, startService } from "../support/scripted-service.ts";
import { envelope, refusal, TOKEN } from "./envelopes.ts";
import { SERVICES } from "./services.ts";

/** Half past noon, NEM time. */
const NOW = Date.parse("2025-01-31T12:30:00+10:00");
const HINT = "      the output is written; services may publish late, so run the command again later\n";

type Values = Readonly<Record<number, number | string | null>>;

/** One value for each of these hours. */
const hours = (from: number, to: number): Values =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [from + index, 1.5]));

function timestampOf(hour: number): string {
  return `${new Date(Date.UTC(2025, 0, 31) + hour * 3_600_000).toISOString().slice(0, 19)}+10:00`;
}

/** Series of power whose answer names no interval. */
const answerOf = (...series: readonly Values[]) =>
  envelope([
    {
      series: series.map((values, index) => ({
        labels: { region: `R${index}` },
        points: Object.entries(values)
          .map(([hour, value]) => [Number(hour), value] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([hour, value]) => [timestampOf(hour), value] as const),
      })),
    },
  ]);

interface Asked {
  readonly script: Script;
  /** A running service; by default, one is started for the script. */
  readonly service?: ScriptedService;
  readonly home?: Home;
  readonly interval?: string;
  readonly network?: string;
}

async function ask(
  { script, home = createHome(), interval = "1h", network = "NEM", ...asked }: Asked,
  ...args: readonly string[]
) {
  const service = asked.service ?? (await startService(script));
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const query = ["network", network, "-m", "power", ...(interval === "" ? [] : ["-i", interval])];
  const run = await home.run([...query, "--require-complete", "-q", ...args], { env, clock: { now: () => NOW } });
  return { ...run, home, requests: service.requests.length };
}

const of = (...series: readonly Values[]): Asked => ({ script: () => ({ body: answerOf(...series) }) });
const TODAY = ["-s", "today", "-e", "today"];

describe("--require-complete", () => {
  test("passes if every finished interval has a value", async () => {
    expect(await ask(of(hours(0, 12)), ...TODAY)).toMatchObject({ code: 0, stderr: "" });
    expect(await ask(of(hours(0, 13)), ...TODAY)).toMatchObject({ code: 0, stderr: "" });
  });

  test("names missing spans at the start, inside, and at the end; a null is not a value", async () => {
    const values = { ...hours(2, 10), 3: null, 6: null, 7: null };
    const { code, stdout, stderr } = await ask(of(values), ...TODAY, "--complete");
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr:
        "ents: 7 of 12 intervals have no value: 2025-01-31 00:00 to 2025-01-31 01:00, 2025-01-31 03:00, " +
        `2025-01-31 06:00 to 2025-01-31 07:00, 2025-01-31 10:00 to 2025-01-31 11:00\n${HINT}`,
    });
    expect(stdout.split("\n")).toHaveLength(1 + 8 + 1);
  });

  test("ignores points of other times, which services may send", async () => {
    const yesterday = Object.fromEntries([1, 2, 3].map((hour) => [hour - 24, 1]));
    const { code, stderr } = await ask(of({ ...yesterday, ...hours(0, 9) }), ...TODAY);
    const missing = "3 of 12 intervals have no value: 2025-01-31 09:00 to 2025-01-31 11:00\n";
    expect({ code, stderr }).toEqual({ code: 7, stderr: `ents: ${missing}${HINT}` });
    const until = await ask(of({ ...hours(0, 5), ...hours(6, 10) }), "-s", "today", "-e", "2025-01-31T05:59");
    expect(until).toMatchObject({ code: 7, stderr: `ents: 1 of 6 intervals has no value: 2025-01-31 05:00\n${HINT}` });
  });

  test("counts the interval in progress at the start, with its earlier timestamp", async () => {
    const from = (hour: number) => ask(of(hours(hour, 12)), "-s", "2025-01-31T03:30", "-e", "today");
    expect(await from(3)).toMatchObject({ code: 0, stderr: "" });
    expect(await from(4)).toMatchObject({
      code: 7,
      stderr: `ents: 1 of 9 intervals has no value: 2025-01-31 03:00\n${HINT}`,
    });
  });

  test("does not accept text as a number", async () => {
    const values = { ...hours(0, 12), 5: "n/a", 6: "" };
    const { code, stderr } = await ask(of(values), ...TODAY);
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: `ents: 2 of 12 intervals have no value: 2025-01-31 05:00 to 2025-01-31 06:00\n${HINT}`,
    });
    expect(await ask(of(values, { 5: 1, 6: 0 }), ...TODAY)).toMatchObject({ code: 0 });
  });

  test("passes with a value in any of the series", async () => {
    expect(await ask(of({ ...hours(0, 6), 7: null }, hours(6, 12)), ...TODAY)).toMatchObject({ code: 0 });
  });

  test("=each asks it of each series, between its first and last point", async () => {
    const each = (asked: Asked, ...args: readonly string[]) => ask(asked, ...TODAY, "--require-complete=each", ...args);
    expect(await each(of(hours(0, 12), hours(3, 6)))).toMatchObject({ code: 0 });
    const missing = of(hours(0, 12), { ...hours(0, 2), ...hours(4, 12), 7: null }, { 0: 1, 3: 1 });
    expect(await ask(missing, ...TODAY)).toMatchObject({ code: 0 });
    expect(await each(missing)).toMatchObject({
      code: 7,
      stderr: `ents: power_R1 lacks 3 intervals: 2025-01-31 02:00 to 2025-01-31 03:00, 2025-01-31 07:00; so does 1 other series\n${HINT}`,
    });
    // The hour in progress is not over.
    expect(await each(of(hours(0, 13), { ...hours(0, 12), 12: null }))).toMatchObject({ code: 0 });
  });

  test("=each of an update: a series that was there before has a gap in what is fetched", async () => {
    let series: readonly Values[] = [hours(0, 12), hours(0, 8)];
    const service = await startService(() => ({ body: answerOf(...series) }));
    const home = createHome();
    const update = ["-s", "2025-01-31", "-o", "a.csv", "--update", "--require-complete=each"];
    expect(await ask({ script: [], service, home }, ...update)).toMatchObject({ code: 0 });
    series = [hours(0, 12), { ...hours(0, 8), ...hours(10, 12) }];
    expect(await ask({ script: [], service, home }, ...update)).toMatchObject({
      code: 7,
      stderr: `ents: a.csv: power_R1 lacks 2 intervals: 2025-01-31 08:00 to 2025-01-31 09:00\n${HINT}`,
    });
  });

  test("names five spans, and counts the rest", async () => {
    const everyOther = Object.fromEntries([0, 2, 4, 6, 8, 10].map((hour) => [hour, 1]));
    const { code, stderr } = await ask(of(everyOther), ...TODAY);
    expect({ code, line: stderr.split("\n")[0] }).toEqual({
      code: 7,
      line: `ents: 6 of 12 intervals have no value: ${[1, 3, 5, 7, 9].map((hour) => `2025-01-31 0${hour}:00`).join(", ")}, and 1 more interval`,
    });
  });

  test("without an end, requires all intervals except the newest five minutes, which services omit", async () => {
    const steps = (to: number): Values =>
      Object.fromEntries(Array.from({ length: to }, (_, index) => [11 + index / 12, 1]));
    const open = (to: number) => ask({ ...of(steps(to)), interval: "5m" }, "-s", "2025-01-31T11:00");
    expect(await open(18)).toMatchObject({ code: 0 });
    expect(await open(17)).toMatchObject({ code: 0 });
    const { code, stderr } = await open(16);
    expect(code).toBe(7);
    expect(stderr).toContain("1 of 17 intervals has no value: 2025-01-31 12:20\n");
  });

  test("also for an unknown network, by the offset of its responses", async () => {
    const { code, stderr } = await ask({ ...of(hours(0, 9)), network: "XYZ" }, "-s", "2025-01-31");
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: `ents: 3 of 12 intervals have no value: 2025-01-31 09:00 to 2025-01-31 11:00\n${HINT}`,
    });
    expect(await ask({ ...of(hours(0, 12)), network: "XYZ" }, "-s", "2025-01-31")).toMatchObject({ code: 0 });
  });

  test("requires a value even if there is no data", async () => {
    const { code, stdout, stderr } = await ask(
      { script: () => refusal(404, "No data available") },
      ...TODAY,
      "--require-fresh",
      "2h",
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 7,
      stdout: "timestamp,network,metric,unit,value\n",
      stderr:
        "ents: 12 of 12 intervals have no value: 2025-01-31 00:00 to 2025-01-31 11:00\n" +
        `      there is no value, but --require-fresh 2h requires one\n${HINT}`,
    });
  });

  test("uses the response's interval if none is requested", async () => {
    const { code, stderr } = await ask({ ...of(hours(0, 11)), interval: "" }, ...TODAY);
    expect(code).toBe(7);
    expect(stderr).toContain("1 of 12 intervals has no value: 2025-01-31 11:00\n");
  });

  test("is a usage error without a start, before any request", async () => {
    expect(await ask(of(hours(0, 12)), "-e", "today")).toMatchObject({
      code: 2,
      requests: 0,
      stderr:
        "ents: --require-complete needs the start of the window, to know which intervals are due\n      use -s or --last\n",
    });
  });

  test.each([
    [
      "series of an unknown shape",
      SERVICES["another-series-shape"] as Script,
      "the response has series of an unknown shape",
    ],
    [
      "an answer that names more records than came",
      () => ({ body: { ...answerOf(hours(0, 12)), total_records: 99 } }),
      "the response is incomplete: total_records is 99, but 1 TimeSeries with 1 series and 12 points",
    ],
    [
      "timestamps that disagree",
      () => ({ body: answerOf({ ...hours(0, 4), 5.5: 1, ...hours(7, 12) }) }),
      "the response does not show where its intervals start and end",
    ],
  ])("is unknown for %s", async (_, script, why) => {
    const { code, stdout, stderr } = await ask({ script }, ...TODAY, "-f", "json");
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: `ents: cannot tell whether the result is complete: ${why}\n${HINT}`,
    });
    expect(JSON.parse(stdout)).toHaveProperty("data");
  });

  test.each(FORMAT_NAMES.filter((name) => name !== "openmetrics"))(
    "is also unknown for %s, and leaves the file",
    async (format) => {
      const { code, stderr, home } = await ask(of(hours(0, 11)), ...TODAY, "-f", format, "-o", "out");
      expect({ code, stderr }).toEqual({
        code: 7,
        stderr: `ents: out: 1 of 12 intervals has no value: 2025-01-31 11:00\n${HINT}`,
      });
      expect(existsSync(home.path("out"))).toBe(true);
    },
  );

  test("stores no responses: the next run asks for all of them", async () => {
    const home = createHome();
    const command = [...TODAY, "--complete", "--max-window", "6h", "-o", "out.csv", "--rate", "1000"];
    const early = await ask({ ...of(hours(0, 11)), home }, ...command);
    expect(early).toMatchObject({ code: 7, requests: 2 });
    expect(existsSync(home.path("out.csv.ents"))).toBe(false);
    expect(await ask({ ...of(hours(0, 12)), home }, ...command)).toMatchObject({ code: 0, requests: 2 });
    expect(readFileSync(home.path("out.csv"), "utf8").trimEnd().split("\n")).toHaveLength(1 + 12);
  });
});

test("with --update, --require-complete checks the part that is fetched", async () => {
  const home = createHome();
  let values: Values = {};
  const script: Script = ({ url }) => {
    const from = Number(/date_start=[^&]*T(\d\d)/.exec(url)?.[1]);
    return { body: answerOf(Object.fromEntries(Object.entries(values).filter(([hour]) => Number(hour) >= from))) };
  };
  const asked = { script, home, service: await startService(script) };
  const update = async (now: Values) => {
    values = now;
    const { code, stderr } = await ask(
      asked,
      "-s",
      "today",
      "--complete",
      "--update",
      "--revise",
      "4h",
      "-o",
      "out.csv",
    );
    return { code, stderr };
  };
  expect(await update(hours(3, 9))).toMatchObject({ code: 7 });
  const message = "ents: out.csv: 1 of 12 intervals has no value: 2025-01-31 09:00\n";
  expect(await update({ ...hours(0, 12), 9: null })).toEqual({
    code: 7,
    stderr: expect.stringContaining(`${message}${HINT}`) as string,
  });
  expect(readFileSync(home.path("out.csv"), "utf8")).toContain("T09:00:00+10:00,NEM,power,MW,R0,\n");
  expect(await update(hours(0, 12))).toMatchObject({ code: 0 });
});

describe("--require-fresh", () => {
  const fresh = async (asked: Asked, age: string) => {
    const { code, stderr } = await ask(
      asked,
      "-s",
      "2025-01-31T12:00",
      "-e",
      "2025-01-31T12:00",
      "--require-fresh",
      age,
    );
    return { code, stderr };
  };

  test("counts from the end of the newest interval with a value", async () => {
    const asked = of({ ...hours(8, 11), 11: null, 12: null });
    expect(await fresh(asked, "90m")).toEqual({ code: 0, stderr: "" });
    expect(await fresh(asked, "89m")).toEqual({
      code: 7,
      stderr: `ents: the newest value ends at 2025-01-31 11:00; --require-fresh 89m requires 2025-01-31 11:01 or later (UTC+10:00)\n${HINT}`,
    });
  });

  test("together with --require-complete, is one error that reports both", async () => {
    const { code, stderr } = await ask(of(hours(0, 10)), ...TODAY, "--require-fresh", "1h");
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr:
        "ents: 2 of 12 intervals have no value: 2025-01-31 10:00 to 2025-01-31 11:00\n" +
        `      the newest value ends at 2025-01-31 10:00; --require-fresh 1h requires 2025-01-31 11:30 or later (UTC+10:00)\n${HINT}`,
    });
  });

  test("is unknown for series of an unknown shape", async () => {
    const { code, stderr } = await ask(
      { script: SERVICES["another-series-shape"] as Script },
      ...TODAY,
      "-f",
      "json",
      "--require-fresh",
      "1h",
    );
    expect(code).toBe(7);
    expect(stderr).toContain(
      "\n      cannot tell how old the newest value is: the response has series of an unknown shape\n",
    );
  });
});
