import { expect, test } from "vitest";
import { printTable } from "../../src/format/print.ts";
import { formatList } from "../../src/base/phrases.ts";
import { describeFormat, FORMAT_NAMES, formatOfFile, LIST_FORMATS } from "../../src/format/registry.ts";

const FACTS = ["binary", "seriesOnly", "gzip", "grows", "namesColumns", "redrawn", "marksPartial", "dataset"] as const;

/** The only list of formats in the tests; the others use the registry. */
test("the formats: the default shape of each, and what is known before it is loaded", () => {
  const known = FORMAT_NAMES.map((name) => {
    const facts = describeFormat(name);
    return [name, [facts.shape, ...FACTS.filter((fact) => facts[fact])].join(" ")] as const;
  });
  expect(Object.fromEntries(known)).toEqual({
    table: "wide redrawn marksPartial",
    markdown: "wide marksPartial",
    csv: "long gzip grows dataset",
    tsv: "long gzip grows",
    json: "long gzip",
    ndjson: "long gzip grows namesColumns dataset",
    chart: "long seriesOnly redrawn marksPartial",
    svg: "long seriesOnly marksPartial",
    png: "long binary seriesOnly marksPartial",
    html: "long seriesOnly marksPartial",
    parquet: "long binary dataset",
    arrow: "long binary",
    openmetrics: "long seriesOnly",
    xlsx: "wide binary",
  });
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

test.each(FORMAT_NAMES.filter((name) => describeFormat(name).seriesOnly))(
  "%s refuses a table without series",
  async (format) => {
    await expect(
      printTable({ columns: [{ name: "metric", kind: "text" }], rows: [["power"]] }, format).next(),
    ).rejects.toMatchObject({
      kind: "usage",
      message: `format ${format} only works with time series`,
      hint: `use ${formatList(LIST_FORMATS, "or")}`,
    });
  },
);
