/** Ambiguous answers: what ents assumes is told once, and what it cannot know is an error. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { type Answer, type ReceivedRequest, startService } from "../support/scripted-service.ts";
import { TOKEN } from "./envelopes.ts";
import { expectError } from "./old-file.ts";

type Points = readonly (readonly [timestamp: string, value: number])[];

/** Three days of a service that takes one day at a time. */
const DAYS = ["2025-01-01", "2025-01-02", "2025-01-03"] as const;
const THREE_DAYS = ["-i", "1d", "-s", DAYS[0], "-e", DAYS[2], "--max-window", "1d"];

interface Sketch {
  readonly unit?: string;
  readonly network?: string;
  readonly labels?: object;
  readonly points: Points;
  readonly total?: number | null;
}

function answerOf({ unit = "MW", network = "NEM", labels = {}, points, total = null }: Sketch): Answer {
  const results = [{ name: "power", columns: labels, data: points }];
  const data = [{ network_code: network, metric: "power", unit, results }];
  return {
    body: { version: "4", created_at: "2025-02-01T00:00:00Z", success: true, error: null, data, total_records: total },
  };
}

/** The answers to the windows, each of which starts on a day. */
function answerDays(answer: (day: string, index: number) => Sketch) {
  return (request: ReceivedRequest) => {
    const start = new URL(request.url, "http://x").searchParams.get("date_start")?.slice(0, 10) ?? "";
    return answerOf(
      answer(
        start,
        DAYS.findIndex((day) => day === start),
      ),
    );
  };
}

async function run(script: (request: ReceivedRequest) => Answer, args: readonly string[], network = "NEM") {
  const service = await startService(script);
  const home = createHome();
  const result = await home.run(
    ["network", network, "-m", "power", ...(args.includes("-s") ? [] : ["--last", "1d"]), ...args],
    {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    },
  );
  return { ...result, home, requests: service.requests.length };
}

const midnight = (day: string, value: number) => [`${day}T00:00:00+10:00`, value] as const;

describe("a unit that changes between windows", () => {
  const script = answerDays((day, index) => ({ unit: index === 1 ? "GW" : "MW", points: [midnight(day, index)] }));

  test("is reported once, and rows keep their own", async () => {
    const { code, stdout, stderr } = await run(script, [...THREE_DAYS, "--no-header"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "ents: warning: the unit of power changes (MW, then GW); each row keeps its own\n",
    });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "2025-01-01T00:00:00+10:00,NEM,power,MW,0",
      "2025-01-02T00:00:00+10:00,NEM,power,GW,1",
      "2025-01-03T00:00:00+10:00,NEM,power,MW,2",
    ]);
  });

  test("stays in json, too", async () => {
    const { data } = JSON.parse((await run(script, [...THREE_DAYS, "-f", "json"])).stdout) as {
      data: { unit: string; results: { data: unknown[] }[] }[];
    };
    expect(data.map(({ unit, results }) => [unit, results[0]?.data.length])).toEqual([
      ["MW", 2],
      ["GW", 1],
    ]);
  });
});

test("labels in another order are not new columns or series", async () => {
  const labels = [
    { region: "NSW1", fueltech: "wind" },
    { fueltech: "wind", region: "NSW1" },
  ];
  const script = answerDays((day, index) => ({
    labels: labels[index % 2] as object,
    // The day shared with the next window is partial in this one.
    points: [midnight(day, index), ...(index < 2 ? [midnight(DAYS[index + 1] as string, 100)] : [])],
  }));
  const { code, stdout, stderr } = await run(script, THREE_DAYS);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toEqual([
    "timestamp,network,metric,unit,region,fueltech,value",
    ...DAYS.map((day, index) => `${day}T00:00:00+10:00,NEM,power,MW,NSW1,wind,${index}`),
  ]);
  const json = JSON.parse((await run(script, [...THREE_DAYS, "-f", "json"])).stdout) as {
    data: { results: unknown[] }[];
  };
  expect(json.data.map(({ results }) => results.length)).toEqual([1]);
});

