import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { parseJson, toJsonText } from "../../src/base/json.ts";
import { runAtOnce } from "../../src/base/steps.ts";
import { openEnvelope } from "../../src/decode/envelope.ts";
import { readTimeSeries } from "../../src/decode/time-series.ts";
import { answers, readBody, toBody } from "./generators.ts";

/** An envelope with one TimeSeries of one series. */
function body(item: object = {}, series: object = {}): string {
  const results = [{ name: "power_total", columns: {}, data: [["2025-01-31T14:05:00+10:00", 1]], ...series }];
  return JSON.stringify({
    data: [{ network_code: "NEM", metric: "power", unit: "MW", network_timezone_offset: "+10:00", results, ...item }],
  });
}

const points = (text: string) => readBody(text)[0]?.series[0]?.points;

function refusal(text: string): EntsError {
  try {
    readBody(text);
  } catch (error) {
    if (error instanceof EntsError) return error;
    throw error;
  }
  throw new Error(`it was taken: ${text}`);
}

describe("the shape of the public service", () => {
  const text = `{"version":"4.5.0","created_at":"2025-02-01T00:00:00+00:00","success":true,"data":[{
    "network_code":"NEM","metric":"power","unit":"MW","interval":"5m","date_start":"2025-01-31T14:00:00+10:00","date_end":"2025-01-31T14:05:00+10:00",
    "groupings":["fueltech"],"network_timezone_offset":"+10:00","results":[
      {"name":"power_coal_black","date_start":"2025-01-31T14:00:00+10:00","date_end":"2025-01-31T14:05:00+10:00",
       "columns":{"region":"NSW1","fueltech":"coal_black","renewable":false},
       "data":[["2025-01-31T14:00:00+10:00",7000.00],["2025-01-31T14:05:00+10:00",null]]}]}]}`;

  test("network, metric, unit, labels, and points digit for digit", () => {
    const [item] = readBody(text);
    expect(item).toMatchObject({ network: "NEM", metric: "power", unit: "MW" });
    expect(item?.series[0]?.labels).toEqual({ region: "NSW1", fueltech: "coal_black", renewable: false });
    expect(Object.keys(item?.series[0]?.labels ?? {})).toEqual(["region", "fueltech", "renewable"]);
    expect(item?.series[0]?.points).toEqual({
      timestamps: ["2025-01-31T14:00:00+10:00", "2025-01-31T14:05:00+10:00"],
      instants: [Date.parse("2025-01-31T04:00:00Z"), Date.parse("2025-01-31T04:05:00Z")],
      values: ["7000.00", null],
    });
  });

  test("keeps every field as it came", () => {
    const [item] = readBody(text);
    const fields = JSON.parse(toJsonText(item?.fields ?? null)) as object;
    const results = item?.series.map((one) => JSON.parse(toJsonText(one.fields)) as object);
    const [sent] = (JSON.parse(text) as { data: [{ results: object[] }] }).data;
    expect(fields).toEqual({ ...sent, results: null });
    expect(Object.keys(fields)).toEqual(Object.keys(sent));
    expect(results).toEqual(sent.results.map((result) => ({ ...result, data: null })));
  });

  test("older ones: start and end, stamps in Z, no offset", () => {
    const old = body(
      { start: "2025-01-31T04:00:00Z", end: "2025-01-31T04:05:00Z", network_timezone_offset: undefined },
      { data: [["2025-01-31T04:05:00Z", 2]] },
    );
    expect(points(old)).toMatchObject({
      timestamps: ["2025-01-31T04:05:00Z"],
      instants: [Date.parse("2025-01-31T04:05:00Z")],
    });
    expect(readBody(old)[0]?.fields).toMatchObject({ start: "2025-01-31T04:00:00Z", end: "2025-01-31T04:05:00Z" });
  });

  test("stamps without an offset are network time", () => {
    expect(points(body({}, { data: [["2025-01-31T14:05:00", 1]] }))?.instants).toEqual([
      Date.parse("2025-01-31T04:05:00Z"),
    ]);
  });

  test("a missing or null unit is an empty one; missing or null columns are no labels", () => {
    expect([undefined, null].map((unit) => readBody(body({ unit }))[0]?.unit)).toEqual(["", ""]);
    expect([undefined, null].map((columns) => readBody(body({}, { columns }))[0]?.series[0]?.labels)).toEqual([{}, {}]);
  });

  test("nothing gives nothing", () => {
    expect(readBody('{"data":[]}')).toEqual([]);
    expect(readBody(body({ results: [] }))[0]?.series).toEqual([]);
    expect(points(body({}, { data: [] }))?.timestamps).toEqual([]);
  });

  test("unknown fields are kept", () => {
    expect(readBody(body({ quality: { rating: "A" } }, { remark: "x" }))[0]).toMatchObject({
      fields: { quality: { rating: "A" } },
      series: [{ fields: { remark: "x" } }],
    });
  });
});

