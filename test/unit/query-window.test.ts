import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import type { ListedInterval } from "../../src/base/intervals.ts";
import type { QueryInput } from "../../src/options/query-options.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import { resolveQuery } from "../../src/query/query.ts";
import { isEmptyWindow, type WindowValues } from "../../src/query/window.ts";
import { intervalStart } from "../../src/time/calendar.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import { intervals, seconds } from "./generators.ts";
import { createZone } from "../../src/time/iana-zone.ts";

/** 15:32:20 on Thursday 6 March 2025, NEM time. */
const NOW = Date.parse("2025-03-06T05:32:20Z");

function build(input: QueryInput, { network = "NEM", now = NOW } = {}) {
  return buildQuery({ command: "network", network, input: { metrics: ["power"], ...input }, now });
}

function sent(input: QueryInput, where = {}) {
  return Object.fromEntries(build(input, where).query.parameters.map(({ name, values }) => [name, values[0]]));
}

function refusal(input: QueryInput, where = {}): EntsError {
  try {
    build(input, where);
  } catch (error) {
    if (error instanceof EntsError && error.kind === "usage") return error;
    throw error;
  }
  throw new Error("it was taken");
}

const messageOf = (input: QueryInput, where = {}) => refusal(input, where).message;
const hintOf = (input: QueryInput) => refusal(input).hint;
/** Seasons are only whole in whole years. */
const alignmentInterval = (interval: ListedInterval): ListedInterval => (interval === "season" ? "1y" : interval);

const isOfFirst = (warning: string) => warning.startsWith("the first interval is partial");

describe("--during", () => {
  test.each([
    ["2024", "2024-01-01T00:00:00", "2024-12-31T23:59:59"],
    ["2024-02", "2024-02-01T00:00:00", "2024-02-29T23:59:59"],
    ["2024-02-03", "2024-02-03T00:00:00", "2024-02-03T23:59:59"],
    ["yesterday", "2025-03-05T00:00:00", "2025-03-05T23:59:59"],
    ["today", "2025-03-06T00:00:00", "2025-03-06T23:59:59"],
    ["2024-Q1", "2024-01-01T00:00:00", "2024-03-31T23:59:59"],
    ["2024-q4", "2024-10-01T00:00:00", "2024-12-31T23:59:59"],
    ["FY2025", "2024-07-01T00:00:00", "2025-06-30T23:59:59"],
    ["fy2024", "2023-07-01T00:00:00", "2024-06-30T23:59:59"],
    // It is Thursday.
    ["last-week", "2025-02-24T00:00:00", "2025-03-02T23:59:59"],
    ["Last-Month", "2025-02-01T00:00:00", "2025-02-28T23:59:59"],
    ["last-quarter", "2024-10-01T00:00:00", "2024-12-31T23:59:59"],
    ["last-year", "2024-01-01T00:00:00", "2024-12-31T23:59:59"],
    ["last-fy", "2023-07-01T00:00:00", "2024-06-30T23:59:59"],
    ["this-week", "2025-03-03T00:00:00", "2025-03-06T15:32:20"],
    ["this-month", "2025-03-01T00:00:00", "2025-03-06T15:32:20"],
    ["this-quarter", "2025-01-01T00:00:00", "2025-03-06T15:32:20"],
    ["this-year", "2025-01-01T00:00:00", "2025-03-06T15:32:20"],
    ["THIS-FY", "2024-07-01T00:00:00", "2025-03-06T15:32:20"],
  ])("%s is from %s to %s, as -s and -e are, without a note", (during, start, end) => {
    expect(sent({ during })).toEqual({ metrics: "power", date_start: start, date_end: end });
    expect(sent({ during })).toEqual(sent({ dateStart: during, dateEnd: during }));
    expect(build({ during }).notes).toEqual([]);
  });

  test.each(["-7d", "now", "2024-02-03T04:05", "2024-Q5", "FY", "next-month", ""])("%j is no period", (during) => {
    expect(messageOf({ during })).toBe(
      `--during: cannot read "${during}" as a period; use 2025-01-31, 2025-01, 2025-Q1, 2025, FY2025, yesterday or last-month`,
    );
  });

  test("what is written otherwise is refused with the right word", () => {
    expect(messageOf({ during: "Last month" })).toBe(
      '--during: cannot read "Last month" as a period; did you mean last-month?',
    );
    expect(messageOf({ during: "Q1 2025" })).toBe('--during: cannot read "Q1 2025" as a period; did you mean 2025-Q1?');
  });

  test("a day that does not exist is refused", () => {
    expect(messageOf({ during: "2025-02-30" })).toBe('the date or time "2025-02-30" does not exist');
  });
});