describe("total_records above what came", () => {
  const script = answerDays((day, index) => ({ points: [midnight(day, index)], total: index === 1 ? 5 : 1 }));
  const says = /total_records is 5, but 1 TimeSeries with 1 series and 1 points?/;

  test.each(["csv", "tsv", "ndjson", "table"])("is an error for rows: %s", async (format) => {
    const { home, ...result } = await run(
      answerDays(() => ({ points: [midnight(DAYS[0], 1)], total: 5 })),
      ["-f", format],
    );
    expectError(result, 4, says);
    expect(existsSync(home.path("old.csv"))).toBe(false);
  });

  test("leaves no file if it comes late, and the response is requested again", async () => {
    let isFixed = false;
    const service = await startService((request) => {
      const answer = script(request);
      return isFixed ? { body: { ...(answer.body as object), total_records: null } } : answer;
    });
    const home = createHome();
    const args = ["network", "NEM", "-m", "power", ...THREE_DAYS, "--no-header", "-o", "power.csv"];
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    const failed = await home.run(args, { env });
    expect(failed.code).toBe(4);
    expect(failed.stderr).toMatch(says);
    expect(existsSync(home.path("power.csv"))).toBe(false);
    isFixed = true;
    expect((await home.run(args, { env })).code).toBe(0);
    expect(readFileSync(home.path("power.csv"), "utf8").split("\n")).toHaveLength(DAYS.length + 1);
  });

  test("is a warning in json, which has what came", async () => {
    const { code, stdout, stderr } = await run(script, [...THREE_DAYS, "-f", "json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^ents: warning: the response is incomplete: ${says.source}\\n$`));
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(1);
  });
});

describe("stamps without any offset", () => {
  const script = answerDays((day, index) => ({ network: "XYZ", points: [[`${day}T00:00:00`, index]] }));

  test("for an unknown network are UTC, which is reported once", async () => {
    const { code, stdout, stderr } = await run(script, [...THREE_DAYS, "--no-header", "--time-zone", "utc"], "XYZ");
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe("2025-01-01T00:00:00Z,XYZ,power,MW,0");
    expect(stderr).toBe(
      "ents: warning: the UTC offset of network XYZ is unknown; reading its timestamps without an offset as UTC\n",
    );
  });

  test.each(["csv", "json"])("for a known network are in its time: %s", async (format) => {
    const { stdout, stderr } = await run(
      () => answerOf({ points: [[`${DAYS[0]}T00:00:00`, 1]] }),
      ["-f", format, "--time-zone", "utc"],
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("2024-12-31T14:00:00Z");
  });
});

test.each([
  ["0050-01-01T00:00:00+10:00", "0049-12-31T14:00:00Z"],
  ["0000-01-01T00:00:00+10:00", "-000001-12-31T14:00:00Z"],
  ["9999-12-31T23:00:00-05:00", "+010000-01-01T04:00:00Z"],
])("a timestamp of the year %s is read correctly", async (timestamp, utc) => {
  const script = () => answerOf({ points: [[timestamp, 1]] });
  expect((await run(script, ["--no-header"])).stdout).toBe(`${timestamp},NEM,power,MW,1\n`);
  expect((await run(script, ["--no-header", "--time-zone", "utc"])).stdout).toBe(`${utc},NEM,power,MW,1\n`);
  expect((await run(script, ["--no-header", "--time-zone", "UTC"])).stdout).toBe(`${utc},NEM,power,MW,1\n`);
});

test.each([
  ["[", "]"],
  ['{"a":', "}"],
  ['[{"a":[', "]}]"],
])("100,000 levels of %s are an error, at once", async (open, close) => {
  const body = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
  for (const text of [
    body,
    `{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[],"x":${body}}`,
  ]) {
    for (const format of ["csv", "json"]) {
      const script = () => ({ body: text, headers: { "content-type": "application/json" } });
      const { home: _, requests, ...result } = await run(script, ["-f", format]);
      expectError(result, 4, /more than 500 levels/);
      expect(requests).toBe(1);
    }
  }
});

// With quadratic time, this would take hours.
test.each([
  [404, "no "],
  [400, "max "],
  [422, "maximum 1 "],
])("a message of a megabyte is read at once: HTTP %s, %s", async (status, words) => {
  const body = { success: false, error: words.repeat(1_000_000 / words.length) };
  const result = await run(() => ({ status, body }), []);
  expect(result.code).toBe(4);
});
