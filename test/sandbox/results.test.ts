/**
 * However long a window and however many units, memory is bounded: results come in parts, with every point in one of
 * them.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SandboxSeries, Stretch } from "../../src/sandbox/series/series.ts";
import { batchResults, joinResults } from "../../src/sandbox/series/envelope.ts";

const MAX_POINTS = 50;

const stretches = fc
  .array(fc.record({ label: fc.constantFrom("total", "A", "B"), from: fc.nat(300), length: fc.nat(200) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((drawn) =>
    drawn.map(({ label, from, length }): Stretch => {
      const series: SandboxSeries = { metric: "power", label, columns: {}, spans: [], fill: () => {} };
      return { series, from, to: from + length };
    }),
  );

test("batches hold every interval of every result once, in order, and few points", () => {
  fc.assert(
    fc.property(stretches, (drawn) => {
      const results = joinResults(drawn);
      expect(results.flatMap((result) => result.stretches)).toEqual(drawn);
      const batches = [...batchResults(results, MAX_POINTS)];
      for (const batch of batches) {
        const points = batch.flatMap((part) => part.stretches.map(({ from, to }) => to - from + 1));
        expect(points.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_POINTS);
      }
      for (const result of results) {
        const parts = batches.flat().filter((part) => part.result === result);
        expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([result.from, result.to]);
        for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(parts[index]!.to + 1);
        for (const stretch of result.stretches) {
          const own = parts.flatMap((part) => part.stretches.filter(({ series }) => series === stretch.series));
          expect(own.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(stretch.to - stretch.from + 1);
        }
      }
    }),
  );
});
