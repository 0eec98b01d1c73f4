/** Timestamps are read back as they were printed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createZone } from "../../src/time/iana-zone.ts";
import { formatOffset, MINUTE } from "../../src/time/local-time.ts";
import { createZonedPrinter, type TimeFormat } from "../../src/time/timestamp-printer.ts";
import { createTimestampReader, isNearChange } from "../support/timestamp-reader.ts";
import { seconds } from "./generators.ts";

const ZONES = [
  "network",
  "utc",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Europe/London",
  "Asia/Kathmandu",
];
const FORMATS: TimeFormat[] = ["iso", "local", "unix", "unix-ms"];
/** Since then, no zone's offset has seconds. */
const recent = seconds.map((instant) => Math.abs(instant) + 10 * 365 * 86_400_000);

test("except in the hour that a wall clock shows twice", () => {
  const check = (instant: number, zone: string, [format, offset]: readonly [TimeFormat, number]) => {
    const timestamp = new Date(instant + offset * MINUTE).toISOString().slice(0, 19) + formatOffset(offset);
    const read = createTimestampReader(createZone(zone), format, offset);
    const printed = createZonedPrinter(createZone(zone), format)(timestamp, instant, offset);
    const isTwice = format === "local" && isNearChange(createZone(zone), instant);
    expect(isTwice ? read(printed, instant) : read(printed)).toBe(instant);
  };
  fc.assert(
    fc.property(
      recent,
      fc.constantFrom(...ZONES),
      fc.tuple(fc.constantFrom(...FORMATS), fc.constantFrom(480, 570, 600)),
      check,
    ),
  );
});

test("an hour that is shown twice is the first one that is not before another", () => {
  const read = createTimestampReader(createZone("Australia/Sydney"), "local", 600);
  const first = Date.UTC(2026, 3, 4, 15, 30);
  expect(read("2026-04-05 02:30:00")).toBe(first);
  expect(read("2026-04-05 02:30:00", first + 1)).toBe(first + 60 * MINUTE);
  expect(read("2026-04-05 03:00:00", first)).toBe(first + 90 * MINUTE);
  expect(isNearChange(createZone("Australia/Sydney"), first)).toBe(true);
  expect(isNearChange(createZone("Australia/Sydney"), first - 3 * 24 * 60 * MINUTE)).toBe(false);
});

test.each(["", "soon", "2026-13-01", "2026-01-01T00:00", "1e9", "2026-10-04 02:30:00 "])("%j is not read", (text) => {
  for (const zone of ["network", "Australia/Sydney"])
    expect(createTimestampReader(createZone(zone), "local", 600)(text)).toBeUndefined();
});

test("a network whose offset is unknown has no wall clock to read", () => {
  expect(createTimestampReader(createZone("network"), "local", undefined)("2026-01-01 00:00:00")).toBeUndefined();
  expect(createTimestampReader(createZone("network"), "iso", undefined)("2026-01-01T00:00:00")).toBeUndefined();
  expect(createTimestampReader(createZone("network"), "iso", undefined)("2026-01-01T00:00:00+09:30")).toBe(
    Date.UTC(2025, 11, 31, 14, 30),
  );
});

test("fractions of a second since 1970", () => {
  expect(createTimestampReader(createZone("network"), "unix", 600)("1738296300.2")).toBe(1_738_296_300_200);
});

test("a timestamp without an offset is network time", () => {
  expect(createTimestampReader(createZone("network"), "iso", 600)("2026-01-01T00:00:00")).toBe(
    Date.UTC(2025, 11, 31, 14),
  );
});

test("an ambiguous time is the first that is not before another; if both are, the first", () => {
  const read = createTimestampReader(createZone("Australia/Sydney"), "local", 600);
  const first = Date.UTC(2025, 3, 5, 15, 30);
  const second = first + 60 * MINUTE;
  const afters = [first, first + 1, second, second + 1];
  expect(afters.map((after) => read("2025-04-06 02:30:00", after))).toEqual([first, second, second, first]);
});

test("before 1972, offsets are rounded to minutes as they are printed", () => {
  const zone = createZone("Africa/Monrovia");
  const instant = Date.UTC(1970, 0, 1);
  const printed = createZonedPrinter(zone, "local")("", instant);
  expect([printed, createTimestampReader(zone, "local", 600)(printed)]).toEqual(["1969-12-31 23:16:00", instant]);
});
