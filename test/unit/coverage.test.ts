/** Which intervals have no value, and how new the newest is, compared with a model. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Coverage } from "../../src/series/intervals/count.ts";
import { EachCoverage } from "../../src/series/intervals/each.ts";
import { nextIntervalStart } from "../../src/time/calendar.ts";
import { draws } from "../support/extent.ts";
import { drawn, LATER, listChunks, OFFSET, windowOf } from "./interval-series.ts";

test("intervals without a value are those in which every series has null or nothing", () => {
  fc.assert(
    fc.property(drawn, (all) => {
      const coverage = new Coverage(windowOf(all), LATER);
      for (const chunk of listChunks(all)) coverage.add(chunk);
      const filled = new Set(
        all.series.flatMap(({ points }) => points.filter(([, value]) => value !== null).map(([bucket]) => bucket)),
      );
      const empty = all.buckets.filter((_, index) => !filled.has(index));
      const found = coverage.findEmpty();
      expect(found).toMatchObject({ all: 12, empty: empty.length, interval: all.interval });
      expect(
        found?.spans.flatMap(({ first, last }) => all.buckets.filter((start) => start >= first && start <= last)),
      ).toEqual(empty);
      const touches = found?.spans.some(({ last }) =>
        found.spans.some(({ first }) => first === nextIntervalStart(all.interval, last)),
      );
      expect(touches).toBe(false);
      expect(found?.spans.reduce((sum, { count }) => sum + count, 0)).toBe(empty.length);
      const newest = Math.max(...filled);
      const end =
        filled.size === 0 ? undefined : nextIntervalStart(all.interval, all.buckets[newest] as number) - OFFSET;
      expect(coverage.newest?.end).toBe(end);
    }),
    { numRuns: draws(200, 2000) },
  );
});

test("what a series lacks is what has no value between its own first and last point", () => {
  fc.assert(
    fc.property(drawn, (all) => {
      const each = new EachCoverage(windowOf(all), LATER);
      for (const chunk of listChunks(all)) each.add(chunk);
      const expected = all.series.flatMap(({ region, points }) => {
        const [first = 0, last = -1] = [points[0]?.[0], points.at(-1)?.[0]];
        const filled = new Set(points.filter(([, value]) => value !== null).map(([bucket]) => bucket));
        const lacking = all.buckets.filter((_, index) => index >= first && index <= last && !filled.has(index));
        return lacking.length === 0 ? [] : [[region, lacking] as const];
      });
      const found = each.list().map(({ name, spans, offset, empty }) => {
        const starts = all.buckets.filter((start) =>
          spans.some(({ first, last }) => start >= first + offset && start <= last + offset),
        );
        expect(empty).toBe(starts.length);
        return [name, starts] as const;
      });
      expect(new Map(found)).toEqual(new Map(expected));
      expect(found.map(([, starts]) => starts.length)).toEqual(
        found.map(([, starts]) => starts.length).toSorted((a, b) => b - a),
      );
    }),
    { numRuns: draws(200, 2000) },
  );
});
