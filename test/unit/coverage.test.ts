/** Which intervals have no value, and how new the newest is, compared with a model. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Coverage } from "../../src/series/buckets/count.ts";
import { nextBucketStart } from "../../src/time/buckets.ts";
import { draws } from "../support/extent.ts";
import { drawn, LATER, listChunks, OFFSET, windowOf } from "./bucket-series.ts";

test("intervals without a value are those in which every series has null or nothing", () => {
  fc.assert(
    fc.property(drawn, (all) => {
      const coverage = new Coverage(windowOf(all), LATER);
      for (const chunk of listChunks(all)) coverage.add(chunk);
      const filled = new Set(all.series.flatMap(({ points }) => points.filter(([, value]) => value !== null).map(([bucket]) => bucket)));
      const empty = all.buckets.filter((_, index) => !filled.has(index));
      const found = coverage.findEmpty();
      expect(found).toMatchObject({ all: 12, empty: empty.length, interval: all.interval });
      expect(found?.spans.flatMap(({ first, last }) => all.buckets.filter((start) => start >= first && start <= last))).toEqual(empty);
      const touches = found?.spans.some(({ last }) => found.spans.some(({ first }) => first === nextBucketStart(all.interval, last)));
      expect(touches).toBe(false);
      expect(found?.spans.reduce((sum, { count }) => sum + count, 0)).toBe(empty.length);
      const newest = Math.max(...filled);
      const end = filled.size === 0 ? undefined : nextBucketStart(all.interval, all.buckets[newest] as number) - OFFSET;
      expect(coverage.newest?.end).toBe(end);
    }),
    { numRuns: draws(200, 2000) },
  );
});