describe("points", () => {
  test("out of order are put in order; equal instants keep the service's", () => {
    const data = [
      ["2025-01-31T14:10:00+10:00", 1],
      ["2025-01-31T14:05:00+10:00", 2],
      ["2025-01-31T04:10:00Z", 3],
      ["2025-01-31T14:05:00+10:00", 4],
    ];
    expect(points(body({}, { data }))).toMatchObject({
      timestamps: [
        "2025-01-31T14:05:00+10:00",
        "2025-01-31T14:05:00+10:00",
        "2025-01-31T14:10:00+10:00",
        "2025-01-31T04:10:00Z",
      ],
      values: ["2", "4", "1", "3"],
    });
  });

  test("none is lost or invented, and instants never decrease", () => {
    fc.assert(
      fc.property(answers, (items) => {
        const read = readBody(toBody(items)).map(({ series }) => series.map((one) => one.points));
        for (const [i, item] of items.entries()) {
          for (const [j, model] of item.series.entries()) {
            const { timestamps, instants, values } = read[i]?.[j] ?? { timestamps: [], instants: [], values: [] };
            const pairs = (all: readonly (readonly [string, string | null])[]) =>
              all.map(([timestamp, value]) => `${timestamp} ${value && toJsonText(parseJson(value))}`).toSorted();
            expect(pairs(timestamps.map((timestamp, at) => [timestamp, values[at] ?? null]))).toEqual(
              pairs(model.points),
            );
            expect(instants).toEqual(instants.toSorted((a, b) => a - b));
          }
        }
      }),
    );
  });

  test("values that are text or booleans are kept as JSON", () => {
    const data = [
      ["2025-01-31", "NaN"],
      ["2025-02-01", true],
      ["2025-02-02", 'say "x"'],
    ];
    expect(points(body({}, { data }))?.values).toEqual(['"NaN"', "true", String.raw`"say \"x\""`]);
  });
});

describe("an unknown shape is refused with its place, what was expected and what came", () => {
  const timestamp = "2025-01-31T14:05:00+10:00";
  test.each<[string, string, RegExp]>([
    ["an item that is no object", '{"data":["x"]}', /at data\[0\]: .*expected an object/],
    ["no results", body({ results: undefined }), /at data\[0\]\.results: .*expected an array/],
    [
      "results that are an object",
      body({ results: {} }),
      /at data\[0\]\.results: .*expected an array, received an object/,
    ],
    ["a metric that is a number", body({ metric: 5 }), /at data\[0\]\.metric: .*expected a string/],
    ["points that are no list", body({}, { data: {} }), /at data\[0\]\.results\[0\]\.data: .*expected an array/],
    [
      "a label that is a list",
      body({}, { columns: { region: ["NSW1"] } }),
      /at data\[0\]\.results\[0\]\.columns\.region: /,
    ],
    [
      "a point that is an object",
      body({}, { data: [[timestamp, 1], { t: 1 }] }),
      /at data\[0\]\.results\[0\]\.data\[1\]: expected \[timestamp, value\], received an object/,
    ],
    [
      "a point of three",
      body({}, { data: [[timestamp, 1, 2]] }),
      /data\[0\]: expected \[timestamp, value\], received an array/,
    ],
    [
      "a stamp that is a number",
      body({}, { data: [[1738296300, 1]] }),
      /data\[0\]: expected a timestamp first, received a number/,
    ],
    [
      "a stamp that is none",
      body({}, { data: [["noon", 1]] }),
      /data\[0\]: expected an ISO 8601 timestamp, received "noon"/,
    ],
    [
      "a value that is a list",
      body({}, { data: [[timestamp, [1]]] }),
      /data\[0\]: expected a number or null second, received an array/,
    ],
  ])("%s", (_, text, message) => {
    const error = refusal(text);
    expect(error.kind).toBe("refused");
    expect(error.message).toMatch(message);
    expect(error.hint).toContain("--format json");
  });
});

describe("timestamps without an offset, if the service names no valid one", () => {
  const clock = { data: [["2025-01-31T14:05:00", 1]] };
  const read = (item: object) => {
    const warnings = new Set<string>();
    const [first] = runAtOnce(
      readTimeSeries(openEnvelope(parseJson(body(item, clock))).data, { warn: (text) => warnings.add(text) }),
    );
    return { instant: new Date(first?.series[0]?.points.instants[0] ?? 0).toISOString(), warnings: [...warnings] };
  };

  test.each([
    ["NEM", "2025-01-31T04:05:00.000Z"],
    ["AU", "2025-01-31T04:05:00.000Z"],
    ["WEM", "2025-01-31T06:05:00.000Z"],
  ])("are in %s's known time", (network_code, instant) => {
    for (const offset of [undefined, null, "", "AEST", "10:00", "+1", "+25:00", "x+10:00", 600, {}]) {
      expect(read({ network_code, network_timezone_offset: offset })).toEqual({ instant, warnings: [] });
    }
  });

  test("are in the time that the service names, however it writes the offset", () => {
    for (const offset of ["+08:00", "+0800", "+08"])
      expect(read({ network_code: "XYZ", network_timezone_offset: offset })).toEqual({
        instant: "2025-01-31T06:05:00.000Z",
        warnings: [],
      });
  });

  test("are UTC for an unknown network, with a warning", () => {
    for (const offset of [undefined, "AEST", 600]) {
      expect(read({ network_code: "XYZ", network_timezone_offset: offset })).toEqual({
        instant: "2025-01-31T14:05:00.000Z",
        warnings: ["the UTC offset of network XYZ is unknown; reading its timestamps without an offset as UTC"],
      });
    }
    expect(read({ network_code: "XYZ", network_timezone_offset: "-03:30" })).toEqual({
      instant: "2025-01-31T17:35:00.000Z",
      warnings: [],
    });
  });

  test("one with an offset needs no other", () => {
    const warn = () => expect.unreachable();
    const item = { network_code: "XYZ", network_timezone_offset: undefined };
    runAtOnce(
      readTimeSeries(openEnvelope(parseJson(body(item, { data: [["2025-01-31T14:05:00.5Z", 1]] }))).data, { warn }),
    );
  });
});
