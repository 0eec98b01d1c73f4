import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { createTimestampShifter, parseTimestamp } from "../../src/time/timestamp.ts";
import { seconds } from "./generators.ts";

const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });

function write(instant: number, offset: number): string {
  return DateTime.fromMillis(instant, { zone: "utc" })
    .setZone(zoneOf(offset))
    .toISO({ suppressMilliseconds: true }) as string;
}

function zoneOf(offset: number): string {
  const absolute = Math.abs(offset);
  return `UTC${offset < 0 ? "-" : "+"}${Math.floor(absolute / 60)}:${String(absolute % 60).padStart(2, "0")}`;
}

describe("parseTimestamp", () => {
  test("reads any offset as Date.parse does, whatever the network's", () => {
    fc.assert(
      fc.property(
        seconds,
        offsets,
        fc.constantFrom("+10:00", "-03:30", "Z", "", "rubbish"),
        (instant, offset, network) => {
          const timestamp = write(instant, offset);
          expect(parseTimestamp(timestamp, network)).toBe(instant);
          expect(parseTimestamp(timestamp, network)).toBe(Date.parse(timestamp));
          expect(parseTimestamp(timestamp.replace("T", " "), network)).toBe(instant);
        },
      ),
    );
  });

  test("uses the network's offset if the timestamp has none", () => {
    fc.assert(
      fc.property(seconds, (instant) => {
        const clock = new Date(instant).toISOString().slice(0, 19);
        expect(parseTimestamp(clock, "+10:00")).toBe(instant - 10 * 3_600_000);
        expect(parseTimestamp(clock, "-03:30")).toBe(instant + 3.5 * 3_600_000);
        expect(parseTimestamp(clock, "Z")).toBe(instant);
        expect(parseTimestamp(clock, "")).toBe(instant);
      }),
    );
  });

  test.each([
    ["2025-01-31T14:05:00+10:00", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31T14:05+10:00", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31T14:05:00+1000", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31T14:05:00+10", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31 14:05:00.5-0330", "2025-01-31T17:35:00.500Z"],
    ["2025-01-31T14:05:00.250Z", "2025-01-31T14:05:00.250Z"],
    ["2025-01-31T14:05:00.123456+08:00", "2025-01-31T06:05:00.123Z"],
    ["2025-01-31 14:05:00", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31T14:05", "2025-01-31T04:05:00.000Z"],
    ["2025-01-31", "2025-01-30T14:00:00.000Z"],
  ])("%s in NEM time is %s", (timestamp, instant) => {
    expect(new Date(parseTimestamp(timestamp, "+10:00") as number).toISOString()).toBe(instant);
  });

  test.each([
    "",
    "2025",
    "2025-01",
    "31/01/2025",
    "1738296300",
    "2025-13-01",
    "2025-01-31T25:00:00Z",
    "2025-01-31T14:05:00+99:99",
    "yesterday",
    "2025-01-31T14:05:00+1",
    "2025-01-31T14:05:00+100",
    "2025-01-31T14:05:00 EST",
    '2025-01-31T14:05:00Z"',
    " 2025-01-31",
  ])("%j is not a timestamp", (timestamp) => {
    expect(parseTimestamp(timestamp, "+10:00")).toBeUndefined();
  });
});

describe("createMover", () => {
  test("moves a timestamp of any spelling, and keeps the spelling", () => {
    const clocks = fc.constantFrom(
      "2025-01-31",
      "2025-01-31T14:05",
      "2025-01-31 14:05:00",
      "2025-01-31T14:05:00.250",
      "2025-01-31T14:05:00.000000",
    );
    const suffixes = fc.constantFrom("", "Z", "+10:00", "-03:30");
    fc.assert(
      fc.property(clocks, suffixes, fc.integer({ min: -4000, max: 4000 }), (clock, suffix, days) => {
        const timestamp = clock.length === 10 ? clock : clock + suffix;
        const moved = createTimestampShifter(timestamp)(days * 86_400_000);
        expect(parseTimestamp(moved, "+08:00")).toBe((parseTimestamp(timestamp, "+08:00") ?? 0) + days * 86_400_000);
        expect(moved.replace(/^\d{4}-\d\d-\d\d/, "")).toBe(timestamp.slice(10));
      }),
    );
    expect(createTimestampShifter("2025-01-31T23:55:00+10:00")(300_000)).toBe("2025-02-01T00:00:00+10:00");
    expect(createTimestampShifter("2025-01-31T23:55:00.123456Z")(300_000)).toBe("2025-02-01T00:00:00.123456Z");
    expect(createTimestampShifter("2025-01-31T23:55Z")(300_000)).toBe("2025-02-01T00:00Z");
  });
});
