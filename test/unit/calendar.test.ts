import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { addInterval, intervalStart, nextIntervalStart } from "../../src/time/calendar.ts";
import { formatLocalTime, formatOffset, formatTimestamp } from "../../src/time/local-time.ts";
import { INTERVALS, type ListedInterval } from "../../src/base/intervals.ts";
import { intervals, seconds } from "./generators.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const startOf = (interval: ListedInterval, text: string) => formatLocalTime(intervalStart(interval, at(text)));
const nextOf = (interval: ListedInterval, text: string) => formatLocalTime(nextIntervalStart(interval, at(text)));

describe("intervals of every length", () => {
  test("contain the instant that they are requested for", () => {
    fc.assert(
      fc.property(intervals, seconds, (interval, local) => {
        expect(intervalStart(interval, local)).toBeLessThanOrEqual(local);
        expect(nextIntervalStart(interval, local)).toBeGreaterThan(local);
      }),
    );
  });

  test("a start is its own start, and the next start is a start", () => {
    fc.assert(
      fc.property(intervals, seconds, (interval, local) => {
        const start = intervalStart(interval, local);
        const next = nextIntervalStart(interval, local);
        expect(intervalStart(interval, start)).toBe(start);
        expect(intervalStart(interval, next)).toBe(next);
      }),
    );
  });

  test("one interval after a start is the next start", () => {
    fc.assert(
      fc.property(intervals, seconds, (interval, local) => {
        expect(addInterval(interval, intervalStart(interval, local))).toBe(nextIntervalStart(interval, local));
      }),
    );
  });

  test("one interval after the middle of a month is the middle of a month", () => {
    const next = (interval: ListedInterval, text: string) =>
      formatLocalTime(addInterval(INTERVALS[interval].rule, at(text)));
    expect(next("1M", "2025-01-15T00:00:00")).toBe("2025-02-15T00:00:00");
    expect(next("season", "2024-10-15T00:00:00")).toBe("2025-01-15T00:00:00");
    expect(next("fy", "2025-01-01T00:00:00")).toBe("2026-01-01T00:00:00");
  });

  test("tile time: the last millisecond before the next start is still in the interval", () => {
    fc.assert(
      fc.property(intervals, seconds, (interval, local) => {
        const next = nextIntervalStart(interval, local);
        expect(intervalStart(interval, next - 1)).toBe(intervalStart(interval, local));
      }),
    );
  });

  test("are monotone", () => {
    fc.assert(
      fc.property(intervals, seconds, seconds, (interval, one, other) => {
        const [early, late] = one < other ? [one, other] : [other, one];
        expect(intervalStart(interval, early)).toBeLessThanOrEqual(intervalStart(interval, late));
      }),
    );
  });

  test.each<[ListedInterval, Partial<Record<"weekday" | "month", number[]>>]>([
    ["1d", {}],
    ["7d", { weekday: [7] }],
    ["1M", {}],
    ["3M", { month: [1, 4, 7, 10] }],
    ["season", { month: [1, 4, 7, 10] }],
    ["1y", { month: [1] }],
    ["fy", { month: [7] }],
  ])("of %s start at midnight, on %j", (interval, { weekday, month }) => {
    fc.assert(
      fc.property(seconds, (local) => {
        const start = DateTime.fromMillis(intervalStart(interval, local), { zone: "utc" });
        expect(start.toISOTime()).toBe("00:00:00.000Z");
        expect(weekday ?? [start.weekday]).toContain(start.weekday);
        expect(month ?? [start.month]).toContain(start.month);
      }),
    );
  });

  test.each<ListedInterval>(["1M", "3M", "season", "1y", "fy"])("of %s start on the first of a month", (interval) => {
    fc.assert(
      fc.property(seconds, (local) => {
        expect(new Date(intervalStart(interval, local)).getUTCDate()).toBe(1);
      }),
    );
  });
});

describe("intervalStart", () => {
  test.each<[ListedInterval, string, string]>([
    ["5m", "2025-01-31T14:09:59", "2025-01-31T14:05:00"],
    ["1h", "2025-01-31T14:59:59", "2025-01-31T14:00:00"],
    ["1d", "2025-01-31T23:59:59", "2025-01-31T00:00:00"],
    ["7d", "2025-02-01T12:00:00", "2025-01-26T00:00:00"],
    ["7d", "2025-02-02T00:00:00", "2025-02-02T00:00:00"],
    ["1M", "2024-02-29T23:00:00", "2024-02-01T00:00:00"],
    ["3M", "2025-06-30T23:59:59", "2025-04-01T00:00:00"],
    ["season", "2025-02-28T00:00:00", "2025-01-01T00:00:00"],
    ["1y", "2024-12-31T23:59:59", "2024-01-01T00:00:00"],
    ["fy", "2025-06-30T23:59:59", "2024-07-01T00:00:00"],
    ["fy", "2025-07-01T00:00:00", "2025-07-01T00:00:00"],
    ["7d", "1969-12-31T00:00:00", "1969-12-28T00:00:00"],
    ["5m", "1969-12-31T23:59:59", "1969-12-31T23:55:00"],
    ["fy", "1905-01-01T00:00:00", "1904-07-01T00:00:00"],
  ])("%s at %s is %s", (interval, local, start) => {
    expect(startOf(interval, local)).toBe(start);
  });
});

describe("nextIntervalStart", () => {
  test.each<[ListedInterval, string, string]>([
    ["1d", "2024-02-28T12:00:00", "2024-02-29T00:00:00"],
    ["1d", "2025-02-28T12:00:00", "2025-03-01T00:00:00"],
    ["1M", "2024-12-15T00:00:00", "2025-01-01T00:00:00"],
    ["season", "2024-12-01T00:00:00", "2025-01-01T00:00:00"],
    ["fy", "2024-07-01T00:00:00", "2025-07-01T00:00:00"],
    ["7d", "2024-12-29T00:00:00", "2025-01-05T00:00:00"],
  ])("%s after %s is %s", (interval, local, next) => {
    expect(nextOf(interval, local)).toBe(next);
  });
});

test("stamps carry the offset of their network", () => {
  expect(formatTimestamp(at("2025-01-31T14:05:00"), 600)).toBe("2025-01-31T14:05:00+10:00");
  expect(formatTimestamp(at("2025-01-31T14:05:00"), -210)).toBe("2025-01-31T14:05:00-03:30");
  expect([0, 480, 345, -30].map(formatOffset)).toEqual(["+00:00", "+08:00", "+05:45", "-00:30"]);
});
