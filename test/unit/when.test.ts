import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import { type Edge, parseWhen, type WhenContext } from "../../src/time/when.ts";
import { seconds } from "./generators.ts";

/** 15:30:20 on Thursday 6 March 2025, NEM time; still the day before in Honolulu, and 13:30:20 in WEM time. */
const now = Date.parse("2025-03-06T05:30:20.999Z");
const NEM: WhenContext = { network: "NEM", offsetMinutes: 600, now };
const WEM: WhenContext = { network: "WEM", offsetMinutes: 480, now };
const OTHER: WhenContext = { network: "XYZ", offsetMinutes: undefined, now };

const read = (text: string, edge: Edge, context = NEM) => formatLocalTime(parseWhen(text, edge, context));

function refusal(text: string, context = NEM, edge: Edge = "start"): EntsError {
  try {
    parseWhen(text, edge, context);
  } catch (error) {
    if (error instanceof EntsError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe("a day, month or year", () => {
  test.each([
    ["2025-01-31", "2025-01-31T00:00:00", "2025-01-31T23:59:59"],
    ["2025-01", "2025-01-01T00:00:00", "2025-01-31T23:59:59"],
    ["2024-02", "2024-02-01T00:00:00", "2024-02-29T23:59:59"],
    ["2025-02", "2025-02-01T00:00:00", "2025-02-28T23:59:59"],
    ["1900-02", "1900-02-01T00:00:00", "1900-02-28T23:59:59"],
    ["2024-02-29", "2024-02-29T00:00:00", "2024-02-29T23:59:59"],
    ["2025", "2025-01-01T00:00:00", "2025-12-31T23:59:59"],
    ["9999", "9999-01-01T00:00:00", "9999-12-31T23:59:59"],
    ["today", "2025-03-06T00:00:00", "2025-03-06T23:59:59"],
    ["yesterday", "2025-03-05T00:00:00", "2025-03-05T23:59:59"],
  ])("%s starts %s and ends %s", (text, start, end) => {
    expect(read(text, "start")).toBe(start);
    expect(read(text, "end")).toBe(end);
  });

  test("needs no offset, so it works for any network", () => {
    expect(read("2025-01", "end", OTHER)).toBe("2025-01-31T23:59:59");
  });

  test("today is the network's, not UTC's", () => {
    const late = { ...NEM, now: Date.parse("2025-03-06T14:00:00Z") };
    expect(read("today", "start", late)).toBe("2025-03-07T00:00:00");
    expect(read("today", "start", { ...late, offsetMinutes: 480 })).toBe("2025-03-06T00:00:00");
  });
});

describe("a moment", () => {
  test.each(["start", "end"] as const)("is itself as a %s", (edge) => {
    expect(read("2025-01-31T14:05", edge)).toBe("2025-01-31T14:05:00");
    expect(read("2025-01-31T14:05:07", edge)).toBe("2025-01-31T14:05:07");
    expect(read("2025-01-31 14:05", edge)).toBe("2025-01-31T14:05:00");
    expect(read("now", edge)).toBe("2025-03-06T15:30:20");
    expect(read("now", edge, WEM)).toBe("2025-03-06T13:30:20");
    expect(read("-7d", edge)).toBe("2025-02-27T15:30:20");
    expect(read("-90m", edge)).toBe("2025-03-06T14:00:20");
    expect(read("-1y", edge)).toBe("2024-03-06T15:30:20");
  });

  test("one without an offset is used as it is, in any network", () => {
    fc.assert(
      fc.property(seconds, fc.constantFrom(NEM, WEM, OTHER), (local, context) => {
        expect(parseWhen(formatLocalTime(local), "start", context)).toBe(local);
      }),
    );
  });
});

describe("a moment with an offset", () => {
  test.each([
    ["2025-01-31T14:05Z", "2025-02-01T00:05:00"],
    ["2025-01-31T14:05+11:00", "2025-01-31T13:05:00"],
    ["2025-01-31T14:05:30+10:00", "2025-01-31T14:05:30"],
    ["2025-01-31T14:05-0330", "2025-02-01T03:35:00"],
    ["2025-01-31 14:05+08", "2025-01-31T16:05:00"],
    ["2024-02-29T23:00Z", "2024-03-01T09:00:00"],
  ])("%s is %s in NEM time", (text, local) => {
    expect(read(text, "start")).toBe(local);
    expect(read(text, "end")).toBe(local);
  });

  test("is the same instant in network time, sent without an offset", () => {
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: -12 * 60, max: 14 * 60 }),
        fc.constantFrom(NEM, WEM),
        (instant, offset, context) => {
          const text = DateTime.fromMillis(instant, { zone: "utc" }).setZone(
            `UTC${offset < 0 ? "-" : "+"}${clock(offset)}`,
          );
          const written = text.toISO({ suppressMilliseconds: true, includeOffset: true }) as string;
          const sent = read(written, "start", context);
          expect(sent).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
          expect(DateTime.fromISO(sent, { zone: `UTC+${(context.offsetMinutes as number) / 60}` }).toMillis()).toBe(
            instant,
          );
        },
      ),
    );
  });

  test.each(["2025-01-31T14:05Z", "now", "today", "-7d"])(
    "%s is a usage error if the network's offset is unknown",
    (text) => {
      const error = refusal(text, OTHER);
      expect(error.kind).toBe("usage");
      expect(error.message).toContain("XYZ");
      expect(error.message).toContain("NEM and AU +10:00, WEM +08:00");
    },
  );
});

