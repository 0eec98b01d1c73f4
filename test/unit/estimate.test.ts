import fc from "fast-check";
import { expect, test } from "vitest";
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
