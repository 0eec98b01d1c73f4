import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { parseValue } from "../../src/options/parse.ts";
import { planAcross, planQuery } from "../../src/plan/plan.ts";
import type { Window } from "../../src/query/window.ts";
import { intervalStart, nextIntervalStart } from "../../src/time/calendar.ts";
import { addDuration } from "../../src/time/duration.ts";
import {
  type Cutting,
  cutByWalking,
  cuttings,
  isSplit,
  LONGEST_BUCKET,
  NEM_NOW,
  nextSplit,
  NOW,
  queryOf,
  readParameters,
} from "./queries.ts";
import { draws } from "../support/extent.ts";

const DAY = 86_400_000;

function planWindows({ interval, start, maxWindow }: Cutting, end: number | undefined): Window[] {
  return planQuery(queryOf({ start, end }, interval), { now: NOW, maxWindow }).windows.map(({ window }) => window);
}

/** Where windows end that are followed by others starting here; for seasons, a second before. */
function endsAt({ interval }: Cutting, starts: readonly (number | undefined)[]): number[] {
  return starts.map((start = 0) => (interval === "season" ? start - 1000 : start));
}

/** Where the windows meet, and the end of the last; or the kind of error if there are none. */
function listEnds(cutting: Cutting): (number | undefined)[] | string {
  try {
    const pieces = planWindows(cutting, cutting.end);
    return [...pieces.slice(1).map(({ start }) => start), pieces.at(-1)?.end];
  } catch (error) {
    return error instanceof EntsError ? error.kind : "no error of ours";
  }
}

function isInner(index: number, { length }: readonly unknown[]): boolean {
  return index > 0 && index < length - 1;
}

/** Tests a property on cases where every interval fits the limit. */
function forCuttable(check: (cutting: Cutting) => void): void {
  const extent = { numRuns: draws(80, 1000) };
  fc.assert(
    fc.property(
      cuttings.filter((cutting) => cutByWalking(cutting) !== undefined),
      check,
    ),
    extent,
  );
}

describe("the parts of a window", () => {
  test("tile it from start to end; neighbours share one instant, except seasons; none is reversed", () => {
    forCuttable((cutting) => {
      const pieces = planWindows(cutting, cutting.end);
      expect(pieces[0]?.start).toBe(cutting.start);
      expect(pieces.at(-1)?.end).toBe(cutting.end);
      expect(
        endsAt(
          cutting,
          pieces.slice(1).map(({ start }) => start),
        ),
      ).toEqual(pieces.slice(0, -1).map(({ end }) => end));
      // For seasons, the first window may be the last second before 1 January.
      const least = cutting.interval === "season" && isSplit("season", cutting.start + 1000) ? 0 : 1;
      const lengths = pieces.map(({ start, end }) => (end as number) - (start as number));
      expect(pieces.length === 1 || lengths.every((length, index) => length >= (index === 0 ? least : 1))).toBe(true);
    });
  });

  test("meet at interval starts, and for seasons at 1 January", () => {
    forCuttable((cutting) => {
      const shared = planWindows(cutting, cutting.end).slice(1);
      expect(shared.filter(({ start }) => !isSplit(cutting.interval, start as number))).toEqual([]);
    });
  });

  test("are within the limit, and between the first and the last as long as it allows", () => {
    forCuttable((cutting) => {
      const pieces = planWindows(cutting, cutting.end);
      const limits = pieces.map(({ start }) => addDuration(start as number, cutting.maxWindow));
      const nexts = pieces.map(({ end }) => nextSplit(cutting.interval, (end as number) + 1000));
      expect(pieces.filter(({ end }, index) => (end as number) > (limits[index] as number))).toEqual([]);
      expect(
        pieces.filter((_, index) => isInner(index, pieces) && (nexts[index] as number) <= (limits[index] as number)),
      ).toEqual([]);
    });
  });

  test("are those of a calendar found by walking from interval to interval, or none if an interval is longer than the limit", () => {
    const check = (cutting: Cutting) => {
      const cuts = cutByWalking(cutting);
      expect(listEnds(cutting)).toEqual(cuts ? [...cuts, cutting.end] : "usage");
    };
    fc.assert(fc.property(cuttings, check), { numRuns: draws(100, 1500) });
  });

  test("are the same for two overlapping windows, except the first and the last of each", () => {
    const shifts = fc.record({
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.double({ min: -0.5, max: 1, noNaN: true }),
    });
    const check = (cutting: Cutting, shift: { start: number; end: number }) => {
      const length = cutting.end - cutting.start;
      const start = cutting.start + Math.round((length * shift.start) / 1000) * 1000;
      const end = Math.max(start, cutting.end + Math.round((length * shift.end) / 1000) * 1000);
      if (typeof listEnds(cutting) === "string" || typeof listEnds({ ...cutting, start, end }) === "string") return;
      const [one, other] = [planWindows(cutting, cutting.end), planWindows({ ...cutting, start }, end)];
      if (one.length === 1 || other.length === 1) return;
      const cutsIn = (windows: readonly Window[]) =>
        windows
          .slice(1)
          .flatMap(({ start: cut = 0 }) => (cut > start && cut < Math.min(end, cutting.end) ? [cut] : []));
      expect(cutsIn(other)).toEqual(cutsIn(one));
    };
    fc.assert(fc.property(cuttings, shifts, check), { numRuns: draws(80, 1000) });
  });

  test("are one without a limit, without a start, and if the end is before the start", () => {
    const check = (cutting: Cutting) => {
      const { interval, start, end, maxWindow } = cutting;
      const count = (window: Window, limit: typeof maxWindow | "none") =>
        planQuery(queryOf(window, interval), { now: NOW, maxWindow: limit }).windows.length;
      expect(count({ start, end }, "none")).toBe(1);
      expect(count({ start: undefined, end }, maxWindow)).toBe(1);
      expect(count({ start: undefined, end: undefined }, maxWindow)).toBe(1);
      expect(count({ start: NEM_NOW + 1000, end: undefined }, maxWindow)).toBe(1);
    };
    fc.assert(fc.property(cuttings, check));
  });
});

