/** Databases read the rows of the CSV from Parquet, with the right types. */
import { describe, expect, test } from "vitest";
import { FULL, isDue } from "../support/extent.ts";
import { CASES, exportCase } from "./cases.ts";
import { DATABASES, readWithClickhouse, readWithDuckdb } from "./readers.ts";

const isHere = FULL && isDue(DATABASES !== undefined);

describe.runIf(isHere)("DuckDB, with ENTS_TEST_DATABASES", () => {
  test.each(CASES)("$name", async (one) => {
    const { expected, parquet } = await exportCase(one);
    expect(await readWithDuckdb(parquet)).toEqual(expected);
  });
});

describe.runIf(isHere)("ClickHouse, with ENTS_TEST_DATABASES", () => {
  test.each(CASES)("$name", async (one) => {
    const { expected, parquet } = await exportCase(one);
    const isTime = (type: string) => type === "instant" || type === "wall-clock";
    const types = Object.fromEntries(
      Object.entries(expected.types).map(([name, type]) => [name, isTime(type) ? "time" : type]),
    );
    expect(readWithClickhouse(parquet)).toEqual({ ...expected, types });
  });
});
