/** Timestamps in a table: as short as the interval allows, and no two instants alike. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { createMomentPrinter, WallClockTime } from "../../src/format/table/timestamps.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { intervals, seconds } from "./generators.ts";

const NEM = 600;

function print(timestamps: readonly string[], interval?: ListedInterval, zone = "network"): string[] {
  const { toWallClock } = createZone(zone);
  const moments = timestamps.map(
    (timestamp) => new WallClockTime(Date.parse(timestamp), toWallClock(Date.parse(timestamp), NEM)),
  );
  return moments.map(createMomentPrinter(moments, interval));
}

test.each([
  ["5m", "2026-11-14T18:05:00+10:00", "2026-11-14 18:05"],
  ["1h", "2026-11-14T00:00:00+10:00", "2026-11-14 00:00"],
  ["1d", "2026-11-14T00:00:00+10:00", "2026-11-14"],
  ["7d", "2026-11-01T00:00:00+10:00", "2026-11-01"],
  ["1M", "2026-11-01T00:00:00+10:00", "2026-11"],
  ["3M", "2026-10-01T00:00:00+10:00", "2026 Q4"],
  ["3M", "2026-11-01T00:00:00+10:00", "2026-11"],
  ["season", "2026-01-01T00:00:00+10:00", "autumn 2026"],
  ["season", "2026-10-01T00:00:00+10:00", "summer 2026"],
  ["season", "2026-12-01T00:00:00+10:00", "summer 2026-27"],
  ["1y", "2026-01-01T00:00:00+10:00", "2026"],
  ["fy", "2026-01-01T00:00:00+10:00", "FY2026"],
  ["fy", "2026-07-01T00:00:00+10:00", "FY2027"],
  [undefined, "2026-01-01T00:00:00+10:00", "2026-01-01 00:00"],
  [undefined, "2026-01-01T00:00:30+10:00", "2026-01-01 00:00:30"],
  ["5m", "2026-01-01T00:00:00.250+10:00", "2026-01-01 00:00:00.250"],
] as const)("%s: %s is %s", (interval, timestamp, shown) => {
  expect(print([timestamp], interval)).toEqual([shown]);
});

test("intervals that start elsewhere in the zone are as long as necessary", () => {
  expect(print(["2026-01-01T00:00:00+10:00", "2027-01-01T00:00:00+10:00"], "1y", "utc")).toEqual([
    "2025-12-31 14:00",
    "2026-12-31 14:00",
  ]);
  expect(print(["2026-07-01T00:00:00+10:00", "2027-07-01T00:00:00+10:00"], "1y")).toEqual(["2026-07", "2027-07"]);
  expect(print(["2026-11-14T06:00:00+10:00", "2026-11-15T00:00:00+10:00"], "1d")).toEqual([
    "2026-11-14 06:00",
    "2026-11-15 00:00",
  ]);
});

test("the hour that daylight saving repeats has its offset, others have none", () => {
  const hours = ["00:00", "01:00", "02:00", "03:00"].map((time) => `2026-04-05T${time}:00+10:00`);
  expect(print(hours, "1h", "Australia/Sydney")).toEqual([
    "2026-04-05 01:00",
    "2026-04-05 02:00 +11:00",
    "2026-04-05 02:00 +10:00",
    "2026-04-05 03:00",
  ]);
});

test("no two instants look alike, in any zone", () => {
  const zones = fc.constantFrom(
    "network",
    "utc",
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Europe/London",
    "America/New_York",
  );
  const steps = fc.array(fc.integer({ min: 0, max: 60 * 24 * 3 }), { maxLength: 30 });
  const cases = fc.record({
    start: seconds,
    minutes: steps,
    interval: fc.option(intervals, { nil: undefined }),
    zone: zones,
  });
  fc.assert(
    fc.property(cases, ({ start, minutes, interval, zone }) => {
      const instants = [...new Set(minutes.map((step) => start + step * 60_000))];
      const shown = print(
        instants.map((instant) => new Date(instant).toISOString()),
        interval,
        zone,
      );
      expect(new Set(shown).size).toBe(instants.length);
    }),
  );
});