describe("a start without an end", () => {
  const notesOf = (input: QueryInput & { update?: boolean; follow?: boolean }, network = "NEM") =>
    resolveQuery({ metrics: ["power"], complete: false, allowUnknown: false, batch: false, ...input } as WindowValues, {
      command: "network",
      network,
      now: NOW,
    }).notes;

  test.each([
    ["2024", "from 2024-01-01 until now; for 2024 alone, use --during 2024"],
    ["2025-02", "from 2025-02-01 until now; for 2025-02 alone, use --during 2025-02"],
    ["2025-03-05", "from 2025-03-05 until now; for 2025-03-05 alone, use --during 2025-03-05"],
    ["yesterday", "from 2025-03-05 until now; for yesterday alone, use --during yesterday"],
  ])("that is a past period (%s) gets a note", (dateStart, note) => {
    expect(notesOf({ dateStart })).toEqual([note]);
    expect(notesOf({ dateStart, dateEnd: "2025" })).toEqual([]);
    expect(notesOf({ dateStart, update: true })).toEqual([]);
    expect(notesOf({ dateStart, follow: true })).toEqual([]);
  });

  test("that is shorter than an interval needs no note", () => {
    expect(["fy", "1M", "1d"].map((interval) => notesOf({ dateStart: "2024-07-01", interval }).length)).toEqual([
      0, 0, 1,
    ]);
    expect(["fy", "3M", "1M"].map((interval) => notesOf({ dateStart: "2024-07", interval }).length)).toEqual([0, 0, 1]);
  });

  test.each(["2025", "2025-03", "2025-03-06", "today", "now", "-7d", "2024-01-01T00:00"])(
    "%s needs no note",
    (dateStart) => {
      expect(notesOf({ dateStart })).toEqual([]);
    },
  );
});

describe("--last", () => {
  test.each([
    ["5m", "1h", "2025-03-06T14:30:00"],
    ["1h", "12h", "2025-03-06T03:00:00"],
    ["1d", "7d", "2025-02-27T00:00:00"],
    ["7d", "2w", "2025-02-16T00:00:00"],
    ["1M", "6M", "2024-09-01T00:00:00"],
    ["3M", "1y", "2024-01-01T00:00:00"],
    ["season", "1y", "2024-01-01T00:00:00"],
    ["fy", "1y", "2023-07-01T00:00:00"],
  ])("in %s intervals, %s back, starts on %s", (interval, last, start) => {
    expect(sent({ interval, last })).toEqual({ metrics: "power", interval, date_start: start });
  });

  test("is not sent itself, sends no end, and uses the finest interval if the service chooses", () => {
    expect(sent({ last: "90m" })).toEqual({ metrics: "power", date_start: "2025-03-06T14:00:00" });
    expect(sent({ last: "90m" }, { network: "WEM" })).toEqual({ metrics: "power", date_start: "2025-03-06T12:00:00" });
  });

  test("starts at or before the requested time, on an interval's start, without a warning about the first interval", () => {
    fc.assert(
      fc.property(intervals, seconds, fc.integer({ min: 1, max: 500 }), (interval, now, days) => {
        const { query, warnings } = build({ interval, last: `${days}d` }, { now });
        const start = query.window.start as number;
        expect(start).toBeLessThanOrEqual(now + 36_000_000 - days * 86_400_000);
        expect(intervalStart(alignmentInterval(interval), start)).toBe(start);
        expect([query.window.end, warnings.filter(isOfFirst)]).toEqual([undefined, []]);
      }),
    );
  });

  test.each([{ dateStart: "2025" }, { dateEnd: "2025" }, { dateStart: "2024", dateEnd: "2025" }])(
    "conflicts with %j",
    (dates) => {
      expect(messageOf({ last: "7d", ...dates })).toMatch(/^--last cannot be used with -[se]/);
    },
  );

  test.each(["0d", "7", "seven days", "-7d", ""])("%j is not a duration", (last) => {
    expect(messageOf({ last })).toMatch(/^--last: cannot read .* as a duration/);
  });

  test("reaches back no further than four-digit years", () => {
    expect(hintOf({ last: "3000y" })).toBe("use a shorter --last, such as 7d or 20y");
    expect(messageOf({ last: "3000y" })).toContain("outside the years");
    expect(messageOf({ last: "999999999y" })).toContain("outside the years");
  });

  test("needs a network whose clock is known", () => {
    expect(messageOf({ last: "7d" }, { network: "XYZ" })).toContain("XYZ");
  });
});

