import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { subtractDuration, type Duration, durationMs, formatAge, parseDuration } from "../../src/time/duration.ts";
import { DAY, formatLocalTime } from "../../src/time/local-time.ts";
import { seconds } from "./generators.ts";

const parse = (text: string) => parseDuration(text) as Duration;
const before = (from: string, text: string) => formatLocalTime(subtractDuration(Date.parse(`${from}Z`), parse(text)));

describe("parseDuration", () => {
  test.each([
    ["30s", 30_000],
    ["90m", 5_400_000],
    ["12h", 43_200_000],
    ["7d", 7 * DAY],
    ["2w", 14 * DAY],
  ])("%s is %d ms", (text, ms) => {
    expect(durationMs(parse(text))).toBe(ms);
  });

  test.each(["6M", "1y"])("%s has no fixed length", (text) => {
    expect(parseDuration(text)).toBeDefined();
    expect(durationMs(parse(text))).toBeUndefined();
  });

  test("M is months, m is minutes", () => {
    expect(parseDuration("6M")).toEqual({ amount: 6, unit: "months" });
    expect(parseDuration("6m")).toEqual({ amount: 6, unit: "minutes" });
  });

  test.each([
    "",
    "0d",
    "00h",
    "d",
    "7",
    "-7d",
    "+7d",
    "1.5h",
    "7 d",
    " 7d",
    "7d ",
    "1h30m",
    "7D",
    "1Y",
    "7days",
    "P7D",
    "1e3s",
  ])("%j is not a duration", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("subtractDuration", () => {
  test.each([
    ["2025-03-31T10:00:00", "1M", "2025-02-28T10:00:00"],
    ["2024-03-31T10:00:00", "1M", "2024-02-29T10:00:00"],
    ["2024-02-29T10:00:00", "1y", "2023-02-28T10:00:00"],
    ["2024-02-29T10:00:00", "4y", "2020-02-29T10:00:00"],
    ["2025-05-31T00:00:00", "6M", "2024-11-30T00:00:00"],
    ["2025-01-15T00:00:00", "13M", "2023-12-15T00:00:00"],
    ["2025-03-01T00:00:00", "1d", "2025-02-28T00:00:00"],
    ["2025-01-01T00:00:00", "30s", "2024-12-31T23:59:30"],
  ])("%s less %s is %s", (from, duration, result) => {
    expect(before(from, duration)).toBe(result);
  });

  test("agrees with luxon", () => {
    const units = { M: "months", y: "years" } as const;
    fc.assert(
      fc.property(seconds, fc.integer({ min: 1, max: 999 }), fc.constantFrom("M", "y"), (from, amount, unit) => {
        const luxon = DateTime.fromMillis(from, { zone: "utc" }).minus({ [units[unit]]: amount });
        expect(subtractDuration(from, parse(`${amount}${unit}`))).toBe(luxon.toMillis());
      }),
    );
  });

  test("subtracts exactly its milliseconds if its length is fixed", () => {
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 1, max: 9999 }),
        fc.constantFrom("s", "m", "h", "d", "w"),
        (from, amount, unit) => {
          const duration = parse(`${amount}${unit}`);
          expect(from - subtractDuration(from, duration)).toBe(durationMs(duration));
        },
      ),
    );
  });

  test("keeps the time of day, and stays within the month", () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: 1, max: 240 }), (from, amount) => {
        const [start, result] = [new Date(from), new Date(subtractDuration(from, parse(`${amount}M`)))];
        const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(months(start) - months(result)).toBe(amount);
        expect(result.toISOString().slice(11)).toBe(start.toISOString().slice(11));
        expect(result.getUTCDate()).toBeLessThanOrEqual(start.getUTCDate());
      }),
    );
  });
});

test.each([
  [-5, "0s"],
  [59_999, "59s"],
  [119_999, "119s"],
  [120_000, "2m"],
  [3.5 * 3_600_000, "3h"],
  [47 * 3_600_000, "47h"],
  [2 * DAY, "2d"],
  [400 * DAY, "400d"],
])("an age of %d ms is %s", (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