describe("the parts of a window without an end", () => {
  /** Windows that end at the network's clock, with limits of at least two days and an interval. */
  const open = cuttings
    .filter(({ interval, maxWindow }) => addDuration(0, maxWindow) >= (Math.max(1, LONGEST_BUCKET[interval]) + 1) * DAY)
    .map((cutting) => ({ ...cutting, start: Math.max(NEM_NOW - (cutting.end - cutting.start), Date.UTC(1971, 0)) }));

  const planAt = ({ interval, start, maxWindow }: Cutting, now: number): Window[] =>
    planQuery(queryOf({ start, end: undefined }, interval), { now, maxWindow }).windows.map(({ window }) => window);

  test("leave it open, are within the limit up to the network's clock, and none begins within the last day", () => {
    const check = (cutting: Cutting) => {
      const pieces = planAt(cutting, NOW);
      expect(pieces.at(-1)?.end).toBeUndefined();
      expect(
        endsAt(
          cutting,
          pieces.slice(1).map(({ start }) => start),
        ),
      ).toEqual(pieces.slice(0, -1).map(({ end }) => end));
      const limits = pieces.map(({ start }) => addDuration(start as number, cutting.maxWindow));
      expect(pieces.filter(({ end = NEM_NOW }, index) => end > (limits[index] as number))).toEqual([]);
      expect(pieces.slice(1).filter(({ start }) => (start as number) > NEM_NOW - DAY)).toEqual([]);
      expect(pieces.slice(1).filter(({ start }) => !isSplit(cutting.interval, start as number))).toEqual([]);
    };
    fc.assert(fc.property(open, check), { numRuns: draws(80, 1000) });
  });

  test("are the same hours or days later, except the first and the last", () => {
    const later = fc.integer({ min: 1, max: 10 * 86_400 }).map((seconds) => seconds * 1000);
    const check = (cutting: Cutting, ms: number) => {
      const today = planAt(cutting, NOW);
      const tomorrow = planAt({ ...cutting, start: Math.min(cutting.start + ms, NEM_NOW) }, NOW + ms);
      const shared = today
        .slice(1, -1)
        .filter(({ start }) => (start as number) >= (tomorrow[0]?.end ?? Number.POSITIVE_INFINITY));
      expect(tomorrow).toEqual(expect.arrayContaining(shared));
      // All of today's, except those before tomorrow's window and the one in which it starts.
      const gone = today.slice(1, -1).filter(({ end }) => (end as number) <= (tomorrow[0]?.start ?? 0));
      expect(tomorrow.length === 1 || shared.length >= today.length - 2 - gone.length - 1).toBe(true);
    };
    fc.assert(fc.property(open, later, check), { numRuns: draws(80, 1000) });
  });

  test("are those of a closed window if the limit is under two days", () => {
    const cutting = {
      interval: "5m",
      start: NEM_NOW - 3 * DAY,
      end: NEM_NOW,
      maxWindow: { amount: 36, unit: "hours" },
    } as const;
    expect(planAt(cutting, NOW).map(({ start }) => start)).toEqual(
      planWindows(cutting, NEM_NOW).map(({ start }) => start),
    );
  });
});

