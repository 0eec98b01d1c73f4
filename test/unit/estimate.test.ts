import fc from "fast-check";
import { expect, test } from "vitest";
import { estimatePoints } from "../../src/plan/plan.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import { countIntervals, nextIntervalStart } from "../../src/time/calendar.ts";
import { intervals, seconds } from "./generators.ts";

test("countBuckets counts what walking from start to start counts", () => {
  fc.assert(
    fc.property(intervals, seconds, fc.integer({ min: 0, max: 300 }), (interval, start, steps) => {
      let end = start;
      for (let step = 0; step < steps; step++) end = nextIntervalStart(interval, end);
      expect(countIntervals(interval, start, end)).toBe(steps + 1);
    }),
  );
  expect(countIntervals("1h", Date.UTC(2025, 0, 2), Date.UTC(2025, 0, 1))).toBe(0);
});

test.each([
  ["NEM", 5],
  ["WEM", 1],
  ["AU", 6],
])("a query of %s by region has %i series", (network, regions) => {
  const input = {
    metrics: ["price"],
    interval: "1d",
    dateStart: "2025-01-01",
    dateEnd: "2025-01-10",
    groupBy: ["region"],
  };
  const { query } = buildQuery({ command: "market", network, input, now: 0 });
  expect(estimatePoints(query, 0)).toBe(10 * regions);
});
