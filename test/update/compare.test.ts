/** Rows of two files, held against each other value by value. */
import { writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LosslessNumber } from "../../src/base/json.ts";
import { createDelimitedFormat } from "../../src/format/delimited.ts";
import { encodeTable } from "../../src/format/encode.ts";
import { NO_SCREEN } from "../../src/format/format.ts";
import { ndjson } from "../../src/format/ndjson.ts";
import { type Change, compareRows, type Comparison } from "../../src/job/destination/update/compare.ts";
import { createGrid } from "../../src/job/destination/update/grid.ts";
import { readGroups, readRows, type RowReading } from "../../src/job/destination/update/rows.ts";
import { createTextForm } from "../../src/job/destination/update/text-form.ts";
import type { Cell, Column } from "../../src/series/layout/table.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { createStampReader } from "../../src/time/stamp-reader.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { createHome } from "../support/run-ents.ts";
import { runs } from "../support/extent.ts";
import { nastyTexts } from "../unit/generators.ts";

type Shape = "long" | "wide" | "pivot";
type FormatName = "csv" | "ndjson";

/** Of each instant, the values of each series: none, null, or a number as it is spelled. */
type Values = readonly (readonly (string | null | undefined)[])[];

interface File {
  readonly values: Values;
  readonly names: readonly string[];
  readonly shape: Shape;
  readonly formatName: FormatName;
}

const STAMPS = ["2026-01-01T00:00:00+10:00", "2026-01-01T00:05:00+10:00", "2026-01-01T00:10:00+10:00"];
const { folder } = createHome();
let files = 0;

async function openText(text: string | Buffer): Promise<{ file: FileHandle; size: number }> {
  const path = join(folder, String(files++));
  writeFileSync(path, text);
  const file = await open(path);
  atEndOfFile(() => file.close());
  return { file, size: (await file.stat()).size };
}

function layOut({ values, names, shape }: File): { columns: Column[]; rows: Cell[][] } {
  const toCell = (value: string | null | undefined) => (typeof value === "string" ? new LosslessNumber(value) : null);
  const text = (...all: string[]) => all.map((name): Column => ({ name, kind: "text" }));
  const times: Column[] = [{ name: "timestamp", kind: "stamp" }];
  const values_ = (...all: string[]) => all.map((name): Column => ({ name, kind: "value" }));
  if (shape === "pivot") {
    // The columns are those of the series that have a point.
    const used = names.flatMap((_, at) => (values.some((row) => row[at] !== undefined) ? [at] : []));
    const rows = values.flatMap((row, index) =>
      row.some((value) => value !== undefined) ? [[STAMPS[index] as string, "NEM", ...used.map((at) => toCell(row[at]))]] : [],
    );
    return { columns: [...times, ...text("network"), ...values_(...used.map((at) => `v${at}`))], rows };
  }
  const own = shape === "long" ? ["power", "MW"] : [];
  const rows = values.flatMap((row, index) =>
    row.flatMap((value, at) => (value === undefined ? [] : [[STAMPS[index] as string, "NEM", ...own, names[at] as string, toCell(value)]])),
  );
  const columns = shape === "long" ? ["network", "metric", "unit", "region"] : ["network", "region"];
  return { columns: [...times, ...text(...columns), ...values_(shape === "long" ? "value" : "power")], rows };
}

async function openRows(content: File) {
  const { columns, rows } = layOut(content);
  const { shape, formatName } = content;
  let text = "";
  const options = { header: false, screen: NO_SCREEN };
  for await (const part of encodeTable({ columns, rows }, { csv: createDelimitedFormat(","), ndjson }[formatName], options))
    text += part as string;
  const { file, size } = await openText(text);
  const grid = createGrid(
    columns.map(({ name }) => name),
    {
      layout: shape === "long" ? { shape } : { shape: "wide", pivot: shape === "pivot" ? "region" : undefined },
      metrics: ["power"],
      labels: ["region"],
    },
  );
  if (!grid) throw new Error("no grid");
  const form = createTextForm({ formatName, formatOptions: options });
  const reading: RowReading = { name: "a file", file, form, grid, readStamp: createStampReader(createZone("network"), "iso", 600) };
  return { reading, groups: readGroups(reading, { from: 0, to: size }) };
}

async function compare(older: File, newer: File): Promise<Comparison & { changes: Change[] }> {
  const changes: Change[] = [];
  const comparison = await compareRows(await openRows(older), await openRows(newer), {
    signal: new AbortController().signal,
    take: async (some) => void changes.push(...some),
  });
  return { ...comparison, changes };
}

