/** Rows of plain cells are padded without cli-table3; they must look as if it had drawn them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawRow, drawWrapped, type LaidColumn } from "../../src/format/table/draw.ts";
import { draws } from "../support/extent.ts";

const columns = fc
  .array(
    fc.record({ width: fc.integer({ min: 4, max: 12 }), align: fc.constantFrom("left" as const, "right" as const) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((laid) => laid.map((one, index): LaidColumn => ({ ...one, title: `c${index}` })));

const cell = fc.oneof(
  fc.string({ maxLength: 14 }),
  fc.constantFrom("", "-12.50", "a  b", " lead", "trail ", "wide: 漢字", "é"),
);

test("a padded line equals the one that cli-table3 draws", () => {
  fc.assert(
    fc.property(columns, fc.array(cell, { minLength: 5, maxLength: 5 }), (laid, cells) => {
      const row = cells.slice(0, laid.length);
      expect(drawRow(laid, row)).toBe(drawWrapped(laid, row));
    }),
    { numRuns: draws(300, 2000) },
  );
});
