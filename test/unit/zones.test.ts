import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { createZone } from "../../src/time/iana-zone.ts";
import { createZonedPrinter, type TimeFormat } from "../../src/time/timestamp-printer.ts";
import { nameZone } from "../../src/time/zone.ts";

const ZONES = [
  "utc",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Africa/Monrovia",
];
const DST_ZONES = ["Australia/Sydney", "Australia/Lord_Howe", "America/St_Johns"];

const instants = fc
  .integer({ min: Date.UTC(1900, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
  .map((second) => second * 1000);
const modern = fc
  .integer({ min: Date.UTC(1975, 0) / 1000, max: Date.UTC(2060, 0) / 1000 })
  .map((second) => second * 1000);

describe.each(ZONES)("%s", (zone) => {
  test("a printed stamp reads back as the same instant", () => {
    const print = createZonedPrinter(createZone(zone));
    fc.assert(
      fc.property(fc.array(instants), (all) => {
        for (const instant of all) {
          const printed = print("", instant);
          expect(printed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
          expect(Date.parse(printed)).toBe(instant);
        }
      }),
    );
  });

  test("prints the wall clock and offset that luxon gives", () => {
    const print = createZonedPrinter(createZone(zone));
    fc.assert(
      fc.property(modern, (instant) => {
        expect(print("", instant)).toBe(DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }));
      }),
    );
  });
});

test.each(DST_ZONES)("%s: the changes of daylight saving, minute by minute", (zone) => {
  const print = createZonedPrinter(createZone(zone));
  const changes = findOffsetChanges(zone, 2025);
  expect(changes.length).toBe(2);
  for (const change of changes) {
    for (let minute = -20; minute <= 20; minute++) {
      const instant = change + minute * 60_000;
      expect(print("", instant)).toBe(DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }));
    }
  }
});

/** The first minutes with another offset, found with Intl alone. */
function findOffsetChanges(zone: string, year: number): number[] {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetAt = (instant: number) =>
    format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
  const changes: number[] = [];
  const HOUR = 3_600_000;
  for (let hour = Date.UTC(year, 0); hour < Date.UTC(year + 1, 0); hour += HOUR) {
    if (offsetAt(hour) === offsetAt(hour + HOUR)) continue;
    let change = hour;
    while (offsetAt(change) === offsetAt(hour)) change += 60_000;
    changes.push(change);
  }
  return changes;
}

test("a clock that changes at one minute past midnight changes then", () => {
  const print = createZonedPrinter(createZone("America/St_Johns"));
  expect(print("", Date.parse("1995-10-29T02:30:59Z"))).toBe("1995-10-29T00:00:59-02:30");
  expect(print("", Date.parse("1995-10-29T02:31:00Z"))).toBe("1995-10-28T23:01:00-03:30");
});

test("known instants", () => {
  const instant = Date.parse("2025-01-31T14:05:00+10:00");
  const prints = (zone: string) => createZonedPrinter(createZone(zone))("2025-01-31T14:05:00+10:00", instant);
  expect(prints("utc")).toBe("2025-01-31T04:05:00Z");
  expect(prints("UTC")).toBe("2025-01-31T04:05:00Z");
  expect(prints("Australia/Sydney")).toBe("2025-01-31T15:05:00+11:00");
  expect(prints("Australia/Brisbane")).toBe("2025-01-31T14:05:00+10:00");
  expect(prints("Asia/Kathmandu")).toBe("2025-01-31T09:50:00+05:45");
});

test("every format, in any zone", () => {
  const timestamp = "2025-01-31T14:05:00+10:00";
  const prints = (zone: string, format: TimeFormat) =>
    createZonedPrinter(createZone(zone), format)(timestamp, Date.parse(timestamp), 600);
  expect(prints("network", "iso")).toBe(timestamp);
  expect(prints("network", "local")).toBe("2025-01-31 14:05:00");
  expect(prints("utc", "local")).toBe("2025-01-31 04:05:00");
  expect(prints("Australia/Sydney", "local")).toBe("2025-01-31 15:05:00");
  for (const zone of ["network", "utc", "Australia/Sydney"]) {
    expect(prints(zone, "unix")).toBe("1738296300");
    expect(prints(zone, "unix-ms")).toBe("1738296300000");
  }
});

