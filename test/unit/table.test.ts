/** A table of given rows, such as a list: the grid, the limit, the screen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { table } from "../../src/format/table/table.ts";
import { measureCells } from "../../src/format/text-width.ts";
import type { Column, Row } from "../../src/series/layout/layout.ts";
import { encode, TERMINAL } from "./encode.ts";
import { numberTexts, tables } from "./generators.ts";

const COLUMNS: Column[] = [
  { name: "timestamp", kind: "timestamp" },
  { name: "region", kind: "text" },
  { name: "price", kind: "value", unit: "$/MWh" },
  { name: "demand", kind: "value", unit: "MW" },
];

const timestampOf = (minute: number) =>
  `${new Date(Date.UTC(2025, 0, 31) + minute * 60_000).toISOString().slice(0, 19)}+10:00`;
const names = fc.stringMatching(/^[A-Z][A-Z0-9]{0,20}$/);
const smallNumbers = fc.double({ min: -20_000, max: 20_000, noNaN: true }).map((number) => JSON.stringify(number));
const cells = fc.tuple(names, fc.oneof(numberTexts, smallNumbers), fc.option(smallNumbers, { nil: null }));
const plainRows = fc
  .array(cells, { maxLength: 12 })
  .map((all) => all.map((row, minute): Row => [timestampOf(minute), ...row]));

/** The lines of the grid, and those of the footer. */
function split(text: string): { title: string; rule: string; body: string[]; footer: string[] } {
  const [grid = "", footer = ""] = text.split("\n\n");
  const [title = "", rule = "", ...body] = grid.replace(/\n$/, "").split("\n");
  return { title, rule, body, footer: footer.trimEnd().split("\n") };
}

/** Splits a line at the columns, as the rule under the titles shows them. */
function cutLine(line: string, rule: string): string[] {
  return [...rule.matchAll(/-+/g)].map(({ index, 0: dashes }) =>
    line.slice(index, index + dashes.length).padEnd(dashes.length),
  );
}

const draw = (rows: readonly Row[], options = {}, columns = COLUMNS) =>
  split(encode(table, columns, { rows, options }));

describe("the grid", () => {
  test("has text on the left, and numbers on their decimal point", () => {
    fc.assert(
      fc.property(plainRows, (rows) => {
        const { rule, body } = draw(rows);
        const came = body.map((line) => cutLine(line, rule));
        expect(came.map((row) => row.slice(0, 2).map((cell) => cell.trimEnd()))).toEqual(
          rows.map((row) => row.slice(0, 2)),
        );
        expect(came.flatMap((row) => row.slice(2)).filter((cell) => cell.endsWith(" "))).toEqual([]);
        const rounded = came.map((row) => row[3] ?? "").filter((cell) => !/[–e]/.test(cell));
        const points = rounded.map((cell) => cell.indexOf("."));
        expect(new Set(points).size).toBeLessThan(2);
      }),
    );
  });

  test("has units in its titles, a dash for a null, and no borders, colours or spaces at line ends", () => {
    const rows = [
      [timestampOf(0), "NSW1", "-90.1", null],
      [timestampOf(0), "QLD1", "16600.1234", "8000"],
    ];
    expect(encode(table, COLUMNS, { rows })).toBe(
      [
        "timestamp                  region  price ($/MWh)  demand (MW)",
        "-------------------------  ------  -------------  -----------",
        "2025-01-31T00:00:00+10:00  NSW1           -90.10            –",
        "2025-01-31T00:00:00+10:00  QLD1        16,600.12        8,000",
        "",
        "2 rows, 2025-01-31T00:00:00+10:00",
        "",
      ].join("\n"),
    );
  });

  test("is the same however the rows are passed", () => {
    fc.assert(
      fc.property(plainRows, fc.integer({ min: 1, max: 5 }), fc.nat(8), (rows, batch, limit) => {
        expect(encode(table, COLUMNS, { rows, batch, options: { limit } })).toBe(
          encode(table, COLUMNS, { rows, options: { limit } }),
        );
      }),
    );
  });

  test("no control character goes to the terminal raw", () => {
    fc.assert(
      fc.property(tables, fc.option(fc.integer({ min: 1, max: 60 })), ({ columns, rows }, width) => {
        const screen = width === null ? {} : { screen: { ...TERMINAL, columns: width } };
        const text = encode(table, columns, { rows, options: screen });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(width !== null || split(text).body.length === rows.length).toBe(true);
      }),
    );
  });

  test("no rows are the titles alone", () => {
    const { title, body, footer } = draw([]);
    expect([title.split(/ {2,}/)[0], body, footer]).toEqual(["timestamp", [], ["0 rows"]]);
  });
});

