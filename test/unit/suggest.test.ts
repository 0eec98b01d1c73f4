import fc from "fast-check";
import { expect, test } from "vitest";
import { findNearest } from "../../src/base/phrases.ts";
import { METRICS } from "../../src/base/vocabulary.ts";

const METRIC_NAMES = Object.keys(METRICS);

test.each([
  ["powr", "power"],
  ["POWER", "power"],
  ["enrgy", "energy"],
  ["emision", "emissions"],
  ["curtailment_solar", "curtailment_solar_utility"],
  ["renewable_proportoin", "renewable_proportion"],
])("%s: %s comes to mind", (typed, meant) => {
  expect(findNearest(typed, METRIC_NAMES)).toContain(meant);
});

test("the nearest comes first", () => {
  expect(findNearest("demnd", METRIC_NAMES)[0]).toBe("demand");
  expect(findNearest("jsno", ["ndjson", "json", "csv"])[0]).toBe("json");
});

test("one that differs in case alone is the only one", () => {
  expect(findNearest("nsw1", ["NSW1", "QLD1", "SA1"])).toEqual(["NSW1"]);
});

test.each([
  ["bay", []],
  ["gas", []],
  ["coal", []],
  ["SA", ["SA1"]],
  ["VCI1", ["VIC1"]],
  ["NEM", ["WEM"]],
])("of a short word, one edit or letters that changed places: %s", (typed, meant) => {
  expect(findNearest(typed, ["SA1", "TAS1", "VIC1", "NSW1", "WEM", "HEZ"])).toEqual(meant);
});

test("another ending is near", () => {
  expect(findNearest("facility", ["network", "facilities", "market"])).toEqual(["facilities"]);
});

test("nothing comes to mind for what is far from all", () => {
  expect(findNearest("zzzzzzzzzz", METRIC_NAMES)).toEqual([]);
  expect(findNearest("power", [])).toEqual([]);
});

test("a known value is its own nearest, in any case", () => {
  fc.assert(
    fc.property(fc.constantFrom(...METRIC_NAMES), fc.boolean(), (metric, upper) => {
      expect(findNearest(upper ? metric.toUpperCase() : metric, METRIC_NAMES)[0]).toBe(metric);
    }),
  );
});

test("one letter wrong is still near; few are named, each once, all of them known", () => {
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
