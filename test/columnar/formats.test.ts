/** Parquet and Arrow hold the rows of the CSV of the same request, in columns of the right types. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { some } from "../support/extent.ts";
import { CASES, exportCase } from "./cases.ts";
import { readBytes, readPackage } from "./readers.ts";

describe.each(some(5, CASES))("$name", (one) => {
  test("hyparquet and apache-arrow read the rows of the CSV, and their origin", async () => {
    const { expected, parquet, arrow } = await exportCase(one);
    expect(await readBytes("parquet", readFileSync(parquet))).toEqual(expected);
    expect(await readBytes("arrow", readFileSync(arrow))).toEqual(expected);
    expect(readPackage(parquet)).toMatchObject({
      resources: [{ schema: { fields: Object.keys(expected.types).map((name) => ({ name })) } }],
    });
  });
});