describe("the limit", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, minute): Row => [timestampOf(minute), "NSW1", String(minute), null]);
  const values = (count: number, limit: number) =>
    draw(rows(count), { limit }).body.map((line) => line.trim().split(/ +/)[2]);
  test("shows that many of any number of rows, the first and the last", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 25 }), (count, limit) => {
        const all = Array.from({ length: count }, (_, index) => String(index));
        const first = Math.min(3, limit - 1);
        const shown = count <= limit ? all : [...all.slice(0, first), "...", ...all.slice(first - limit)];
        expect(values(count, limit)).toEqual(shown);
      }),
    );
  });

  test("the footer counts all rows, how many are shown, and their period", () => {
    expect(draw(rows(1500), { limit: 4 }).footer).toEqual([
      `4 of 1,500 rows, ${timestampOf(0)} to ${timestampOf(1499)}`,
    ]);
    expect(draw(rows(1500), { limit: 1 }).footer).toEqual([
      `1 of 1,500 rows, ${timestampOf(0)} to ${timestampOf(1499)}`,
    ]);
    expect(draw(rows(4), { limit: 4 }).footer).toEqual([`4 rows, ${timestampOf(0)} to ${timestampOf(3)}`]);
    expect(draw(rows(1), { limit: 4 }).footer).toEqual([`1 row, ${timestampOf(0)}`]);
  });
});

