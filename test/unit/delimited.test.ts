import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDelimitedFormat } from "../../src/format/delimited.ts";
import type { FormatOptions } from "../../src/format/format.ts";
import type { Cell, Column, Row } from "../../src/series/layout/layout.ts";
import { parseJson } from "../../src/base/json.ts";
import { encode, OPTIONS, TERMINAL } from "./encode.ts";
import { nastyTexts, tables } from "./generators.ts";
import { draws } from "../support/extent.ts";

const [csv, tsv] = [createDelimitedFormat(","), createDelimitedFormat("\t")];

const FORMATS = [
  ["csv", csv, ","],
  ["tsv", tsv, "\t"],
] as const;

const nullTexts = fc.oneof(nastyTexts, fc.string(), fc.constantFrom("NA", "\\N", "=NA()", "\t", "\r\n"));

/** The cell as a reader of the file sees it. */
function textOf(cell: Cell, { kind }: Column): string {
  if (cell === null) return "";
  if (kind === "timestamp") return String(cell);
  if (kind === "value") return String(cell).startsWith('"') ? disarm(JSON.parse(String(cell)) as string) : String(cell);
  return disarm(String(cell));
}

/** Text that a spreadsheet would run gets an apostrophe. */
function disarm(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

describe.each(FORMATS)("%s", (_, format, delimiter) => {
  const write = (columns: readonly Column[], rows: readonly Row[], options: Partial<FormatOptions> = {}) =>
    encode(format, columns, { rows, options });
  const read = (text: string): string[][] => parse(text, { delimiter, relax_quotes: false });

  test("reads back as its rows, below the header", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        const [header, ...body] = read(write(columns, rows));
        expect(header).toEqual(columns.map(({ name }) => disarm(name)));
        expect(body).toEqual(rows.map((row) => row.map((cell, index) => textOf(cell, columns[index] as Column))));
      }),
      { numRuns: draws(100, 300) },
    );
  });

  test("without a header is the same minus the header", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        const head = write(columns, []);
        expect(head + write(columns, rows, { header: false })).toBe(write(columns, rows));
        expect(write(columns, [], { header: false })).toBe("");
      }),
    );
  });

  test("to a terminal sends no control character but its own", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        const text = write(columns, rows, { screen: TERMINAL });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(text.replaceAll(delimiter, "").replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        expect(text.split("\n")).toHaveLength(rows.length + 2);
      }),
    );
  });
});

describe.each(FORMATS)("--null in %s", (_, format, delimiter) => {
  test("reads back as given, in every empty cell", () => {
    fc.assert(
      fc.property(tables, nullTexts, ({ columns, rows }, text) => {
        const written = parse(encode(format, columns, { rows, options: { null: text, header: false } }), { delimiter });
        expect(written).toHaveLength(rows.length);
        for (const [index, row] of rows.entries()) {
          const nulls = row.flatMap((cell, column) => (cell === null ? [written[index]?.[column]] : []));
          expect(nulls).toEqual(nulls.map(() => text));
        }
      }),
    );
  });
});

test.each([
  ["", ""],
  ["NA", "NA"],
  ["-", "-"],
  ["=NA()", "=NA()"],
  ["a,b", '"a,b"'],
  ['"', '""""'],
])("a null text of %j is %j in csv", (text, cell) => {
  const options = { null: text, header: false };
  expect(encode(csv, COLUMNS, { rows: [[STAMP, null, null]], options })).toBe(`${STAMP},${cell},${cell}\n`);
  expect(encode(csv, COLUMNS, { rows: [[STAMP, "-", "-1"]], options })).toBe(`${STAMP},'-,-1\n`);
});

const COLUMNS: Column[] = [
  { name: "timestamp", kind: "timestamp" },
  { name: "region", kind: "text" },
  { name: "value", kind: "value" },
];
const STAMP = "2025-01-31T14:05:00+10:00";
const line = (cells: readonly [Cell, Cell], format: typeof csv = csv) =>
  encode(format, COLUMNS, { rows: [[STAMP, ...cells]], options: { header: false } });

describe("examples", () => {
  test.each([
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["tab\there", "tab\there"],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["=A1,B1", `"'=A1,B1"`],
    ["a=b", "a=b"],
  ])("text %j is %j in csv", (text, cell) => {
    expect(line([text, "1"])).toBe(`${STAMP},${cell},1\n`);
  });

  test.each(["-40.00", "1e400", "-0", "12345678901234567890.123", "-1E-7"])("the number %s is unchanged", (number) => {
    expect(line(["NSW1", number])).toBe(`${STAMP},NSW1,${number}\n`);
    expect(line([parseJson(number) as Cell, "1"])).toBe(`${STAMP},${number},1\n`);
  });

  test("text stays text, and harmless", () => {
    expect(line(["NSW1", '"NaN"'])).toBe(`${STAMP},NSW1,NaN\n`);
    expect(line(["NSW1", '"=1+1"'])).toBe(`${STAMP},NSW1,'=1+1\n`);
    expect(line(["NSW1", "true"])).toBe(`${STAMP},NSW1,true\n`);
  });

  test("a file gets control characters unchanged, a terminal gets them escaped", () => {
    const red = "\u001b[31mNSW1";
    expect(line([red, "1"])).toBe(`${STAMP},${red},1\n`);
    expect(encode(csv, COLUMNS, { rows: [[STAMP, red, "1"]], options: { ...OPTIONS, screen: TERMINAL } })).toContain(
      String.raw`,\u001b[31mNSW1,`,
    );
  });
});
