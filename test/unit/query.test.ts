import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import type { QueryInput } from "../../src/options/query-options.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import { INTERVALS } from "../../src/base/intervals.ts";
import { type CommandName, METRICS, PRIMARY_GROUPINGS, SECONDARY_GROUPINGS } from "../../src/base/vocabulary.ts";
import { INTERVAL_NAMES } from "../support/intervals.ts";

const now = Date.parse("2025-03-06T05:30:20Z");

function build(command: CommandName, input: QueryInput, network = "NEM") {
  return buildQuery({ command, network, input, now });
}

/** The parameters as sent: name and values. */
function sent(command: CommandName, input: QueryInput) {
  return build(command, input).query.parameters.map(({ name, values }) => [name, ...values]);
}

function refusal(command: CommandName, input: QueryInput, network?: string): EntsError {
  try {
    build(command, input, network);
  } catch (error) {
    if (error instanceof EntsError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

describe("the parameters", () => {
  test("only the metrics if nothing else is asked: the service's defaults stay the service's", () => {
    for (const command of ["network", "facilities", "market"] as const) {
      expect(sent(command, { metrics: ["power"] })).toEqual([["metrics", "power"]]);
    }
  });

  test("everything requested, under v4's names, with lists in order", () => {
    const input: QueryInput = {
      secondaryGrouping: "fueltech",
      primaryGrouping: "network_region",
      fueltechGroup: ["solar", "coal"],
      fueltech: ["wind", "coal_black"],
      networkRegion: ["NSW1"],
      dateEnd: "2025-01-31",
      dateStart: "2025-01",
      interval: "1d",
      metrics: ["power", "energy"],
    };
    expect(
      Object.fromEntries(sent("network", { ...input, allowUnknown: true }).map(([name, ...values]) => [name, values])),
    ).toEqual({
      metrics: ["power", "energy"],
      interval: ["1d"],
      date_start: ["2025-01-01T00:00:00"],
      date_end: ["2025-01-31T23:59:59"],
      network_region: ["NSW1"],
      fueltech: ["wind", "coal_black"],
      fueltech_group: ["solar", "coal"],
      primary_grouping: ["network_region"],
      secondary_grouping: ["fueltech"],
    });
  });

  test("codes of facilities and units", () => {
    expect(sent("facilities", { metrics: ["power"], facilityCode: ["ERARING"], unitCode: ["ER01", "ER02"] })).toEqual([
      ["metrics", "power"],
      ["facility_code", "ERARING"],
      ["unit_code", "ER01", "ER02"],
    ]);
  });

  test.each<[CommandName, string[], QueryInput]>([
    ["network", ["region"], { primaryGrouping: "network_region" }],
    ["network", ["network", "renewable"], { primaryGrouping: "network", secondaryGrouping: "renewable" }],
    ["network", ["fueltech", "region"], { primaryGrouping: "network_region", secondaryGrouping: "fueltech" }],
    ["network", ["fueltech_group", "fueltech_group"], { secondaryGrouping: "fueltech_group" }],
    ["market", ["region"], { primaryGrouping: "network_region" }],
  ])("%s grouped by %j: the groupings that bring these labels", (command, groupBy, groupings) => {
    expect(sent(command, { metrics: ["power"], groupBy })).toEqual(sent(command, { metrics: ["power"], ...groupings }));
  });

  test("a grouping beside one of the other kind by its own flag", () => {
    expect(sent("network", { metrics: ["power"], groupBy: ["fueltech"], primaryGrouping: "network_region" })).toEqual([
      ["metrics", "power"],
      ["primary_grouping", "network_region"],
      ["secondary_grouping", "fueltech"],
    ]);
  });

  test("exactly the requested parameters, whichever they are", () => {
    const inputs = fc.record(
      {
        metrics: fc.uniqueArray(fc.constantFrom(...Object.keys(METRICS)), { minLength: 1 }),
        interval: fc.constantFrom(...Object.keys(INTERVALS)),
        networkRegion: fc.tuple(fc.constantFrom("NSW1", "région 1&x=y")),
        fueltech: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }),
        fueltechGroup: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }),
        primaryGrouping: fc.constantFrom(...PRIMARY_GROUPINGS),
        secondaryGrouping: fc.constantFrom(...SECONDARY_GROUPINGS),
      },
      { requiredKeys: ["metrics"] },
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const expected = Object.entries(input).map(([key, value]) => [snake(key), [value].flat()]);
        expect(
          Object.fromEntries(
            sent("network", { ...input, allowUnknown: true }).map(([name, ...values]) => [name, values]),
          ),
        ).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  test("duplicates are sent once, in the order of the first", () => {
    const input: QueryInput = { metrics: ["energy", "power", "energy"], facilityCode: ["B", "A", "B", "B"] };
    expect(sent("facilities", input)).toEqual([
      ["metrics", "energy", "power"],
      ["facility_code", "B", "A"],
    ]);
    expect(build("facilities", input).query.metrics).toEqual(["energy", "power"]);
  });

  test("the network's code unchanged, known or not", () => {
    expect(build("network", { metrics: ["power"], allowUnknown: true }, "nem").query.network).toBe("nem");
    expect(build("network", { metrics: ["power"] }, "xyz").query.network).toBe("xyz");
    expect(build("network", { metrics: ["power"], dateStart: "2025" }, "XYZ").query.parameters).toHaveLength(2);
  });
});

describe("refused, naming the flag", () => {
  test("no metric", () => {
    expect(refusal("network", {})).toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^--metrics is required$/) as string,
    });
    expect(refusal("network", { metrics: [] }).message).toBe("--metrics needs at least one value");
  });

  test.each<[QueryInput, string, RegExp]>([
    [{ metrics: ["powr"] }, 'unknown metric "powr"; did you mean power?', /^see 'ents metrics' for all$/],
    [
      { metrics: ["power", "Energy"] },
      expect.stringContaining(`unknown metric "Energy"; did you mean energy`) as string,
      /ents metrics/,
    ],
    [{ metrics: ["xyzzy"] }, 'unknown metric "xyzzy"', /ents metrics.*\nuse --allow-unknown/],
    [
      { metrics: ["power"], interval: "fortnight" },
      'unknown interval "fortnight"',
      new RegExp(`^use ${INTERVAL_NAMES.slice(0, -1).join(", ")} or fy\\n`),
    ],
    [
      { metrics: ["power"], primaryGrouping: "region" },
      'unknown primary grouping "region"; did you mean network_region?',
      /^use network or network_region$/,
    ],
    [
      { metrics: ["power"], secondaryGrouping: "fule" },
      'unknown secondary grouping "fule"',
      /^use fueltech, fueltech_group, status or renewable\nuse --allow-unknown/,
    ],
  ])("%j", (input, message, hint) => {
    expect(refusal("network", input)).toMatchObject({
      kind: "usage",
      message,
      hint: expect.stringMatching(hint) as string,
    });
  });

  test.each<[CommandName, QueryInput]>([
    ["market", { metrics: ["price"], fueltech: ["wind"] }],
    ["market", { metrics: ["price"], secondaryGrouping: "fueltech" }],
    ["market", { metrics: ["price"], groupBy: ["fueltech"] }],
    ["facilities", { metrics: ["power"], networkRegion: ["NSW1"] }],
    ["facilities", { metrics: ["power"], primaryGrouping: "network" }],
    ["network", { metrics: ["power"], facilityCode: ["A"] }],
    ["network", { metrics: ["power"], ...({ date_start: "2025" } as object) }],
  ])("%s has no such option: %j", (command, input) => {
    expect(refusal(command, input).kind).toBe("usage");
  });

  test.each<QueryInput>([
    { interval: "" },
    { networkRegion: [""] },
    { fueltech: [] },
    { fueltech: [""] },
    { dateStart: "" },
  ])("empty: %j", (input) => {
    expect(refusal("network", { metrics: ["power"], ...input }).message).toMatch(
      /^--[a-z-]+ (is empty|needs at least one value)$/,
    );
  });

  test.each([
    ["nem", "NEM"],
    ["Wem", "WEM"],
    ["au", "AU"],
  ])("network %s in another case is %s", (code, known) => {
    expect(build("network", { metrics: ["power"] }, code).query.network).toBe(known);
    expect(build("network", { metrics: ["power"], allowUnknown: true }, code).query.network).toBe(code);
  });

  test("another name of a network leads to its code", () => {
    const message = `unknown network "swis"; did you mean 'ents network WEM'?`;
    expect(refusal("network", { metrics: ["power"] }, "swis")).toMatchObject({ kind: "usage", message });
  });

  test("an empty network code", () => {
    expect(refusal("network", { metrics: ["power"] }, "").kind).toBe("usage");
  });
});

