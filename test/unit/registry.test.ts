import { expect, test } from "vitest";
import { printTable } from "../../src/format/print.ts";
import { describeFormat, FORMAT_NAMES, FORMATS, formatOfFile } from "../../src/format/registry.ts";

test("the formats, and the shape that each has when none is asked for", async () => {
  expect(FORMAT_NAMES).toEqual(expect.arrayContaining(["table", "csv", "tsv", "json", "ndjson"]));
  const loaded = await Promise.all(FORMAT_NAMES.map(async (name) => [name, await FORMATS[name].load()] as const));
  const shapes = Object.fromEntries(loaded.map(([name, format]) => [name, format.shape]));
  expect(shapes).toMatchObject({ table: "wide", csv: "long", tsv: "long", ndjson: "long" });
});

test.each([
  ["out.csv", "csv"],
  ["OUT.CSV", "csv"],
  ["folder.json/out.tsv", "tsv"],
  ["a.b.ndjson", "ndjson"],
  ["out.jsonl", "ndjson"],
  ["out.json", "json"],
  ["C:\\data\\out.json", "json"],
  ["out", undefined],
  ["out.dat", undefined],
  ["csv", undefined],
  ["folder.csv/out", undefined],
  ["", undefined],
])("%j is %s", (path, format) => {
  expect(formatOfFile(path)).toBe(format);
});

test.each(FORMAT_NAMES.filter((name) => describeFormat(name).seriesOnly))("%s refuses a table without series", async (format) => {
  await expect(printTable({ columns: [{ name: "metric", kind: "text" }], rows: [["power"]] }, format).next()).rejects.toMatchObject({
    kind: "usage",
    message: `format ${format} only works with time series`,
    hint: "use table, csv, tsv, json, ndjson, parquet, arrow or xlsx",
  });
});
