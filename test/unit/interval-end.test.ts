import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { toTable } from "../../src/series/layout/create-layout.ts";
import { explainUnknownEnd, findIntervalEnd } from "../../src/series/intervals/grid.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { createZonedPrinter, type TimeFormat } from "../../src/time/timestamp-printer.ts";
import { intervalAround, labelOf } from "../merge/model-intervals.ts";
import { draws } from "../support/extent.ts";
import { intervals, listRows, readBody } from "./generators.ts";

const MINUTE = 60_000;

const places = fc.record({
  interval: intervals,
  local: fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2050, 0) }),
  offset: fc.constantFrom(600, 480, 0, 570, -210),
});

test("is the start of the next interval; of a financial year, also by the service's name for it", () => {
  fc.assert(
    fc.property(places, ({ interval, local, offset }) => {
      fc.pre(interval !== "season");
      const [start, next] = intervalAround(interval, local);
      for (const timestamp of [start, labelOf(interval, start)])
        expect(findIntervalEnd(interval, timestamp - offset * MINUTE, offset)).toBe(next - offset * MINUTE);
    }),
    { numRuns: draws(300, 2000) },
  );
});

const item = (timestamps: readonly string[], fields: object) =>
  readBody(
    JSON.stringify({
      data: [
        {
          network_code: "NEM",
          metric: "power",
          unit: "MW",
          ...fields,
          results: [{ columns: {}, data: timestamps.map((timestamp) => [timestamp, 1]) }],
        },
      ],
    }),
  );

interface PrintedEnds {
  readonly zone?: string;
  readonly format?: TimeFormat;
  readonly fields?: object;
}

function printEnds(
  timestamps: readonly string[],
  interval: string,
  { zone = "network", format = "iso", fields = {} }: PrintedEnds = {},
) {
  const options = {
    shape: "long",
    intervalEnd: true,
    metrics: ["power"],
    printTimestamp: createZonedPrinter(createZone(zone), format),
  } as const;
  const table = toTable(item(timestamps, { interval, ...fields }), options);
  expect(table.columns.slice(0, 3).map(({ name }) => name)).toEqual(["timestamp", "interval_end", "network"]);
  return listRows(table).map(([, end]) => end);
}

describe("is printed like its timestamp", () => {
  const STAMP = "2025-04-05T14:30:00+10:00";
  test.each<[zone: string, format: TimeFormat, end: string]>([
    ["network", "iso", "2025-04-06T14:30:00+10:00"],
    ["utc", "iso", "2025-04-06T04:30:00Z"],
    // Daylight saving ends between the two.
    ["Australia/Sydney", "iso", "2025-04-06T14:30:00+10:00"],
    ["network", "local", "2025-04-06 14:30:00"],
    ["utc", "local", "2025-04-06 04:30:00"],
    ["America/St_Johns", "local", "2025-04-06 02:00:00"],
    ["network", "unix", "1743913800"],
    ["utc", "unix-ms", "1743913800000"],
  ])("%s, %s", (zone, format, end) => {
    expect(printEnds([STAMP], "1d", { zone, format })).toEqual([end]);
  });

  test.each<[timestamp: string, interval: ListedInterval, end: string]>([
    ["2025-01-31T23:55:00", "5m", "2025-02-01T00:00:00"],
    ["2025-01-31 23:00:00", "1h", "2025-02-01 00:00:00"],
    ["2025-01-31T23:00", "1h", "2025-02-01T00:00"],
    ["2025-01-31", "1d", "2025-02-01"],
    ["2025-12-28", "7d", "2026-01-04"],
    ["2024-02-01", "1M", "2024-03-01"],
    ["2024-01-31T14:00:00Z", "1M", "2024-02-29T14:00:00Z"],
    ["2024-10-01T00:00:00+10:00", "3M", "2025-01-01T00:00:00+10:00"],
    ["2024-12-01T00:00:00+10:00", "season", "2025-03-01T00:00:00+10:00"],
    ["2024-01-01", "season", "2024-06-01"],
    ["2025-01-01T00:00:00+10:00", "fy", "2025-07-01T00:00:00+10:00"],
    ["2024-01-01T00:00:00+10:00", "1y", "2025-01-01T00:00:00+10:00"],
    ["2025-01-01T00:00:00.500+10:00", "5m", "2025-01-01T00:05:00.500+10:00"],
  ])("%s of %s ends at %s", (timestamp, interval, end) => {
    expect(printEnds([timestamp], interval)).toEqual([end]);
  });

  test("timestamps of one series in several spellings each keep their own", () => {
    const timestamps = [
      "2025-01-01T00:00:00",
      "2025-01-01T00:05:00+10:00",
      "2024-12-31T14:10:00Z",
      "2025-01-01T00:15:00+10:00",
    ];
    expect(printEnds(timestamps, "5m")).toEqual([
      "2025-01-01T00:05:00",
      "2025-01-01T00:10:00+10:00",
      "2024-12-31T14:15:00Z",
      "2025-01-01T00:20:00+10:00",
    ]);
  });
});

describe("is empty, with a reason", () => {
  const STAMPS = ["2025-01-01T00:00:00Z"];
  const explain = (fields: object, asked?: ListedInterval) =>
    explainUnknownEnd(item(STAMPS, fields)[0] as never, asked);

  test("if the interval is unknown, unless it was requested", () => {
    expect(printEnds(STAMPS, "2M")).toEqual([null]);
    expect(explain({ interval: "2M" })).toBe('interval_end is empty: unknown interval "2M"');
    expect(explain({})).toBe("interval_end is empty: the service names no interval");
    expect(explain({ interval: "2M" }, "1h")).toBeUndefined();
    expect(explain({ interval: "1h" })).toBeUndefined();
  });

  test("for months of a network whose clock is unknown", () => {
    const fields = { network_code: "XX" };
    expect(printEnds(STAMPS, "1M", { fields })).toEqual([null]);
    expect(explain({ ...fields, interval: "1M" })).toBe(
      "interval_end is empty: the UTC offset of network XX is unknown",
    );
    expect(printEnds(STAMPS, "1d", { fields })).toEqual(["2025-01-02T00:00:00Z"]);
    expect(explain({ ...fields, interval: "1d" })).toBeUndefined();
  });
});
