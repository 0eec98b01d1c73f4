/** markdown: whatever a service calls things, the table stays one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { markdown } from "../../src/format/markdown.ts";
import type { Column, Row } from "../../src/series/layout/layout.ts";
import { draws } from "../support/extent.ts";
import { encode } from "./encode.ts";
import { nastyTexts } from "./generators.ts";

const COLUMNS: Column[] = [
  { name: "a|b", kind: "text" },
  { name: "*c*", kind: "text" },
  { name: "price", kind: "value", unit: "$/MWh" },
];

const marks = fc.array(fc.constantFrom("|", "\\", "*", "_", "`", "<b>", "[x](y)", "&amp;", "\n", "a", " "), {
  maxLength: 6,
});
const texts = fc.oneof(
  marks.map((parts) => parts.join("")),
  nastyTexts,
);

/** The cells of a line, as a reader of Markdown has them. */
function readCells(line: string): string[] {
  const cells = line.split(/(?<!\\)(?:\\\\)*\|/).slice(1, -1);
  return cells.map((cell) => cell.trim());
}

test("has a cell for each column in each row; numbers stand at the right, and no text is markup", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts), { minLength: 2, maxLength: 6 }), (all) => {
      // Columns of one text stand below the table.
      const rows = [["x", "y", "1.5"], ...all.map(([one, other], at): Row => [`${one}${at}`, `${other}${at}`, "-2"])];
      const [header = "", rule = "", ...lines] = encode(markdown, COLUMNS, { rows }).split("\n");
      expect(readCells(header).length).toBe(3);
      expect(rule).toBe("| --- | --- | --: |");
      const table = lines.slice(0, lines.indexOf(""));
      expect(table).toHaveLength(rows.length);
      for (const line of table) {
        expect(readCells(line)).toHaveLength(3);
        expect(line.replaceAll(/\\[\\`*|<>[\]_]/g, "")).not.toMatch(/[`*<>[\]]|&\w+;(?<!&amp;)/);
      }
    }),
    { numRuns: draws(100, 500) },
  );
});

test("escapes what would be a line of the table or markup, and writes nulls as asked", () => {
  const rows: Row[] = [
    ["NSW1|x", "_a_ coal_black", null],
    ["<b>", "a\nb", "1234.5"],
  ];
  expect(encode(markdown, COLUMNS, { rows, options: { null: "NA" } })).toBe(
    [
      "| a\\|b | \\*c\\* | price ($/MWh) |",
      "| --- | --- | --: |",
      "| NSW1\\|x | \\_a\\_ coal_black | NA |",
      "| \\<b\\> | a\\\\u000ab | 1,234.5 |",
      "",
      "2 rows",
      "",
    ].join("\n"),
  );
});
