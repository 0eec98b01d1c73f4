import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toRecords } from "../../src/format/cells.ts";
import type { FormatOptions } from "../../src/format/format.ts";
import { ndjson } from "../../src/format/ndjson.ts";
import type { Column } from "../../src/series/layout/layout.ts";
import { isLosslessNumber, type Json, type JsonObject, parseJson, toJsonText } from "../../src/base/json.ts";
import { encode } from "./encode.ts";
import { tables } from "./generators.ts";
import { draws } from "../support/extent.ts";

const linesOf = (text: string) => text.split("\n").slice(0, -1);

describe("ndjson", () => {
  test("each line reads back as its row, numbers digit for digit, booleans as booleans", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        const lines = linesOf(encode(ndjson, columns, { rows }));
        expect(lines).toHaveLength(rows.length);
        for (const [index, text] of lines.entries()) {
          const record = parseJson(text) as JsonObject;
          expect(Object.keys(record)).toEqual(columns.map(({ name }) => name));
          const cells = columns.map(({ name, kind }) => backToCell(record[name] ?? null, kind));
          expect(cells).toEqual(
            rows[index]?.map((cell, at) =>
              columns[at]?.kind === "value" && cell ? toJsonText(parseJson(String(cell))) : cell,
            ),
          );
        }
      }),
      { numRuns: draws(100, 300) },
    );
  });

  test("any JSON reader accepts it, and no line has a raw control character", () => {
    fc.assert(
      fc.property(tables, ({ columns, rows }) => {
        for (const line of linesOf(encode(ndjson, columns, { rows }))) {
          expect(Object.keys(JSON.parse(line) as object)).toHaveLength(columns.length);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
    );
  });

  test.each(["unix", "unix-ms"] as const)("%s is a number, iso and local are text", (timeFormat) => {
    const columns: Column[] = [{ name: "timestamp", kind: "timestamp" }];
    const write = (options: Partial<FormatOptions>) => encode(ndjson, columns, { rows: [["1738296300"]], options });
    expect(write({ timeFormat })).toBe('{"timestamp":1738296300}\n');
    for (const text of ["iso", "local", undefined] as const)
      expect(write({ timeFormat: text })).toBe('{"timestamp":"1738296300"}\n');
  });
});

test("records are the objects that ndjson writes", () => {
  fc.assert(
    fc.property(tables, ({ columns, rows }) => {
      const lines = linesOf(encode(ndjson, columns, { rows }));
      expect(toRecords({ columns, rows }).map((record) => toJsonText(record))).toEqual(
        lines.map((line) => toJsonText(parseJson(line))),
      );
    }),
  );
});

function backToCell(value: Json, kind: Column["kind"]): Json {
  if (kind !== "value" || value === null) return value;
  return isLosslessNumber(value) ? value.value : toJsonText(value);
}
