/**
 * Seasons with the public service's timestamps: January, February and December of one calendar year form one, stamped 1
 * October.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INTERVALS, type ListedInterval } from "../../src/base/intervals.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { localOfStep, STEPS_PER_DAY } from "../../src/sandbox/model/clock.ts";
import { IntervalTable, timestampOf } from "../../src/sandbox/series/intervals.ts";
import { runs } from "../support/extent.ts";
import { askSeries, type Query, startStill, type Value, inTenThousandths } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

const ENERGY = { metrics: "energy", fueltech: "wind" };

async function askRows(query: Query): Promise<[string, Value][]> {
  const series = await askSeries(sandbox, "/data/network/WEM", { ...ENERGY, interval: "season", ...query });
  return [...series.get("wind")!].map(([timestamp, value]) => [timestamp.slice(0, 10), value]);
}

/** The energy of some months of a year. */
async function sumMonths(year: number, months: readonly string[]): Promise<number> {
  const window = { date_start: `${year}-01-01`, date_end: `${year}-12-31T23:55` };
  const series = await askSeries(sandbox, "/data/network/WEM", { ...ENERGY, interval: "1M", ...window });
  const wanted = [...series.get("wind")!].filter(([timestamp]) => months.includes(timestamp.slice(5, 7)));
  return wanted.reduce((sum, [, value]) => sum + inTenThousandths(value!), 0) / 10_000;
}

describe("a season", () => {
  test("of a calendar year has its own months", async () => {
    expect(await askRows({ date_start: "2023-01-01", date_end: "2023-12-31T23:55" })).toEqual([
      ["2023-01-01", await sumMonths(2023, ["03", "04", "05"])],
      ["2023-04-01", await sumMonths(2023, ["06", "07", "08"])],
      ["2023-07-01", await sumMonths(2023, ["09", "10", "11"])],
      ["2023-10-01", await sumMonths(2023, ["12", "01", "02"])],
    ]);
  });

  test("of a window from December to March is distinguished by year", async () => {
    const timestamps = (await askRows({ date_start: "2023-12-01", date_end: "2024-03-31T23:55" })).map(
      ([timestamp]) => timestamp,
    );
    expect(timestamps).toEqual(["2023-10-01", "2024-01-01", "2024-04-01", "2024-07-01", "2024-10-01"]);
  });
});

test("a financial year is stamped 1 January of the year in which it ends", () => {
  const timestamps = ["2024-06-30T23:55Z", "2024-07-01T00:00Z", "2025-01-31T00:00Z"].map((at) =>
    timestampOf("fy", Date.parse(at)),
  );
  expect(timestamps.map((timestamp) => new Date(timestamp).toISOString().slice(0, 10))).toEqual([
    "2024-01-01",
    "2025-01-01",
    "2025-01-01",
  ]);
});

const DAYS = { min: Date.parse("2010-01-01") / 86_400_000, max: Date.parse("2026-01-01") / 86_400_000 };
const drawn = fc.record({
  interval: fc.constantFrom(
    ...(Object.keys(INTERVALS) as ListedInterval[]).filter((interval) => !["5m", "1h"].includes(interval)),
  ),
  first: fc.integer({ min: DAYS.min * STEPS_PER_DAY, max: DAYS.max * STEPS_PER_DAY }),
  length: fc.integer({ min: 0, max: 800 * STEPS_PER_DAY }),
});

test("any window: its segments tile it, each in the interval of its timestamp, from the first to the last", () => {
  fc.assert(
    fc.property(drawn, ({ interval, first, length }) => {
      const window = { first, last: first + length };
      const buckets = new IntervalTable(interval, window);
      const used = new Set<number>();
      let next = first;
      for (let day = Math.floor(first / STEPS_PER_DAY); day <= Math.floor(window.last / STEPS_PER_DAY); day++) {
        for (const { from, to, interval: bucket } of buckets.segmentsOfDay(day)) {
          expect(day * STEPS_PER_DAY + from).toBe(next);
          for (const step of [next, day * STEPS_PER_DAY + to - 1]) {
            expect(buckets.timestamps[bucket]).toBe(timestampOf(interval, localOfStep(step)));
          }
          next = day * STEPS_PER_DAY + to;
          used.add(bucket);
        }
      }
      expect(next).toBe(window.last + 1);
      expect(buckets.rangeOf(window)).toEqual({ from: Math.min(...used), to: Math.max(...used) });
      expect([Math.min(...used), Math.max(...used)]).toEqual([0, buckets.timestamps.length - 1]);
    }),
    { numRuns: runs(20, 100) },
  );
});
