import { describe, expect, test } from "vitest";
import { FORMAT_NAMES, FORMATS, findFormat, formatOfFile } from "../../src/format/registry.ts";

test("the formats, and the shape that each has when none is asked for", async () => {
  expect(FORMAT_NAMES).toEqual(expect.arrayContaining(["table", "csv", "tsv", "json", "ndjson"]));
  const loaded = await Promise.all(FORMAT_NAMES.map(async (name) => [name, await FORMATS[name].load()] as const));
  const shapes = Object.fromEntries(loaded.map(([name, format]) => [name, format.shape]));
  expect(shapes).toMatchObject({ table: "wide", csv: "long", tsv: "long", ndjson: "long" });
});

describe("findFormat", () => {
  test("takes each by its name", () => {
    expect(FORMAT_NAMES.map(findFormat)).toEqual(FORMAT_NAMES);
  });

  test.each(["cvs", "CSV", "toString", ""])("%j is none, and the message lists all", (name) => {
    expect(() => findFormat(name)).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: expect.stringContaining(`"${name}" is not a format`) as string,
        hint: expect.stringContaining("table, csv, tsv, json, ndjson") as string,
      }) as Error,
    );
  });

  test("the message names the nearest", () => {
    expect(() => findFormat("cvs")).toThrow(/nearest: csv/);
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
