/** Rows of plain cells are padded without cli-table3; they must look as if it had drawn them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawRow, padRow, type LaidColumn } from "../../src/format/table/draw.ts";
import { draws } from "../support/extent.ts";

const columns = fc
  .array(fc.record({ width: fc.integer({ min: 4, max: 12 }), align: fc.constantFrom("left" as const, "right" as const) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((laid) => laid.map((one, index): LaidColumn => ({ ...one, title: `c${index}` })));

const cell = fc.oneof(fc.string({ maxLength: 14 }), fc.constantFrom("", "-12.50", "a  b", " lead", "trail ", "wide: 漢字", "é"));

test("a padded line equals the one that cli-table3 draws", () => {
  let padded = 0;
  fc.assert(
    fc.property(columns, fc.array(cell, { minLength: 5, maxLength: 5 }), (laid, cells) => {
      const row = cells.slice(0, laid.length);
      const line = padRow(laid, row);
      if (line === undefined) return;
      padded++;
      expect(line).toBe(drawRow(laid, row));
    }),
    { numRuns: draws(300, 2000) },
  );
  expect(padded).toBeGreaterThan(draws(50, 200));
});