describe("a date in words is refused with its value", () => {
  test.each([
    ["last week", "--during last-week"],
    ["this week", "--during this-week"],
    ["a week ago", "-7d"],
    ["Last Month", "--during last-month"],
    ["previous quarter", "--during last-quarter"],
    ["past month", "-1M"],
    ["last financial year", "--during last-fy"],
    ["FY25", "--during FY2025"],
    ["2024/25", "--during FY2025"],
    ["2024/2025", "--during FY2025"],
    ["Q1 2025", "--during 2025-Q1"],
    ["2025Q1", "--during 2025-Q1"],
    ["7 days ago", "-7d"],
    ["last 7 days", "-7d"],
    ["3 months", "-3M"],
    ["30 minutes ago", "-30m"],
    ["7d", "-7d"],
    ["6M", "-6M"],
    // A Thursday.
    ["monday", "2025-03-03"],
    ["last Monday", "2025-03-03"],
    ["wed", "2025-03-05"],
    ["thursday", "2025-02-27"],
    ["friday", "2025-02-28"],
  ])("%s: use %s", (text, meant) => {
    const { message, hint } = refusal(text);
    expect(message).toContain(`cannot read "${text}" as a date`);
    expect(hint).toBe(`for "${text}", use ${meant}`);
    expect(read(/(?:-s |--during )?(\S+)/.exec(meant)?.[1] ?? "", "start")).toMatch(/^202[345]-/);
  });

  test.each(["in a day", "next week", "last", "last seek", "0 days ago"])("no guess for %s", (text) => {
    expect(refusal(text).hint).toBeUndefined();
  });

  test("as an end, a period is its own word", () => {
    expect(["last week", "FY25"].map((text) => refusal(text, NEM, "end").hint)).toEqual([
      'for "last week", use last-week',
      'for "FY25", use FY2025',
    ]);
    expect(["2024-25", "1999-00", "2025-13"].map((text) => refusal(text).message)).toEqual([
      'the date or time "2024-25" does not exist; did you mean FY2025?',
      'the date or time "1999-00" does not exist',
      'the date or time "2025-13" does not exist',
    ]);
  });

  test("if the network's offset is unknown, only those that need no date of today", () => {
    expect(["a week ago", "monday"].map((text) => refusal(text, OTHER).hint)).toEqual([
      'for "a week ago", use -7d',
      undefined,
    ]);
  });
});

describe("refused", () => {
  test.each(["2025-02-30", "2023-02-29", "1900-02-29", "2025-13", "2025-00", "2025-01-00", "2025-01-32"])(
    "%s: no such date",
    (text) => {
      expect(refusal(text).message).toContain(`the date or time "${text}" does not exist`);
    },
  );

  test.each([
    "2025-01-31T24:61",
    "2025-01-31T25:00",
    "2025-01-31T23:60",
    "2025-01-31T23:59:60",
    "2025-02-30T10:00+10:00",
    "2025-02-30T10:00Z",
  ])("%s: no such time", (text) => {
    expect(refusal(text).message).toContain(`the date or time "${text}" does not exist`);
  });

  test.each([
    "",
    "24:61",
    "+2",
    "7d",
    "-0d",
    "-7",
    "- 7d",
    "2025-1-1",
    "20250131",
    "31/01/2025",
    " 2025",
    "2025-01-31T",
    "Today",
  ])("%j: not a date", (text) => {
    const error = refusal(text);
    const message = `cannot read "${text}" as a date; use 2025-01-31, 2025-01-31T14:05, 2025-01, FY2025, yesterday, -7d or +2d`;
    expect([error.kind, error.message]).toEqual(["usage", message]);
  });

  test.each(["2025-01-31T14:05+25:00", "2025-01-31T14:05+10:99", "2025-01-31T14:05-15:00"])(
    "%s: no such offset",
    (text) => {
      expect(refusal(text).kind).toBe("usage");
    },
  );

  test.each(["-3000y", "-1950y", "-999999999y", "9999-12-31T23:00Z", "0000", "0001", "0050-01-01", "0099-12-31T23:59"])(
    "%s: no such year",
    (text) => {
      expect(refusal(text).message).toContain("outside the years 0100 to 9999");
    },
  );
});

function clock(minutes: number): string {
  const absolute = Math.abs(minutes);
  return `${Math.floor(absolute / 60)}:${String(absolute % 60).padStart(2, "0")}`;
}
