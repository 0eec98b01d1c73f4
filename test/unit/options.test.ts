import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { OTHER_NAMES } from "../../src/base/other-names.ts";
import { loadCommands } from "../../src/cli/explain.ts";
import { COMMANDS } from "../../src/commands/all.ts";
import { formatList } from "../../src/base/phrases.ts";
import { OUTPUT_OPTIONS } from "../../src/format/output-options.ts";
import { FORMAT_NAMES } from "../../src/format/registry.ts";
import {
  describeOption,
  flagSyntax,
  flagOf,
  flagsOf,
  type OptionSpec,
  type OptionTable,
  optionsOf,
} from "../../src/options/spec.ts";
import { COMMON_OPTIONS, FETCH_OPTIONS } from "../../src/options/fetch-options.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { QUERY_OPTIONS } from "../../src/options/query-options.ts";
import { UPKEEP_OPTIONS } from "../../src/options/upkeep-options.ts";

function refusal(table: OptionTable, input: Record<string, unknown>): string {
  try {
    parseOptions(table, input);
  } catch (error) {
    if (error instanceof EntsError && error.kind === "usage")
      return [error.message, error.hint].filter(Boolean).join("\n");
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

  test("show the values that they take", () => {
    expect(flagSyntax("metrics", QUERY_OPTIONS.metrics)).toBe("-m, --metrics <metric...>");
    expect(flagSyntax("last", QUERY_OPTIONS.last)).toBe("--last <duration>");
    expect(flagSyntax("facilityCode", QUERY_OPTIONS.facilityCode)).toBe("--facility-code <code...>");
    expect(flagSyntax("header", OUTPUT_OPTIONS.header)).toBe("--no-header");
    expect(flagSyntax("sandbox", FETCH_OPTIONS.sandbox)).toBe("--sandbox");
  });

  test("are unique, long and short", () => {
    const all: [string, OptionTable[string]][] = Object.entries({
      ...QUERY_OPTIONS,
      ...OUTPUT_OPTIONS,
      ...FETCH_OPTIONS,
    });
    const shorts = all.flatMap(([, { short }]) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(new Set(all.map(([key, spec]) => flagOf(key, spec))).size).toBe(all.length);
  });
});

test("each command has the query flags that v4 gives it", () => {
  const everywhere = [
    "metrics",
    "interval",
    "dateStart",
    "dateEnd",
    "last",
    "during",
    "complete",
    "settled",
    "allowUnknown",
  ];
  const keysOf = (command: "network" | "facilities" | "market") =>
    Object.keys(optionsOf(QUERY_OPTIONS, command)).toSorted();
  expect(keysOf("facilities")).toEqual(expect.arrayContaining([...everywhere, "facilityCode", "unitCode"]));
  expect(keysOf("market")).toEqual([...everywhere, "networkRegion", "primaryGrouping", "groupBy"].toSorted());
  expect(keysOf("network")).toEqual(
    [
      ...everywhere,
      "networkRegion",
      "primaryGrouping",
      "fueltech",
      "fueltechGroup",
      "secondaryGrouping",
      "groupBy",
    ].toSorted(),
  );
  expect(keysOf("facilities").filter((key) => ["networkRegion", "primaryGrouping", "fueltech"].includes(key))).toEqual(
    [],
  );
});

describe("help", () => {
  test.each([
    [FETCH_OPTIONS.retries, /\(default: 4\)$/],
    [FETCH_OPTIONS.rate, /\(default: 2, or your plan's, none with --sandbox\)$/],
    [FETCH_OPTIONS.baseUrl, /\(default: https:\/\/api\.openelectricity\.org\.au\)$/],
    [OUTPUT_OPTIONS.shape, /\(choices: long, wide; default: wide for table, markdown and xlsx, else long\)$/],
    [QUERY_OPTIONS.interval, /\(choices: 5m, .*, fy\)$/],
    [QUERY_OPTIONS.metrics, /\(required; see 'ents metrics'\)$/],
    [QUERY_OPTIONS.unitCode, /\(at most 30\)$/],
    [FETCH_OPTIONS.dryRun, /^[^()]*$/],
  ])("shows choices and defaults from the table", (spec, expected) => {
    expect(describeOption(spec)).toMatch(expected);
  });

  test("repeats neither in its text", () => {
    for (const { help } of Object.values<OptionTable[string]>({
      ...QUERY_OPTIONS,
      ...OUTPUT_OPTIONS,
      ...FETCH_OPTIONS,
    })) {
      expect(help).not.toMatch(/default|choices/);
    }
  });
});

describe("values", () => {
  const NO_VIEW = { each: false, requireNone: false, latest: false, duration: false, summaryOnly: false };

  test("are read from text", () => {
    expect(parseOptions(OUTPUT_OPTIONS, { limit: "40", shape: "wide", header: false })).toEqual({
      limit: 40,
      shape: "wide",
      header: false,
      intervalEnd: false,
      rawNames: false,
      summary: false,
      timeZone: "network",
      ...NO_VIEW,
    });
    expect(
      parseOptions(FETCH_OPTIONS, { retries: "0", timeout: "90s", dryRun: true, maxWindow: "none" }),
    ).toMatchObject({
      retries: 0,
      timeout: 90_000,
      dryRun: true,
      maxWindow: "none",
    });
  });

  test("that are not given are the table's defaults; those that ents config stores are left to the settings", () => {
    expect(parseOptions(OUTPUT_OPTIONS, {})).toEqual({
      timeZone: "network",
      header: true,
      intervalEnd: false,
      rawNames: false,
      summary: false,
      ...NO_VIEW,
    });
    expect(parseOptions(FETCH_OPTIONS, {})).toEqual({
      retries: 4,
      maxBody: 1024 ** 3,
      timeout: 120_000,
      resume: true,
      dryRun: false,
      sandbox: false,
    });
  });

  test("of unknown options are refused", () => {
    expect(refusal(OUTPUT_OPTIONS, { metrics: ["power"] })).toMatch(/metrics/);
  });

  test.each(["-1", "1.5", "1e3", "", "ten", "0x10", " 5", "99999999999999999999"])(
    "%j is not a whole number",
    (limit) => {
      expect(refusal(OUTPUT_OPTIONS, { limit })).toBe(`--limit: "${limit}" is not a whole number, 0 or more`);
    },
  );

  test("of a closed list are named in the message", () => {
    expect(refusal(OUTPUT_OPTIONS, { shape: "tall" })).toBe('unknown shape "tall"\nuse long or wide');
    expect(refusal(OUTPUT_OPTIONS, { format: "cvs" })).toBe(
      `unknown format "cvs"; did you mean csv?\nuse ${formatList(FORMAT_NAMES, "or")}`,
    );
  });

  test.each(["CSV", "toString", "__proto__"])("%j is not a format", (format) => {
    expect(refusal(OUTPUT_OPTIONS, { format })).toContain(`unknown format "${format}"`);
  });

  test("that cannot be given together name each other", () => {
    expect(refusal(FETCH_OPTIONS, { sandbox: true, baseUrl: "http://localhost" })).toBe(
      "--sandbox cannot be used with --base-url\nleave out --base-url, or --sandbox",
    );
    expect(parseOptions(FETCH_OPTIONS, { sandbox: false, baseUrl: "http://localhost" }).baseUrl?.href).toBe(
      "http://localhost/",
    );
    expect(refusal(QUERY_OPTIONS, { metrics: ["power"], last: "7d", dateStart: "2024", dateEnd: "2025" })).toBe(
      "--last cannot be used with -s and -e\nleave out -s and -e, or --last",
    );
  });

  test("that cannot be given together, or alone, name the flags to leave out and to add", () => {
    const refuse = (values: Record<string, unknown>) =>
      refusal({ ...QUERY_OPTIONS, ...OUTPUT_OPTIONS, ...UPKEEP_OPTIONS }, values);
    const update = { metrics: ["power"], update: true, output: "x.csv", interval: "5m" };
    expect(refuse({ ...update, last: "7d" })).toBe(
      "--update cannot be used with --last\nuse --update with -s, without --last",
    );
    expect(refuse({ metrics: ["power"], during: "2025", dateStart: "2024", dateEnd: "2025" })).toBe(
      "--during cannot be used with -s and -e\nleave out -s and -e, or --during",
    );
    expect(refuse({ metrics: ["power"], during: "2025", follow: true })).toBe(
      "--follow cannot be used with --during\nleave out --during, or --follow",
    );
    expect(refuse({ metrics: ["power"], update: true, during: "2025", output: "x.csv" })).toBe(
      "--update only works with -i\nadd -i, or leave out --update",
    );
    expect(refuse({ metrics: ["power"], update: true })).toBe(
      "--update only works with -o, -s and -i\nadd -o, -s and -i, or leave out --update",
    );
    expect(refuse({ metrics: ["power"], follow: true, datapackage: true, output: "x.csv" })).toBe(
      "--follow cannot be used with --datapackage\nleave out --datapackage, or --follow",
    );
  });

  test("of a parameter with one value are not several", () => {
    expect(refusal(QUERY_OPTIONS, { metrics: ["power"], interval: "1h,1d" })).toMatch(/^--interval takes one value/);
    expect(parseOptions(OUTPUT_OPTIONS, { output: "a,b.csv" }).output).toBe("a,b.csv");
  });

  test("sizes are written as other tools write them", () => {
    const sizeOf = (maxBody: string) => parseOptions(FETCH_OPTIONS, { maxBody }).maxBody;
    expect([sizeOf("500M"), sizeOf("1g"), sizeOf("64k")]).toEqual([500 * 1024 ** 2, 1024 ** 3, 64 * 1024]);
    expect([sizeOf("500MB"), sizeOf("1.5GiB")]).toEqual([500_000_000, 1.5 * 1024 ** 3]);
    expect(refusal(FETCH_OPTIONS, { maxBody: "500" })).toMatch(
      /^--max-body: cannot read "500" as a size; .*500M, 500MB or 1GiB$/,
    );
  });

  test("durations say how they are written", () => {
    expect(refusal(FETCH_OPTIONS, { timeout: "0s" })).toMatch(
      /^--timeout: cannot read "0s" as a duration; .*30s, 12h or 6M/,
    );
  });

  test.each(["1M", "1y", "25d"])("a timeout of %s is more than a timer takes", (timeout) => {
    expect(refusal(FETCH_OPTIONS, { timeout })).toMatch(/^--timeout: ".*" is too long; the maximum is 10d/);
  });

  test("text is not empty", () => {
    expect(refusal(OUTPUT_OPTIONS, { output: "" })).toBe("--output is empty\ngive it a value, or leave it out");
  });
});

test("the table of other names has flags and choices that there are, and their other names in lower case", async () => {
  const commands = await loadCommands(COMMANDS);
  const flags = commands.flatMap(({ name, table }) =>
    Object.entries<OptionSpec>({ ...table, ...COMMON_OPTIONS }).flatMap((option) => [
      flagOf(...option),
      `${name} ${flagOf(...option)}`,
    ]),
  );
  expect(flags).toEqual(expect.arrayContaining(Object.keys(OTHER_NAMES.flags)));
  for (const [key, names] of Object.entries(OTHER_NAMES.values)) {
    const choices = commands.flatMap(({ table }) => table[key]?.choices ?? []);
    expect(choices).toEqual(expect.arrayContaining(Object.keys(names)));
    for (const name of Object.values<readonly string[]>(names).flat()) expect(name).toBe(name.toLowerCase());
  }
});

test("every key that a table names is its own", () => {
  const table: OptionTable = { ...QUERY_OPTIONS, ...OUTPUT_OPTIONS, ...UPKEEP_OPTIONS, ...FETCH_OPTIONS };
  const named = Object.values(table).flatMap(
    ({ conflicts = [], conflictHints = {}, needs = [], needsOne = [], relaxedBy }) => [
      ...conflicts,
      ...Object.keys(conflictHints),
      ...needs,
      ...needsOne,
      ...(relaxedBy ? [relaxedBy] : []),
    ],
  );
  expect(Object.keys(flagsOf(table))).toEqual(expect.arrayContaining(named));
});
