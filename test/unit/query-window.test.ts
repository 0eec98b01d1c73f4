import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import type { QueryInput } from "../../src/options/query-options.ts";
import { buildQuery } from "../../src/query/query.ts";
import { bucketStart } from "../../src/time/buckets.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import { intervals, seconds } from "./generators.ts";

/** 15:32:20 of Thursday 6 March 2025 in NEM time. */
const NOW = Date.parse("2025-03-06T05:32:20Z");

function build(input: QueryInput, { network = "NEM", now = NOW } = {}) {
  return buildQuery({ command: "network", network, input: { metrics: ["power"], ...input }, now });
}

function sent(input: QueryInput, where = {}) {
  return Object.fromEntries(build(input, where).query.parameters.map(({ name, values }) => [name, values[0]]));
}

function messageOf(input: QueryInput, where = {}): string {
  try {
    build(input, where);
  } catch (error) {
    if (error instanceof EntsError && error.kind === "usage") return error.message;
    throw error;
  }
  throw new Error("it was taken");
}

describe("--last", () => {
  test.each([
    ["5m", "1h", "2025-03-06T14:30:00"],
    ["1h", "12h", "2025-03-06T03:00:00"],
    ["1d", "7d", "2025-02-27T00:00:00"],
    ["7d", "2w", "2025-02-16T00:00:00"],
    ["1M", "6M", "2024-09-01T00:00:00"],
    ["3M", "1y", "2024-01-01T00:00:00"],
    ["season", "1y", "2024-03-01T00:00:00"],
    ["fy", "1y", "2023-07-01T00:00:00"],
  ])("in %s buckets, %s back, starts on %s", (interval, last, start) => {
    expect(sent({ interval, last })).toEqual({ metrics: "power", interval, date_start: start });
  });

  test("is not sent itself, sends no end, and takes the finest bucket where the service chooses", () => {
    expect(sent({ last: "90m" })).toEqual({ metrics: "power", date_start: "2025-03-06T14:00:00" });
    expect(sent({ last: "90m" }, { network: "WEM" })).toEqual({ metrics: "power", date_start: "2025-03-06T12:00:00" });
  });

  test("starts at or before what was asked, on a bucket's start, and so without a warning", () => {
    fc.assert(
      fc.property(intervals, seconds, fc.integer({ min: 1, max: 500 }), (interval, now, days) => {
        const { query, warnings } = build({ interval, last: `${days}d` }, { now });
        const start = query.window.start as number;
        expect(start).toBeLessThanOrEqual(now + 36_000_000 - days * 86_400_000);
        expect(bucketStart(interval, start)).toBe(start);
        expect([query.window.end, warnings]).toEqual([undefined, []]);
      }),
    );
  });

  test.each([{ dateStart: "2025" }, { dateEnd: "2025" }, { dateStart: "2024", dateEnd: "2025" }])("goes not with %j", (dates) => {
    expect(messageOf({ last: "7d", ...dates })).toMatch(/^--last cannot be used with --date-/);
  });

  test.each(["0d", "7", "seven days", "-7d", ""])("%j is no duration", (last) => {
    expect(messageOf({ last })).toMatch(/^--last: cannot read .* as a duration/);
  });

  test("reaches no further back than years of four digits", () => {
    expect(messageOf({ last: "3000y" })).toContain("outside the years");
    expect(messageOf({ last: "999999999y" })).toContain("outside the years");
  });

  test("needs a network whose time is known", () => {
    expect(messageOf({ last: "7d" }, { network: "XYZ" })).toContain("XYZ");
  });
});

describe("the window", () => {
  test("is sent as given, each end alone too", () => {
    expect(sent({ dateStart: "2025-01-31T14:05" })).toEqual({ metrics: "power", date_start: "2025-01-31T14:05:00" });
    expect(sent({ dateEnd: "2025-01-31" })).toEqual({ metrics: "power", date_end: "2025-01-31T23:59:59" });
    expect(sent({ dateStart: "2025-01-31", dateEnd: "2025-01-31" })).toEqual({
      metrics: "power",
      date_start: "2025-01-31T00:00:00",
      date_end: "2025-01-31T23:59:59",
    });
  });

  test("converts offsets, and sends none", () => {
    expect(sent({ dateStart: "2025-01-31T00:00Z", dateEnd: "2025-01-31T20:00+11:00" })).toEqual({
      metrics: "power",
      date_start: "2025-01-31T10:00:00",
      date_end: "2025-01-31T19:00:00",
    });
  });

  test("may be a single instant, and may not be reversed", () => {
    const [instant, second] = ["2025-01-31T14:05:00", "2025-01-31T14:05:01"];
    expect(sent({ dateStart: instant, dateEnd: instant })).toMatchObject({ date_start: instant, date_end: instant });
    expect(messageOf({ dateStart: second, dateEnd: instant })).toContain("reversed");
    fc.assert(
      fc.property(seconds, seconds, (a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        const [from, to] = [formatLocalTime(early), formatLocalTime(late)];
        expect(sent({ dateStart: from, dateEnd: to })).toMatchObject({ date_start: from, date_end: to });
        fc.pre(early !== late);
        expect(messageOf({ dateStart: to, dateEnd: from })).toMatch(/reversed.*start .* is after its end/);
      }),
    );
  });

  test("is compared after conversion: 20:00 at +11:00 is before 19:30 at +10:00", () => {
    expect(() => build({ dateStart: "2025-01-31T20:00+11:00", dateEnd: "2025-01-31T19:30+10:00" })).not.toThrow();
    expect(messageOf({ dateStart: "2025-01-31T19:30+10:00", dateEnd: "2025-01-31T20:00+11:00" })).toContain("reversed");
  });

  test("that starts inside a bucket is warned of", () => {
    const { warnings } = build({ interval: "1d", dateStart: "2025-01-31T05:00" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the first bucket is partial");
    expect(warnings[0]).toContain("2025-01-31T00:00:00");
  });

  test("is warned of exactly where its start is no bucket's", () => {
    fc.assert(
      fc.property(intervals, seconds, fc.boolean(), (interval, local, aligned) => {
        const start = aligned ? bucketStart(interval, local) : local;
        const { warnings } = build({ interval, dateStart: formatLocalTime(start) });
        expect(warnings.length).toBe(bucketStart(interval, start) === start ? 0 : 1);
      }),
    );
  });

  test("is not warned of where the service chooses the interval", () => {
    expect(build({ dateStart: "2025-01-31T05:01:30" }).warnings).toEqual([]);
  });
});
