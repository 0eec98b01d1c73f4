/** Regions and fueltechs that the public service does not have, and groupings that it does not offer. */
import { describe, expect, test } from "vitest";
import { EntsError } from "../../src/base/errors.ts";
import { FUELTECHS } from "../../src/base/fueltechs.ts";
import type { QueryInput } from "../../src/options/query-options.ts";
import { buildQuery } from "../../src/query/build-query.ts";

function build(input: QueryInput, network: string) {
  return buildQuery({ command: "network", network, input: { metrics: ["power"], ...input }, now: 0 });
}

function sentCodes({ parameters }: ReturnType<typeof build>["query"]): readonly string[] {
  return parameters.filter(({ name }) => /region|^fueltech/.test(name)).flatMap(({ values }) => values);
}

/** The warnings if everything is sent. */
function warnings(input: QueryInput, network = "NEM"): readonly string[] {
  const { query, warnings: told } = build(input, network);
  const { networkRegion = [], fueltech = [], fueltechGroup = [] } = input;
  expect(sentCodes(query)).toEqual([...networkRegion, ...fueltech, ...fueltechGroup]);
  return told;
}

/** The message and hint of a refusal; with --allow-unknown, the warning has the same words. */
function refusal(input: QueryInput, network = "NEM"): string {
  const [warning = ""] = warnings({ ...input, allowUnknown: true }, network);
  // Several regions are picked from the responses.
  expect(warning.includes("(sent anyway)")).toBe((input.networkRegion ?? []).length < 2);
  try {
    build(input, network);
  } catch (error) {
    if (
      !(error instanceof EntsError) ||
      error.kind !== "usage" ||
      error.message !== warning.replace(" (sent anyway)", "")
    )
      throw error;
    return [error.message, error.hint].join("\n");
  }
  throw new Error("it was sent");
}

const [REGIONS, ALL_FUELTECHS] = ["\nsee 'ents list regions' for all", "\nsee 'ents list fueltechs' for all"];
test.each([
  ["SA", "SA1"],
  ["nsw", "NSW1"],
  ["Victoria", "VIC1"],
  ["tas", "TAS1"],
  ["south", "NSW1 or SA1"],
  ["South Australia", "SA1"],
])("region %s: did you mean %s?", (region, meant) => {
  expect(refusal({ networkRegion: [region] })).toBe(`unknown region "${region}"; did you mean ${meant}?${REGIONS}`);
});

test("a known code in any case is sent as the service spells it", () => {
  const input = { networkRegion: ["nsw1"], fueltech: ["Wind", "wind", "COAL_BLACK"], fueltechGroup: ["Solar"] };
  const { query, warnings: told } = build(input, "NEM");
  expect({ sent: sentCodes(query), told }).toEqual({ sent: ["NSW1", "wind", "coal_black", "solar"], told: [] });
  expect(sentCodes(build({ networkRegion: ["nsw1"] }, "XYZ").query)).toEqual(["nsw1"]);
});

test.each([
  ["coal", "coal_black, coal_brown or --fueltech-group coal"],
  ["coal_blak", "coal_black"],
  ["rooftop", "solar_rooftop"],
  ["cola", "--fueltech-group coal"],
])("fueltech %s: did you mean %s?", (code, meant) => {
  expect(refusal({ fueltech: ["wind", code] })).toBe(
    `unknown fueltech "${code}"; did you mean ${meant}?${ALL_FUELTECHS}`,
  );
});

test("hardly any unit has the fueltech solar: the finer ones and the group are suggested", () => {
  const message =
    "almost no unit has fueltech solar; did you mean solar_rooftop, solar_thermal, solar_utility or --fueltech-group solar?";
  expect(refusal({ fueltech: ["solar"] })).toBe(`${message}${ALL_FUELTECHS}`);
});

test("fueltechs without a group have no data, and only those are reported", () => {
  const told = FUELTECHS.filter((code) => code !== "solar" && warnings({ fueltech: [code] }).length > 0);
  expect(told).toEqual(["nuclear", "other", "imports", "exports", "interconnector", "aggregator_vpp", "aggregator_dr"]);
  expect(warnings({ fueltech: ["imports"] })).toEqual([
    "the public service leaves out the data of fueltech imports, which has no group",
  ]);
});

test("the group biomass is empty: the right group is suggested", () => {
  const told = "fueltech group biomass is empty: its fueltechs are grouped as bioenergy";
  expect(warnings({ fueltechGroup: ["biomass", "coal"] })).toEqual([told]);
});

test.each([
  ["solar_utility", "--fueltech solar_utility"],
  ["hydor", "hydro"],
])("fueltech group %s: did you mean %s?", (group, meant) => {
  expect(refusal({ fueltechGroup: [group] })).toBe(
    `unknown fueltech group "${group}"; did you mean ${meant}?${ALL_FUELTECHS}`,
  );
});

test("several regions are picked from the responses: by region, whatever else groups", () => {
  const several = { networkRegion: ["NSW1", "vic1"] };
  const parametersOf = (input: QueryInput) => build({ ...several, ...input }, "NEM").query.parameters.slice(1);
  const regions = { name: "network_region", values: ["NSW1", "VIC1"] };
  const byRegion = { name: "primary_grouping", values: ["network_region"] };
  expect(parametersOf({})).toEqual([regions, byRegion]);
  expect(parametersOf({ groupBy: ["region"] })).toEqual([regions, byRegion]);
  expect(parametersOf({ groupBy: ["fueltech"] })).toEqual([
    regions,
    byRegion,
    { name: "secondary_grouping", values: ["fueltech"] },
  ]);
  expect(build({ networkRegion: ["nsw1", "NSW1"] }, "NEM").query.parameters.slice(1)).toEqual([
    { ...regions, values: ["NSW1"] },
  ]);
  for (const input of [{ groupBy: ["network"] }, { primaryGrouping: "network" }])
    expect(() => parametersOf(input)).toThrow("-r with several regions groups by region, not by network");
});

describe("a filter that sets the grouping", () => {
  test.each<[QueryInput, string]>([
    [
      { fueltechGroup: ["coal", "hydro"], secondaryGrouping: "fueltech" },
      "with --fueltech-group, the public service groups by fueltech_group, not by fueltech; use --fueltech coal_black coal_brown hydro hydro_and_storage to have it by fueltech",
    ],
    [
      { fueltechGroup: ["solar"], groupBy: ["status"] },
      "with --fueltech-group, the public service groups by fueltech_group, not by status; leave out --fueltech-group to have it by status",
    ],
    [
      { fueltech: ["wind"], groupBy: ["fueltech_group"] },
      "with --fueltech, the public service groups by fueltech, not by fueltech_group; leave out --fueltech to have it by fueltech_group",
    ],
  ])("%j", (input, warning) => {
    expect(warnings(input)).toEqual([warning]);
  });

  test.each<QueryInput>([
    { fueltech: ["wind"], groupBy: ["fueltech"] },
    { fueltechGroup: ["wind"], groupBy: ["region", "fueltech_group"] },
    { fueltechGroup: ["wind"] },
    { groupBy: ["status"] },
  ])("%j is as asked", (input) => {
    expect(warnings(input)).toEqual([]);
  });
});
