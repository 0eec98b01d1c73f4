import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { FETCH_OPTIONS } from "../../src/options/fetch-options.ts";
import { OUTPUT_OPTIONS } from "../../src/options/output-options.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { QUERY_OPTIONS } from "../../src/options/query-options.ts";
import { flagOf, flagSyntax, type OptionTable, optionsOf } from "../../src/options/spec.ts";

function refusal(table: OptionTable, input: Record<string, unknown>): string {
  try {
    parseOptions(table, input);
  } catch (error) {
    if (error instanceof EntsError && error.kind === "usage") return error.message;
    throw error;
  }
  throw new Error("it was taken");
}

describe("flags", () => {
  test("are named after their option", () => {
    expect(flagOf("metrics")).toBe("--metrics");
    expect(flagOf("dateStart", QUERY_OPTIONS.dateStart)).toBe("--date-start");
    expect(flagOf("header", OUTPUT_OPTIONS.header)).toBe("--no-header");
  });

  test("show what they take", () => {
    expect(flagSyntax("metrics", QUERY_OPTIONS.metrics)).toBe("-m, --metrics <metric...>");
    expect(flagSyntax("last", QUERY_OPTIONS.last)).toBe("--last <duration>");
    expect(flagSyntax("facilityCode", QUERY_OPTIONS.facilityCode)).toBe("--facility-code <code...>");
    expect(flagSyntax("header", OUTPUT_OPTIONS.header)).toBe("--no-header");
    expect(flagSyntax("sandbox", FETCH_OPTIONS.sandbox)).toBe("--sandbox");
  });

  test("are each one, long and short", () => {
    const all: [string, OptionTable[string]][] = Object.entries({ ...QUERY_OPTIONS, ...OUTPUT_OPTIONS, ...FETCH_OPTIONS });
    const shorts = all.flatMap(([, { short }]) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(new Set(all.map(([key, spec]) => flagOf(key, spec))).size).toBe(all.length);
  });
});

test("each command has the query flags that v4 gives it", () => {
  const everywhere = ["metrics", "interval", "dateStart", "dateEnd", "last", "allowUnknown"];
  const flagsOf = (command: "network" | "facilities" | "market") =>
    optionsOf(QUERY_OPTIONS, command)
      .map(([key]) => key)
      .toSorted();
  expect(flagsOf("facilities")).toEqual(expect.arrayContaining([...everywhere, "facilityCode", "unitCode"]));
  expect(flagsOf("market")).toEqual([...everywhere, "networkRegion", "primaryGrouping"].toSorted());
  expect(flagsOf("network")).toEqual(
    [...everywhere, "networkRegion", "primaryGrouping", "fueltech", "fueltechGroup", "secondaryGrouping"].toSorted(),
  );
  expect(flagsOf("facilities").filter((key) => ["networkRegion", "primaryGrouping", "fueltech"].includes(key))).toEqual([]);
});

describe("values", () => {
  test("are read from text", () => {
    expect(parseOptions(OUTPUT_OPTIONS, { limit: "40", shape: "wide", header: false })).toEqual({
      limit: 40,
      shape: "wide",
      header: false,
    });
    expect(parseOptions(FETCH_OPTIONS, { retries: "0", timeout: "90s", dryRun: true })).toEqual({
      retries: 0,
      timeout: { amount: 90, unit: "seconds" },
      dryRun: true,
    });
  });

  test("that were not given are not there", () => {
    expect(parseOptions(OUTPUT_OPTIONS, {})).toEqual({});
  });

  test("of other tables are passed over", () => {
    expect(parseOptions(OUTPUT_OPTIONS, { metrics: ["power"], limit: 3 })).toEqual({ limit: 3 });
  });

  test.each(["-1", "1.5", "1e3", "", "ten", "0x10", " 5", "99999999999999999999"])("%j is no whole number", (limit) => {
    expect(refusal(OUTPUT_OPTIONS, { limit })).toBe(`--limit: "${limit}" is not a whole number of at least 0`);
  });

  test("of a closed list are named in the message", () => {
    expect(refusal(OUTPUT_OPTIONS, { shape: "tall" })).toBe('--shape: "tall" is not one of long, wide');
  });

  test("durations say how they are written", () => {
    expect(refusal(FETCH_OPTIONS, { timeout: "0s" })).toMatch(/^--timeout: "0s" is not a duration; .*30s, 12h, 7d, 6M/);
  });

  test("text is not empty", () => {
    expect(refusal(OUTPUT_OPTIONS, { output: "" })).toBe("--output: is empty");
  });
});