describe("the window", () => {
  test("is sent as given, also with only one end", () => {
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

  test("may be a single instant, but not reversed", () => {
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

  test("that starts inside an interval causes a warning", () => {
    const { warnings } = build({ interval: "1d", dateStart: "2025-01-31T05:00", dateEnd: "2025-01-31" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the first interval is partial");
    expect(warnings[0]).toContain("2025-01-31T00:00:00");
  });

  test("causes one exactly if its start is not an interval's", () => {
    fc.assert(
      fc.property(intervals, seconds, fc.boolean(), (interval, local, aligned) => {
        const start = aligned ? intervalStart(interval, local) : local;
        const { warnings } = build({ interval, dateStart: formatLocalTime(start) });
        const isTold = intervalStart(interval, start) !== start && interval !== "season";
        expect(warnings.filter(isOfFirst)).toHaveLength(isTold ? 1 : 0);
      }),
    );
  });

  test("causes none if the service chooses the interval", () => {
    expect(build({ dateStart: "2025-01-31T05:01:30" }).warnings).toEqual([]);
  });
});

describe("a relative start", () => {
  test.each([
    ["5m", "-1h", "2025-03-06T14:30:00"],
    ["1h", "-12h", "2025-03-06T03:00:00"],
    ["1d", "-7d", "2025-02-27T00:00:00"],
    ["7d", "-2w", "2025-02-16T00:00:00"],
    ["1M", "now", "2025-03-01T00:00:00"],
    ["fy", "-1y", "2023-07-01T00:00:00"],
  ])("is the start of its %s interval: %s is %s", (interval, dateStart, start) => {
    const { query, warnings } = build({ interval, dateStart });
    expect([formatLocalTime(query.window.start as number), warnings.filter(isOfFirst)]).toEqual([start, []]);
  });

  test("starts where --last does, whatever the interval, also if the service chooses it", () => {
    const durations = fc.constantFrom("90m", "12h", "7d", "2w", "6M", "1y");
    fc.assert(
      fc.property(fc.option(intervals, { nil: undefined }), durations, seconds, (interval, last, now) => {
        expect(sent({ interval, dateStart: `-${last}` }, { now })).toEqual(sent({ interval, last }, { now }));
      }),
    );
  });

  test("is used unchanged as an end", () => {
    expect(sent({ interval: "1d", dateStart: "-7d", dateEnd: "now" })).toMatchObject({
      date_end: "2025-03-06T15:32:20",
    });
    expect(sent({ interval: "1d", dateStart: "-7d", dateEnd: "-1d" })).toMatchObject({
      date_end: "2025-03-05T15:32:20",
    });
  });
});

describe("the last interval", () => {
  const warnings = (input: QueryInput, where = {}) => build(input, where).warnings;

  test.each<[QueryInput, string]>([
    [{ interval: "1d", last: "7d" }, "2025-03-06 is still in progress (64 % elapsed)"],
    [{ interval: "1h", last: "12h" }, "the hour from 2025-03-06T15:00 is still in progress (53 % elapsed)"],
    [{ interval: "1M", dateStart: "2024" }, "the month from 2025-03-01 is still in progress (18 % elapsed)"],
    [
      { interval: "7d", dateStart: "2025-03-02", dateEnd: "2026" },
      "the week from 2025-03-02 is still in progress (66 % elapsed)",
    ],
    [{ interval: "1d", dateStart: "yesterday", dateEnd: "today" }, "2025-03-06 is still in progress (64 % elapsed)"],
    [{ interval: "1d", dateStart: "-7d", dateEnd: "now" }, "2025-03-06 is still in progress (64 % elapsed)"],
    [{ interval: "fy" }, "FY2025 is still in progress (68 % elapsed)"],
  ])("of %j is in progress: its name and share are reported once", (input, share) => {
    expect(warnings(input)).toEqual([`${share}; --complete leaves it out`]);
  });

  test("in minutes is noted if months may be meant", () => {
    const told = (last: string, interval: string) => warnings({ interval, last, complete: true });
    expect(told("6m", "1d")).toEqual([
      "--last 6m is 6 minutes, less than one interval of 1d; for months, use --last 6M",
    ]);
    expect(told("1m", "5m")).toEqual([
      "--last 1m is 1 minute, less than one interval of 5m; for months, use --last 1M",
    ]);
    expect(told("90m", "1d")).toEqual(["--last 90m is 90 minutes, less than one interval of 1d"]);
    expect(warnings({ last: "1m" })).toEqual(told("1m", "5m"));
    expect([...told("6m", "1h"), ...told("6M", "1d"), ...told("2880m", "1d"), ...told("5m", "5m")]).toEqual([]);
  });

  test.each<[string, QueryInput]>([
    ["that the service leaves out itself", { interval: "5m", last: "12h" }],
    ["of five minutes", { interval: "5m", dateStart: "today", dateEnd: "today" }],
    ["that has ended", { interval: "1d", dateStart: "-7d", dateEnd: "yesterday" }],
    ["with --complete", { interval: "1d", last: "7d", complete: true }],
    ["of a size that the service chooses", { last: "7d" }],
    ["of a window in the future", { interval: "1d", dateStart: "2026", dateEnd: "2026" }],
  ])("%s causes no warning", (_, input) => {
    expect(build(input).warnings).toEqual([]);
  });

  test("causes no warning if the network's clock is unknown", () => {
    expect(warnings({ interval: "1d", dateStart: "2025-01-01" }, { network: "XYZ" })).toEqual([]);
  });

  test("is the network's: a day ends in the NEM two hours before the WEM", () => {
    const now = Date.parse("2025-03-06T15:00:00Z");
    expect(warnings({ interval: "1d", last: "2d" }, { now })[0]).toContain(
      "2025-03-07 is still in progress (4 % elapsed)",
    );
    expect(warnings({ interval: "1d", last: "2d" }, { now, network: "WEM" })[0]).toContain(
      "2025-03-06 is still in progress (95 % elapsed)",
    );
  });
});

describe("seasons, which the public service makes from the months of one year", () => {
  const told = (what: string) => [
    `${what} partial: OpenElectricity's summer is January, February and December of one year; ask for whole years, or for 1M`,
  ];
  test.each([
    ["2024", "2024", []],
    ["2022", "2024-12-31T23:55", []],
    ["2024-03-01", "2024-11-30", []],
    ["2024", "2024-05-31", told("summer 2024 (Jan, Feb, Dec) is")],
    ["2020-12", "2024", told("summer 2020 (Jan, Feb, Dec) is")],
    [
      "2020-11-08",
      "2024-11-30",
      told("spring 2020 (Sep, Oct, Nov), summer 2020 (Jan, Feb, Dec) and summer 2024 (Jan, Feb, Dec) are"),
    ],
  ])("from %s to %s, partial ones are reported by name and months", (dateStart, dateEnd, expected) => {
    expect(build({ interval: "season", dateStart, dateEnd }).warnings).toEqual(expected);
  });

  test("up to now, without an end", () => {
    expect(build({ interval: "season", dateStart: "2024" }).warnings).toEqual(
      told("autumn 2025 (Mar, Apr, May) and summer 2025 (Jan, Feb, Dec) are"),
    );
  });

  test("with --complete, and with a relative start, only whole years are requested", () => {
    expect(sent({ interval: "season", dateStart: "2022-06", dateEnd: "2026", complete: true })).toMatchObject({
      date_start: "2023-01-01T00:00:00",
      date_end: "2024-12-31T23:59:59",
    });
    expect(sent({ interval: "season", dateStart: "-400d" })).toMatchObject({ date_start: "2024-01-01T00:00:00" });
  });
});

describe("--complete", () => {
  test.each([
    ["5m", "2025-03-06T15:29:59"],
    ["1h", "2025-03-06T14:59:59"],
    ["1d", "2025-03-05T23:59:59"],
    ["7d", "2025-03-01T23:59:59"],
    ["1M", "2025-02-28T23:59:59"],
    ["3M", "2024-12-31T23:59:59"],
    ["season", "2024-12-31T23:59:59"],
    ["1y", "2024-12-31T23:59:59"],
    ["fy", "2024-06-30T23:59:59"],
  ])("ends with the last finished %s interval: %s", (interval, date_end) => {
    expect(sent({ interval, last: "2y", complete: true })).toMatchObject({ interval, date_end });
    expect(sent({ interval, complete: true })).toEqual({ metrics: "power", interval, date_end });
    expect(sent({ interval, dateStart: "2022", dateEnd: "2026", complete: true })).toMatchObject({ date_end });
  });

  test("does not change a window of whole intervals in the past", () => {
    const input = { interval: "1d", dateStart: "2025-01-01", dateEnd: "2025-01-31" };
    expect(sent({ ...input, complete: true })).toEqual(sent(input));
  });

  test("omits an interval that the start or the end divides, without a warning", () => {
    const input = { interval: "1d", dateStart: "2025-01-01T06:00", dateEnd: "2025-01-31T14:05", complete: true };
    expect(sent(input)).toMatchObject({ date_start: "2025-01-02T00:00:00", date_end: "2025-01-30T23:59:59" });
    expect(build(input).warnings).toEqual([]);
    // The last five-minute value of the interval is inside the window.
    expect(sent({ ...input, dateEnd: "2025-01-31T23:55" })).toMatchObject({ date_end: "2025-01-31T23:59:59" });
    expect(sent({ ...input, interval: "5m", dateEnd: "2025-01-31T14:05" })).toMatchObject({
      date_end: "2025-01-31T14:09:59",
    });
  });

  test("the share of an interval in progress is not reported if the window ends before now", () => {
    expect(build({ interval: "1y", dateStart: "2025", dateEnd: "2025-01-31" }).warnings).toEqual([
      "the last interval is partial: 2025-01-31T23:59:59 is before the end of its 1y interval; the next starts 2026-01-01T00:00:00",
    ]);
  });

  test("includes whole finished intervals, also the last one, with inclusive and exclusive ends", () => {
    fc.assert(
      fc.property(intervals, seconds, (interval, now) => {
        const { query, warnings } = build({ interval, last: "5y", complete: true }, { now });
        const { start, end } = query.window as { start: number; end: number };
        const local = now + 36_000_000;
        const next = intervalStart(alignmentInterval(interval), local);
        expect(intervalStart(alignmentInterval(interval), start)).toBe(start);
        // The last five-minute value before the interval in progress is inside, its first one is not.
        expect(next - 300_000).toBeLessThan(end);
        expect(end).toBeLessThan(next);
        expect(warnings).toEqual([]);
      }),
    );
  });

  test("is an empty window, without requests, if no interval has ended", () => {
    for (const input of [{ dateStart: "today" }, { dateStart: "2026", dateEnd: "2026" }, { last: "1h" }]) {
      const { query, warnings } = build({ interval: "1d", complete: true, ...input });
      expect(isEmptyWindow(query.window)).toBe(true);
      expect(warnings).toEqual([]);
      expect(planQuery(query, { now: 0, maxWindow: undefined }).windows).toEqual([]);
    }
    expect(isEmptyWindow(build({ interval: "1d", complete: true, dateStart: "yesterday" }).query.window)).toBe(false);
  });

  test("is a usage error if the service chooses the interval, or the network's clock is unknown", () => {
    expect(messageOf({ last: "7d", complete: true })).toMatch(/^--complete needs a known --interval/);
    expect(messageOf({ interval: "2M", allowUnknown: true, complete: true })).toMatch(
      /^--complete needs a known --interval/,
    );
    expect(messageOf({ interval: "1d", dateStart: "2025", complete: true }, { network: "XYZ" })).toMatch(
      /^--complete needs .* XYZ/,
    );
    expect(messageOf({ interval: "1d", dateStart: "2025-02", dateEnd: "2025-01", complete: true })).toContain(
      "reversed",
    );
  });
});

describe("dates in a zone", () => {
  const zone = createZone("Australia/Sydney");
  const windowOf = (input: Partial<QueryInput>) => {
    const options = {
      metrics: ["power"],
      complete: false,
      allowUnknown: false,
      batch: false,
      interval: "5m",
      ...input,
    } as WindowValues;
    const { start, end } = resolveQuery(options, { command: "network", network: "NEM", now: NOW, zone }).query.window;
    return [start, end].map((edge) => edge && formatLocalTime(edge));
  };

  test.each<readonly [what: string, dates: Partial<QueryInput>, window: readonly (string | undefined)[]]>([
    [
      "a day of 25 hours",
      { dateStart: "2025-04-06", dateEnd: "2025-04-06" },
      ["2025-04-05T23:00:00", "2025-04-06T23:59:59"],
    ],
    [
      "a day of 23 hours",
      { dateStart: "2025-10-05", dateEnd: "2025-10-05" },
      ["2025-10-05T00:00:00", "2025-10-05T22:59:59"],
    ],
    ["a time that comes twice is the earlier", { dateStart: "2025-04-06T02:30" }, ["2025-04-06T01:30:00", undefined]],
    [
      "a time that does not exist is the first after it",
      { dateStart: "2025-10-05T02:30" },
      ["2025-10-05T02:00:00", undefined],
    ],
    ["a time with an offset is that", { dateStart: "2025-01-31T00:00Z" }, ["2025-01-31T10:00:00", undefined]],
    ["today is the zone's", { dateStart: "today", dateEnd: "today" }, ["2025-03-05T23:00:00", "2025-03-06T22:59:59"]],
    [
      "days are the network's",
      { dateStart: "2025-04-06", dateEnd: "2025-04-06", interval: "1d" },
      ["2025-04-06T00:00:00", "2025-04-06T23:59:59"],
    ],
  ])("%s", (_, dates, window) => {
    expect(windowOf(dates)).toEqual(window);
  });
});