/** The same, point by point. */
function countPlainly(older: Values, newer: Values) {
  const counts = { added: 0, restated: 0, withdrawn: 0, unchanged: 0 };
  for (const [index, row] of older.entries()) {
    for (const [at, old] of row.entries()) {
      const now = newer[index]?.[at] ?? null;
      if ((old ?? null) === null) counts.added += now === null ? 0 : 1;
      else if (now === null) counts.withdrawn++;
      else counts[Number(old) === Number(now) ? "unchanged" : "restated"]++;
    }
  }
  return counts;
}

const SERIES = 4;
const values = fc.array(fc.array(fc.constantFrom("1.0", "1.00", "-2.5", null, undefined), { minLength: SERIES, maxLength: SERIES }), {
  minLength: STAMPS.length,
  maxLength: STAMPS.length,
});
/** Which of the old values the new file has others of. */
const others = fc.array(fc.array(fc.boolean(), { minLength: SERIES, maxLength: SERIES }), {
  minLength: STAMPS.length,
  maxLength: STAMPS.length,
});
const names = fc.uniqueArray(
  nastyTexts.filter((text) => text !== "" && !text.includes("\0")),
  // `=` is written as `'=` into csv, and reads as that label.
  { minLength: SERIES, maxLength: SERIES, selector: (text) => text.replace(/^'(?=[=+@\t\r＝＋－＠-])/, "") },
);

test("is counted as point by point: equal rows, others, and other columns, with any text in a label", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        names,
        shape: fc.constantFrom<Shape>("long", "wide", "pivot"),
        formatName: fc.constantFrom<FormatName>("csv", "ndjson"),
      }),
      fc.tuple(values, values, others),
      async (how, [older, fresh, isOther]) => {
        const newer = older.map((row, index) => row.map((value, at) => (isOther[index]?.[at] ? fresh[index]?.[at] : value)));
        const { changes, ...found } = await compare({ ...how, values: older }, { ...how, values: newer });
        const counts = countPlainly(older, newer);
        expect(found).toMatchObject(counts);
        expect(changes.map(({ now }) => now === undefined).filter(Boolean)).toHaveLength(counts.withdrawn);
        expect(changes).toHaveLength(counts.withdrawn + counts.restated);
      },
    ),
    { numRuns: runs(200, 3000) },
  );
});

test("a row of the same bytes under other columns is of other series", async () => {
  const how = { names: ["a", "b", "c"], shape: "pivot", formatName: "csv" } as const;
  const { changes, ...counts } = await compare({ ...how, values: [["1", "2", undefined]] }, { ...how, values: [[undefined, "1", "2"]] });
  expect(counts).toMatchObject({ added: 1, restated: 1, withdrawn: 1, unchanged: 0 });
  expect(changes.map(({ point, now }) => [point.pivoted, point.value, now])).toEqual([
    ["v0", "1", undefined],
    ["v1", "2", "1"],
  ]);
});

test("several values of a series at one instant: those that are the same are no change", async () => {
  const how = { names: ["a", "a", "a"], shape: "long", formatName: "csv" } as const;
  const count = async (old: (string | undefined)[], now: (string | undefined)[]) => {
    const { added, restated, withdrawn, unchanged } = await compare({ ...how, values: [old] }, { ...how, values: [now] });
    return { added, restated, withdrawn, unchanged };
  };
  expect(await count(["1", "2"], ["1", "3"])).toEqual({ added: 0, restated: 1, withdrawn: 0, unchanged: 1 });
  expect(await count(["1", "1"], ["1"])).toEqual({ added: 0, restated: 0, withdrawn: 1, unchanged: 1 });
  expect(await count(["1", "2"], ["1", "2", "2"])).toEqual({ added: 1, restated: 0, withdrawn: 0, unchanged: 2 });
});

test("a cell of many lines is one row, wherever the blocks that are read end; a quote that is never closed is refused", async () => {
  const form = createTextForm({ formatName: "csv", formatOptions: { header: true, screen: NO_SCREEN } });
  const rows = Array.from({ length: 3000 }, (_, index) => `t${index},"${"line\n".repeat(index % 9)}""${"x".repeat(index % 70)}",1`);
  const { file, size } = await openText(rows.map((row) => `${row}\n`).join(""));
  const found: string[] = [];
  for await (const some of readRows({ file, form, name: "a file" }, { from: 0, to: size })) found.push(...some.map(({ text }) => text));
  expect(found).toEqual(rows.map((row) => row));

  const unclosed = await openText(`t,1\nt,"1\n${"t,1\n".repeat(300_000)}`);
  const read = async () => {
    for await (const some of readRows({ file: unclosed.file, form, name: "a file" }, { from: 0, to: unclosed.size }))
      expect(some.length).toBeLessThan(2);
  };
  await expect(read()).rejects.toThrow("the row at byte 4 is not in the form that ents writes");
});