test.each([
  ["1y", Date.UTC(2021, 0), Date.UTC(2023, 11, 31), 365, [Date.UTC(2022, 0), Date.UTC(2023, 0)]],
  ["1y", Date.UTC(2020, 5), Date.UTC(2022, 5), 365, [Date.UTC(2021, 0), Date.UTC(2022, 0)]],
  ["1M", Date.UTC(2025, 5), Date.UTC(2025, 6, 10), 30, [Date.UTC(2025, 6)]],
] as const)("buckets longer than the limit do no harm outside the window: %s", (...line) => {
  const [interval, start, end, days, cuts] = line;
  const maxWindow = { amount: days, unit: "days" } as const;
  expect(listEnds({ interval, start, end, maxWindow })).toEqual([...cuts, end]);
});

test("a limit as long as the longest interval always works, one shorter than the shortest never", () => {
  const check = ({ interval, start, ...cutting }: Cutting) => {
    const bucket = LONGEST_BUCKET[interval] * DAY;
    const end = Math.min(cutting.end, start + 50 * bucket);
    const list = (ms: number) => listEnds({ interval, start, end, maxWindow: { amount: ms / 1000, unit: "seconds" } });
    expect(list(bucket).at(-1)).toBe(end);
    expect(end - start > bucket ? list(bucket / 2) : "usage").toBe("usage");
  };
  fc.assert(fc.property(cuttings, check), { numRuns: draws(200, 1000) });
});

test("a limit shorter than an interval is reported, with a finer interval", () => {
  const query = queryOf({ start: Date.UTC(2024, 0), end: Date.UTC(2025, 0) }, "1M");
  const thrown = {
    kind: "usage",
    message: "the maximum window of one request, 30d, is shorter than one interval of 1M",
    hint: "use a finer --interval or a longer --max-window",
  };
  const plan = () => planQuery(query, { now: NOW, maxWindow: parseValue("maxWindow", "30d", "--max-window") });
  expect(plan).toThrow(expect.objectContaining(thrown));
  expect(
    planQuery(query, { now: NOW, maxWindow: parseValue("maxWindow", "31d", "--max-window") }).windows,
  ).toHaveLength(12);
});

test.each([
  ["3M", "the maximum window of one request, 3M, is shorter than a year: seasons are only split at 1 January"],
  ["364d", "the maximum window of one request, 364d, is shorter than a year: seasons are only split at 1 January"],
])("seasons are refused with a limit shorter than a year: %s", (limit, message) => {
  const query = queryOf({ start: Date.UTC(2023, 0), end: Date.UTC(2025, 0) }, "season");
  const plan = () => planQuery(query, { now: NOW, maxWindow: parseValue("maxWindow", limit, "--max-window") });
  expect(plan).toThrow(
    expect.objectContaining({ kind: "usage", message, hint: "use a finer --interval or --max-window 1y" }),
  );
});

test("a request across a gap is within the limit and the window, and has values of the intervals on either side", () => {
  const gaps = fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), buckets: fc.integer({ min: 2, max: 5 }) });
  const check = (cutting: Cutting, gap: { from: number; buckets: number }) => {
    const { interval, start, end, maxWindow } = cutting;
    const plan = planQuery(queryOf({ start, end }, interval), { now: NOW, maxWindow });
    const from = intervalStart(interval, start + gap.from * (end - start));
    const steps = Array.from({ length: gap.buckets }).reduce<number[]>(
      (all) => [...all, nextIntervalStart(interval, all.at(-1) as number)],
      [from],
    );
    const to = steps.at(-1) as number;
    if (plan.windows.length === 1 || from < start || nextIntervalStart(interval, to) > end) return;
    const [begin, limit] = [steps[1] as number, addDuration(steps[1] as number, maxWindow)];
    const request = planAcross(plan, { from, to, path: plan.windows[0]?.requests[0]?.path as string });
    expect(request === undefined).toBe(limit - to < 10 * 60_000);
    if (!request) return;
    const sent = new Map(readParameters(request));
    const [first, last] = ["date_start", "date_end"].map((name) => Date.parse(`${sent.get(name)}Z`)) as [
      number,
      number,
    ];
    expect(last).toBeLessThanOrEqual(addDuration(first, maxWindow));
    expect(first >= start && first >= from && first <= begin - 5 * 60_000).toBe(true);
    expect(last <= end && last < nextIntervalStart(interval, to) && last >= to + 5 * 60_000 - 1000).toBe(true);
  };
  fc.assert(
    fc.property(
      cuttings.filter((one) => cutByWalking(one) !== undefined && one.interval !== "season"),
      gaps,
      check,
    ),
    {
      numRuns: draws(80, 1000),
    },
  );
});
