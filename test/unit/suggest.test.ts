import fc from "fast-check";
import { expect, test } from "vitest";
import { findNearest } from "../../src/base/nearest.ts";
import { METRICS } from "../../src/base/vocabulary.ts";

const METRIC_NAMES = Object.keys(METRICS);

test.each([
  ["powr", "power"],
  ["POWER", "power"],
  ["enrgy", "energy"],
  ["emision", "emissions"],
  ["curtailment_solar", "curtailment_solar_utility"],
  ["renewable_proportoin", "renewable_proportion"],
])("%s: %s is suggested", (typed, meant) => {
  expect(findNearest(typed, METRIC_NAMES)).toContain(meant);
});

test.each([
  ["bay", []],
  ["gas", []],
  ["coal", []],
  ["SA", ["SA1"]],
  ["VCI1", ["VIC1"]],
  ["NEM", ["WEM"]],
])("for a short word, one edit or swapped letters: %s", (typed, meant) => {
  expect(findNearest(typed, ["SA1", "TAS1", "VIC1", "NSW1", "WEM", "HEZ"])).toEqual(meant);
});

test("one wrong letter is still similar; suggestions are few, unique and known", () => {
  fc.assert(
    fc.property(fc.constantFrom(...METRIC_NAMES), fc.nat(), fc.constantFrom("", "x", "_"), (metric, at, letter) => {
      const place = at % metric.length;
      const nearest = findNearest(metric.slice(0, place) + letter + metric.slice(place + 1), METRIC_NAMES);
      expect(nearest.length).toBeGreaterThan(0);
      expect(nearest.length).toBeLessThanOrEqual(3);
      expect(new Set(nearest).size).toBe(nearest.length);
      expect(METRIC_NAMES).toEqual(expect.arrayContaining(nearest));
    }),
  );
});