describe("the screen", () => {
  const screenOf = (columns: number, rows: number) => ({ screen: { ...TERMINAL, columns, rows }, limit: undefined });
  /** The lines of a text on a terminal with this many columns. */
  const countLines = (text: string, columns: number) =>
    text
      .slice(0, -1)
      .split("\n")
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);

  test("holds the table with the prompt, with as many rows as fit", () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, minute): Row => [timestampOf(minute), "NSW1", String(minute), "1"]);
    for (const height of [5, 6, 7, 8, 20, 24, 40, 60]) {
      for (const count of [1, 2, 3, height - 6, height - 5, height - 4, height, 2000].filter((some) => some > 0)) {
        const text = encode(table, COLUMNS, { rows: rows(count), options: screenOf(80, height) });
        // "..." and the last row with titles, rule and footer need 6 lines.
        const lines = countLines(text, 80);
        expect(lines).toBe(Math.min(count + 4, Math.max(height - 1, Math.min(6, count + 4))));
      }
    }
  });

  test("holds records, too, one of them if there is little space", () => {
    fc.assert(
      fc.property(
        plainRows,
        fc.integer({ min: 26, max: 140 }),
        fc.integer({ min: 5, max: 60 }),
        (rows, columns, height) => {
          const text = encode(table, COLUMNS, { rows, options: screenOf(columns, height) });
          const shown = Number(/^(\d+) (?:of \d+ )?rows?/m.exec(text)?.[1]);
          expect(countLines(text, columns) <= height - 1 || shown <= 1).toBe(true);
        },
      ),
    );
  });

  test("is never too narrow for a name or a number: they are in a grid that fits, or in records", () => {
    fc.assert(
      fc.property(plainRows, fc.integer({ min: 20, max: 140 }), (rows, width) => {
        const wide = draw(rows);
        const expected = wide.body.flatMap((line) => cutLine(line, wide.rule)).map((cell) => cell.trim());
        const text = encode(table, COLUMNS, { rows, options: { screen: { ...TERMINAL, columns: width } } });
        const grid = text.split("\n\n")[0] ?? "";
        const isGrid = /^[- ]+$/m.test(grid);
        expect(grid.split("\n").filter((line) => isGrid && line.length > width)).toEqual([]);
        const lines = text.split("\n");
        const rule = lines.find((line) => /^-[- ]+$/.test(line)) ?? "";
        const came = isGrid
          ? lines
              .slice(lines.indexOf(rule) + 1, lines.indexOf("", lines.indexOf(rule)))
              .flatMap((line) => cutLine(line, rule))
          : lines.flatMap(
              (line) => /^(?:(?:timestamp|region|price \(\$\/MWh\)|demand \(MW\)) +| {2})(\S+)$/.exec(line)?.[1] ?? [],
            );
        expect(came.map((cell) => cell.trim())).toEqual(expected);
      }),
    );
  });

  test("puts units on a line of their own first, then rows become records", () => {
    const rows: Row[] = [
      [timestampOf(0), "NSW1", "16600", "-1"],
      [timestampOf(1), "QLD1", "60.5", null],
    ];
    const at = (columns: number) =>
      encode(table, COLUMNS, { rows, options: { screen: { ...TERMINAL, columns } } }).split("\n");
    expect(at(61)[0]).toBe("timestamp                  region  price ($/MWh)  demand (MW)");
    expect(at(60).slice(0, 5)).toEqual([
      "timestamp                  region     price  demand",
      "                                    ($/MWh)    (MW)",
      "-------------------------  ------  --------  ------",
      "2025-01-31T00:00:00+10:00  NSW1    16,600.0      -1",
      "2025-01-31T00:01:00+10:00  QLD1        60.5       –",
    ]);
    expect(at(40).slice(0, 10)).toEqual([
      "timestamp      2025-01-31T00:00:00+10:00",
      "region         NSW1",
      "price ($/MWh)  16,600.0",
      "demand (MW)    -1",
      "",
      "timestamp      2025-01-31T00:01:00+10:00",
      "region         QLD1",
      "price ($/MWh)  60.5",
      "demand (MW)    –",
      "",
    ]);
  });

  test("that is unknown cuts nothing", () => {
    const name = "N".repeat(300);
    expect(draw([[timestampOf(0), name, "1", "2"]]).body[0]).toContain(name);
  });
});

describe("texts", () => {
  const columns = ["code", "name", "meaning"].map((name): Column => ({ name, kind: "text" }));
  const rows = [
    ["A1", "Alpha Bravo", "a meaning that takes some more words than fit a line"],
    ["B2", "Charlie", "short"],
  ];
  const at = (width: number) =>
    encode(table, columns, { rows, options: { screen: { ...TERMINAL, columns: width } } }).split("\n");

  test("wrap, the widest column first", () => {
    expect(at(50).slice(2, 6)).toEqual([
      "A1    Alpha Bravo  a meaning that takes some more",
      "                   words than fit a line",
      "B2    Charlie      short",
      "",
    ]);
    expect(at(30).slice(2, 7)).toEqual([
      "A1    Alpha    a meaning that",
      "      Bravo    takes some more",
      "               words than fit",
      "               a line",
      "B2    Charlie  short",
    ]);
  });

  test("wrap in records, then below their names, and stay whole if a word is too long", () => {
    expect(at(16).slice(0, 4)).toEqual(["code     A1", "name     Alpha", "         Bravo", "meaning  a"]);
    expect(at(15).slice(0, 6)).toEqual(["code", "  A1", "name", "  Alpha Bravo", "meaning", "  a meaning"]);
    expect(at(5).join("\n")).toContain("Charlie");
  });
});

test("a text longer than any terminal is not measured character by character", () => {
  expect(measureCells(`${"y".repeat(300_000)}\u65e5`)).toBe(300_001);
  expect(measureCells("\u65e5\u672c")).toBe(4);
});
