import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { parseValue } from "../../src/options/parse.ts";
import { planQuery } from "../../src/plan/plan.ts";
import type { Window } from "../../src/query/window.ts";
import { addDuration } from "../../src/time/calendar.ts";
import { nextBucketStart } from "../../src/time/buckets.ts";
import { type Cutting, cutByWalking, cuttings, isBucketStart, LONGEST_BUCKET, NEM_NOW, NOW, queryOf } from "./queries.ts";

const DAY = 86_400_000;

function planWindows({ interval, start, maxWindow }: Cutting, end: number | undefined): Window[] {
  return planQuery(queryOf({ start, end }, interval), { now: NOW, maxWindow }).windows.map(({ window }) => window);
}

/** The ends of the pieces, or the kind of the error that there are none. */
function listEnds(cutting: Cutting): (number | undefined)[] | string {
  try {
    return planWindows(cutting, cutting.end).map(({ end }) => end);
  } catch (error) {
    return error instanceof EntsError ? error.kind : "no error of ours";
  }
}

/** Runs a property over cuttings whose limit no bucket is longer than. */
function forCuttable(check: (cutting: Cutting) => void): void {
  const runs = { numRuns: 1000 };
  fc.assert(
    fc.property(
      cuttings.filter((cutting) => cutByWalking(cutting) !== undefined),
      check,
    ),
    runs,
  );
}

describe("the pieces of a window", () => {
  test("tile it: from its start to its end, neighbours sharing one instant, none empty", () => {
    forCuttable((cutting) => {
      const pieces = planWindows(cutting, cutting.end);
      expect(pieces[0]?.start).toBe(cutting.start);
      expect(pieces.at(-1)?.end).toBe(cutting.end);
      expect(pieces.slice(1).map(({ start }) => start)).toEqual(pieces.slice(0, -1).map(({ end }) => end));
      expect(pieces.length === 1 || pieces.every(({ start, end }) => (start as number) < (end as number))).toBe(true);
    });
  });

  test("meet where buckets start", () => {
    forCuttable((cutting) => {
      const shared = planWindows(cutting, cutting.end).slice(1);
      expect(shared.filter(({ start }) => !isBucketStart(cutting.interval, start as number))).toEqual([]);
    });
  });

  test("are within the limit, and as long as it lets them be", () => {
    forCuttable((cutting) => {
      const pieces = planWindows(cutting, cutting.end);
      const limits = pieces.map(({ start }) => addDuration(start as number, cutting.maxWindow));
      const nexts = pieces.map(({ end }) => nextBucketStart(cutting.interval, end as number));
      expect(pieces.filter(({ end }, index) => (end as number) > (limits[index] as number))).toEqual([]);
      expect(pieces.slice(0, -1).filter((_, index) => (nexts[index] as number) <= (limits[index] as number))).toEqual([]);
    });
  });

  test("are those that walking from bucket to bucket finds, or none where a bucket is longer than the limit", () => {
    const check = (cutting: Cutting) => {
      const cuts = cutByWalking(cutting);
      expect(listEnds(cutting)).toEqual(cuts ? [...cuts, cutting.end] : "usage");
    };
    fc.assert(fc.property(cuttings, check), { numRuns: 1500 });
  });

  test("leave the end open where the user did, up to the network's clock", () => {
    const near = cuttings.map((cutting) => ({ ...cutting, start: NEM_NOW - (cutting.end - cutting.start) }));
    const check = (cutting: Cutting) => {
      const open = planWindows(cutting, undefined);
      const closed = planWindows(cutting, NEM_NOW);
      expect(open.at(-1)?.end).toBeUndefined();
      expect(open.map(({ start }) => start)).toEqual(closed.map(({ start }) => start));
      expect(open.slice(0, -1)).toEqual(closed.slice(0, -1));
    };
    fc.assert(
      fc.property(
        near.filter((cutting) => cutByWalking({ ...cutting, end: NEM_NOW }) !== undefined),
        check,
      ),
      { numRuns: 500 },
    );
  });

  test("are one without a limit, without a start, and of an end before the start", () => {
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

test("a limit as long as the longest bucket always does, one shorter than the shortest never", () => {
  const check = ({ interval, start, ...cutting }: Cutting) => {
    const bucket = LONGEST_BUCKET[interval] * DAY;
    const end = Math.min(cutting.end, start + 50 * bucket);
    const list = (ms: number) => listEnds({ interval, start, end, maxWindow: { amount: ms / 1000, unit: "seconds" } });
    expect(list(bucket).at(-1)).toBe(end);
    expect(end - start > bucket ? list(bucket / 2) : "usage").toBe("usage");
  };
  fc.assert(fc.property(cuttings, check), { numRuns: 500 });
});

test("a limit shorter than a bucket says so, and proposes a finer interval", () => {
  const query = queryOf({ start: Date.UTC(2024, 0), end: Date.UTC(2025, 0) }, "1M");
  const thrown = {
    kind: "usage",
    message: "the maximum window of one request, 30d, is shorter than a bucket of this interval",
    hint: "use a finer --interval or a longer --max-window",
  };
  const plan = () => planQuery(query, { now: NOW, maxWindow: parseValue("maxWindow", "30d", "--max-window") });
  expect(plan).toThrow(expect.objectContaining(thrown));
  expect(planQuery(query, { now: NOW, maxWindow: parseValue("maxWindow", "31d", "--max-window") }).windows).toHaveLength(12);
});
