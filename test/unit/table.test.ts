import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { table } from "../../src/format/table.ts";
import type { Cell, Column, Row } from "../../src/series/layout/table.ts";
import { encode, TERMINAL } from "./encode.ts";
import { numberTexts, tables } from "./generators.ts";

const COLUMNS: Column[] = [
  { name: "timestamp", kind: "stamp" },
  { name: "region", kind: "text" },
  { name: "price", kind: "value", unit: "$/MWh" },
  { name: "demand", kind: "value", unit: "MW" },
];

const stampOf = (minute: number) => `${new Date(Date.UTC(2025, 0, 31) + minute * 60_000).toISOString().slice(0, 19)}+10:00`;
const cells = fc.tuple(fc.stringMatching(/^[A-Z][A-Z0-9]{0,20}$/), numberTexts, fc.option(numberTexts, { nil: null }));
const plainRows = fc.array(cells, { maxLength: 12 }).map((all) => all.map((row, minute): Row => [stampOf(minute), ...row]));

/** The lines of the grid, and those of the footer under it. */
function split(text: string): { title: string; rule: string; body: string[]; footer: string[] } {
  const [grid = "", footer = ""] = text.split("\n\n");
  const [title = "", rule = "", ...body] = grid.replace(/\n$/, "").split("\n");
  return { title, rule, body, footer: footer.trimEnd().split("\n") };
}

/** Cuts a line where the rule under the titles says that columns stand. */
function cutLine(line: string, rule: string): string[] {
  return [...rule.matchAll(/-+/g)].map(({ index, 0: dashes }) => line.slice(index, index + dashes.length).padEnd(dashes.length));
}

const draw = (rows: readonly Row[], options = {}, columns = COLUMNS) => split(encode(table, columns, { rows, options }));

describe("the grid", () => {
  test("holds every cell: text on the left, numbers on the right of their column", () => {
    fc.assert(
      fc.property(plainRows, (rows) => {
        const { rule, body } = draw(rows);
        const expected = rows.map((row) =>
          row.map((cell, index) => ({ text: String(cell ?? ""), right: COLUMNS[index]?.kind === "value" })),
        );
        const came = body.map((line) => cutLine(line, rule));
        expect(came).toEqual(expected.map((row, y) => row.map(({ text, right }, x) => align(text, came[y]?.[x]?.length ?? 0, right))));
      }),
    );
  });

  test("has units in its titles, and no borders, colours or spaces at line ends", () => {
    const text = encode(table, COLUMNS, { rows: [[stampOf(0), "NSW1", "90.10", null]] });
    expect(text).toBe(
      [
        "timestamp                  region  price ($/MWh)  demand (MW)",
        "-------------------------  ------  -------------  -----------",
        "2025-01-31T00:00:00+10:00  NSW1            90.10",
        "",
        "1 row, 2025-01-31T00:00:00+10:00",
        "",
      ].join("\n"),
    );
  });

  test("is bold in its titles where colours are wanted", () => {
    const text = encode(table, COLUMNS, { rows: [[stampOf(0), "NSW1", "1", "2"]], options: { screen: { ...TERMINAL, colors: true } } });
    expect(text.startsWith("\u001b[1mtimestamp")).toBe(true);
    expect(text.split("\u001b")).toHaveLength(3);
  });

  test("is the same however the rows were handed over", () => {
    fc.assert(
      fc.property(plainRows, fc.integer({ min: 1, max: 5 }), fc.nat(8), (rows, batch, limit) => {
        expect(encode(table, COLUMNS, { rows, batch, options: { limit } })).toBe(encode(table, COLUMNS, { rows, options: { limit } }));
      }),
    );
  });

  test("no control character goes to the terminal raw", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        const text = encode(table, columns, { rows });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(split(text).body).toHaveLength(rows.length);
      }),
    );
  });

  test("no rows are the titles alone", () => {
    const { title, body, footer } = draw([]);
    expect([title.split(/ {2,}/)[0], body, footer]).toEqual(["timestamp", [], ["0 rows"]]);
  });
});

describe("the limit", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, minute): Row => [stampOf(minute), "NSW1", String(minute), null]);
  const values = (count: number, limit: number) => draw(rows(count), { limit }).body.map((line) => line.trim().split(/ +/)[2]);

  test("splits between the first and the last, with ... where rows are left out", () => {
    expect(values(10, 4)).toEqual(["0", "1", "...", "8", "9"]);
    expect(values(10, 5)).toEqual(["0", "1", "2", "...", "8", "9"]);
    expect(values(10, 1)).toEqual(["0", "..."]);
    expect(values(5, 4)).toEqual(["0", "1", "...", "3", "4"]);
    expect(values(4, 4)).toEqual(["0", "1", "2", "3"]);
    expect(values(3, 0)).toEqual(["0", "1", "2"]);
  });

  test("shows that many of any number of rows, the first and the last of them", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 25 }), (count, limit) => {
        const all = Array.from({ length: count }, (_, index) => String(index));
        const shown =
          count <= limit ? all : [...all.slice(0, Math.ceil(limit / 2)), "...", ...(limit > 1 ? all.slice(-Math.floor(limit / 2)) : [])];
        expect(values(count, limit)).toEqual(shown);
      }),
    );
  });

  test("the footer counts all rows, and tells how many are shown and from when to when", () => {
    expect(draw(rows(1500), { limit: 4 }).footer).toEqual([`4 of 1,500 rows, ${stampOf(0)} to ${stampOf(1499)}`]);
    expect(draw(rows(4), { limit: 4 }).footer).toEqual([`4 rows, ${stampOf(0)} to ${stampOf(3)}`]);
    expect(draw(rows(1), { limit: 4 }).footer).toEqual([`1 row, ${stampOf(0)}`]);
  });
});

describe("the width", () => {
  test("is kept by leaving out value columns and cutting text, never a timestamp or number", () => {
    fc.assert(
      fc.property(plainRows, fc.integer({ min: 20, max: 140 }), (rows, width) => {
        const { rule, title, body, footer } = draw(rows, { screen: { ...TERMINAL, columns: width } });
        const shown = [...rule.matchAll(/-+/g)].length;
        for (const [index, line] of body.entries()) {
          const came = cutLine(line, rule).map((cell) => cell.trim());
          const [stamp, region, ...values] = (rows[index] ?? []).map((cell: Cell) => String(cell ?? "")).slice(0, shown);
          expect([came[0], ...came.slice(2)]).toEqual([stamp, ...values]);
          expect([region, `${region?.slice(0, (came[1]?.length ?? 0) - 1)}~`]).toContain(came[1]);
        }
        const atItsLeast = shown === 3 && (cutLine(rule, rule)[1]?.length ?? 0) <= 4;
        const widest = Math.max(rule.length, title.length, ...body.map(({ length }) => length));
        expect(atItsLeast || widest <= width).toBe(true);
        expect(footer.slice(1)).toEqual(shown === 4 ? [] : ["hidden (terminal too narrow): demand (MW)"]);
      }),
    );
  });

  test("that is unknown cuts nothing", () => {
    const name = "N".repeat(300);
    expect(draw([[stampOf(0), name, "1", "2"]]).body[0]).toContain(name);
  });
});

function align(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
