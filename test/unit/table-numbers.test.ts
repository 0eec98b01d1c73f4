/** Values in a table are rounded for reading, but never shown as another number. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NumberSurvey } from "../../src/format/table/numbers.ts";
import { normalizeJson, numberTexts, valueTexts } from "./generators.ts";

const print = (...cells: (string | null)[]) => cells.map(new NumberSurvey().addCells(cells).createPrinter().print);

describe("a column", () => {
  test.each([
    ["has two decimals at most", ["7243.1288", "-0.5", "60"], ["7,243.13", "-0.50", "60.00"]],
    [
      "rounds a half up, whatever its double is",
      ["64.595", "1.005", "-1.005", "2.675000", "1.0049"],
      ["64.60", "1.01", "-1.01", "2.68", "1.00"],
    ],
    ["has one where that is all", ["40.5", "3"], ["40.5", "3.0"]],
    ["of whole numbers has none", ["40.00", "16600.0", "1e3"], ["40", "16,600", "1,000"]],
    ["shows that there is more behind", ["40.0001", "41.00"], ["40.00", "41.00"]],
    ["has more where all would be 0", ["0.00012345", "0.000004"], ["0.00012", "0.00000"]],
    ["may show 0 beside others", ["0.0004", "12.5"], ["0.00", "12.50"]],
    ["of zeros is zeros", ["0", "0.000", "-0"], ["0", "0", "0"]],
    ["of the smallest numbers shows them as they came", ["4e-300", "1e-12", "0"], ["4e-300", "1e-12", "0"]],
    ["shows as it came what is smaller than a double", ["1e-400", "2.5"], ["1e-400", "2.5"]],
    ["shows as it came what is no double", ["1e400", "-1E+400", "2.25"], ["1e400", "-1E+400", "2.25"]],
    [
      "keeps every digit of what it cannot round",
      ["12345678901234567890.1234", "0.125"],
      ["12,345,678,901,234,567,890.1234", "0.13"],
    ],
    ["separates thousands of negative numbers", ["-1234567.891", "-123"], ["-1,234,567.89", "-123.00"]],
    ["may hold text, booleans and nulls", ['"n/a"', "true", null, "1.5"], ["n/a", "true", "", "1.5"]],
    ["shows no control character", ['"\\u001b[31m"'], ["\\u001b[31m"]],
  ] as const)("%s", (_, cells, shown) => {
    expect(print(...cells)).toEqual(shown);
  });
});

test.each([
  ["MWh", "999999.99", "999,999.99 MWh"],
  ["MWh", "1000000", "1,000.00 GWh"],
  ["MWh", "1234567890.1", "1,234.57 TWh"],
  ["$", "9876543", "9,876,543 $"],
  ["$", "-12345678", "-12.35 $m"],
  ["$/MWh", "12345678", "12,345,678 $/MWh"],
])("a larger unit has at most six digits, and two at least: %s %s", (unit, cell, shown) => {
  const printer = new NumberSurvey().addCells([cell]).createPrinter({ unit });
  expect(`${printer.print(cell)} ${printer.unit}`).toBe(shown);
});

test("equals what the service sent, within the last decimal shown, with its sign", () => {
  fc.assert(
    fc.property(fc.array(numberTexts, { minLength: 1, maxLength: 6 }), (cells) => {
      for (const [index, text] of print(...cells).entries()) {
        const cell = cells[index] as string;
        const plain = text.replaceAll(",", "");
        const decimals = /\.(\d+)$/.exec(plain)?.[1]?.length ?? 0;
        const error = Math.abs(Number(plain) - Number(cell)) - Math.abs(Number(cell)) * Number.EPSILON;
        const isRounded = error <= 0.5000001 * 10 ** -decimals && decimals <= 10;
        expect(plain === cell || isRounded, `${cell} shown as ${text}`).toBe(true);
        expect(text.startsWith("-") || Number(cell) === 0).toBe(cell.startsWith("-") || Number(cell) === 0);
      }
    }),
  );
});

test("all have the same decimals, except those that cannot be rounded", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 2, maxLength: 6 }),
      (numbers) => {
        const shown = print(...numbers.map((number) => JSON.stringify(number)));
        expect(
          new Set(
            shown
              .filter((text) => !text.includes("e"))
              .map((text) => text.length - (text.indexOf(".") + 1 || text.length)),
          ).size,
        ).toBeLessThan(2);
        const [most = 0] = numbers.map(Math.abs).toSorted((a, b) => b - a);
        expect(most === 0 || shown.some((text) => /[1-9]/.test(text))).toBe(true);
      },
    ),
  );
});

test("any JSON is shown in one line", () => {
  fc.assert(
    fc.property(fc.array(valueTexts.map(normalizeJson), { maxLength: 5 }), (cells) => {
      expect(print(...cells).join("")).not.toMatch(/\p{Cc}/u);
    }),
  );
});