test("a wall clock is the network's, in whatever offset the service wrote it; its own if the network's is unknown", () => {
  const print = createZonedPrinter(createZone("network"), "local");
  expect(print("2025-01-31T04:05:00Z", Date.parse("2025-01-31T04:05:00Z"), 600)).toBe("2025-01-31 14:05:00");
  expect(print("2025-01-31 14:05", Date.parse("2025-01-31T04:05:00Z"), 600)).toBe("2025-01-31 14:05:00");
  expect(print("2025-01-31T14:05:00-03:30", Date.parse("2025-01-31T14:05:00-03:30"))).toBe("2025-01-31 14:05:00");
  expect(print("2025-01-31", Date.parse("2025-01-31"))).toBe("2025-01-31 00:00:00");
});

test("fractions of a second are kept in every format", () => {
  const instant = Date.parse("2025-01-31T04:05:00.250Z");
  expect(createZonedPrinter(createZone("network"), "local")("", instant, 600)).toBe("2025-01-31 14:05:00.250");
  expect(createZonedPrinter(createZone("network"), "unix")("", instant)).toBe("1738296300.25");
  expect(createZonedPrinter(createZone("network"), "unix-ms")("", instant)).toBe("1738296300250");
  expect(createZonedPrinter(createZone("network"), "unix")("", -500)).toBe("-0.5");
});

test("network leaves the service's spelling unchanged", () => {
  const print = createZonedPrinter(createZone("network"));
  expect(print("2025-01-31 14:05", 0)).toBe("2025-01-31 14:05");
});

test("fractions of a second are kept", () => {
  expect(createZonedPrinter(createZone("utc"))("", Date.parse("2025-01-31T04:05:00.250Z"))).toBe(
    "2025-01-31T04:05:00.250Z",
  );
  expect(createZonedPrinter(createZone("Australia/Sydney"))("", Date.parse("2025-01-31T04:05:00.250Z"))).toBe(
    "2025-01-31T15:05:00.250+11:00",
  );
});

test("an unknown zone is a usage error that names the nearest", () => {
  expect(() => createZonedPrinter(createZone("Australia/Sidney"))).toThrow(
    /unknown time zone "Australia\/Sidney"; did you mean Australia\/Sydney\?/,
  );
  expect(() => createZonedPrinter(createZone(""))).toThrow(/unknown time zone ""/);
});

test("utc is one zone, however it is typed", () => {
  expect(new Set(["utc", "UTC", "Utc", "Z", "+00:00", "UTC+0", "-00"].map(createZone)).size).toBe(1);
});

test.each([
  ["+10:00", "+10:00", 600],
  ["+1000", "+10:00", 600],
  ["+10", "+10:00", 600],
  ["UTC+10:00", "+10:00", 600],
  ["GMT+8", "+08:00", 480],
  ["-03:30", "-03:30", -210],
  ["AEST", "+10:00", 600],
  ["aest", "+10:00", 600],
  ["AEDT", "+11:00", 660],
  ["ACST", "+09:30", 570],
  ["AWST", "+08:00", 480],
])("%s is %s all year", (typed, name, minutes) => {
  const zone = createZone(typed);
  expect([zone.name, nameZone(zone)]).toEqual([name, `UTC${name}`]);
  for (const day of ["2025-01-15", "2025-07-15"]) expect(zone.offsetAt?.(Date.parse(day))).toBe(minutes);
});

test.each(["EST", "EDT", "CST", "CDT", "WST", "est"])("what %s means is asked back", (name) => {
  const australian = { E: "AE", C: "AC", W: "AW" }[name.charAt(0).toUpperCase()] ?? "";
  expect(() => createZone(name)).toThrow(
    new RegExp(`^"${name}" means ${australian}[SD]T \\(UTC.*or .*, depending on the country$`),
  );
});

test.each(["+15", "+10:60", "10:00", "+100:00", "AES", "UTC+"])("%s is no zone", (name) => {
  expect(() => createZone(name)).toThrow(`unknown time zone "${name}"`);
});
