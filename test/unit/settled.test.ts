/** `--settled`: which values are known to change, and which are left out. */
import { expect, test } from "vitest";
import { findProvisional } from "../../src/base/provisional.ts";
import { keepSettled } from "../../src/series/settled.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-01-10T12:00:00+10:00");

test.each([
  ["NEM", "renewable_proportion", 1.5],
  ["NEM", "demand_gross_energy", 1.5],
  ["NEM", "share", 1.5],
  ["NEM", "price", 0],
  ["NEM", "demand", 0],
  ["WEM", "price", 48],
  ["WEM", "capacity_factor", 48],
  ["WEM", "demand", 0],
])("%s %s is provisional for %f hours", (network, metric, hours) => {
  expect(findProvisional(network, metric)).toBe(hours * HOUR);
});

test("an interval must have ended before the cut; each metric has its own", () => {
  const instants = Array.from({ length: 24 }, (_, index) => NOW - (24 - index) * 300_000);
  const timestamps = instants.map((instant) => new Date(instant + 10 * HOUR).toISOString().replace(/\.000Z/, "+10:00"));
  const item = (metric: string): TimeSeries => ({
    fields: { interval: "5m" },
    network: "NEM",
    metric,
    unit: "%",
    series: [{ fields: {}, labels: {}, points: { timestamps, instants, values: instants.map(() => "1") } }],
  });
  const [renewables, prices] = keepSettled([item("renewable_proportion"), item("price")], { interval: "5m" }, NOW);
  expect(renewables?.series[0]?.points.timestamps.at(-1)).toBe("2026-01-10T10:25:00+10:00");
  expect(prices?.series[0]?.points.timestamps.at(-1)).toBe("2026-01-10T11:55:00+10:00");
});