describe("--allow-unknown", () => {
  test("sends what v4 does not list, with a warning for each", () => {
    const { query, warnings } = build("network", {
      metrics: ["power", "inertia"],
      interval: "2M",
      primaryGrouping: "zone",
      allowUnknown: true,
    });
    expect(query.parameters).toEqual([
      { name: "metrics", values: ["power", "inertia"] },
      { name: "interval", values: ["2M"] },
      { name: "primary_grouping", values: ["zone"] },
    ]);
    expect(query.interval).toBeUndefined();
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toBe('unknown metric "inertia" (sent anyway)');
  });
});

describe("codes", () => {
  const codes = (count: number) => Array.from({ length: count }, (_, index) => `U${index}`);

  test.each(["facilityCode", "unitCode"] as const)("%s: 30 are allowed, also with repetitions", (key) => {
    expect(build("facilities", { metrics: ["power"], [key]: codes(30) }).query.parameters[1]?.values).toEqual(
      codes(30),
    );
    expect(
      build("facilities", { metrics: ["power"], [key]: [...codes(30), ...codes(30)] }).query.parameters[1]?.values,
    ).toHaveLength(30);
  });

  test.each([
    ["facilityCode", "--facility-code"],
    ["unitCode", "--unit-code"],
  ] as const)("%s: 31 are refused, with their number", (key, flag) => {
    const error = refusal("facilities", { metrics: ["power"], [key]: codes(31) });
    expect(error.kind).toBe("usage");
    expect(error.message).toMatch(new RegExp(`^${flag}: 31 .*30`));
  });
});
