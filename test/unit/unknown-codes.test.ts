/** Regions and fueltechs that the public service does not have, and groupings that it does not make: told, and sent all the same. */
import { describe, expect, test } from "vitest";
import type { QueryInput } from "../../src/options/query-options.ts";
import { buildQuery } from "../../src/query/query.ts";
import { FUELTECH_GROUPS, FUELTECHS } from "../../src/base/fueltechs.ts";
import { NETWORKS } from "../../src/base/vocabulary.ts";

function warnings(input: QueryInput, network = "NEM"): readonly string[] {
  const { query, warnings: told } = buildQuery({ command: "network", network, input: { metrics: ["power"], ...input }, now: 0 });
  const { networkRegion, fueltech = [], fueltechGroup = [] } = input;
  const given = [...(networkRegion === undefined ? [] : [networkRegion]), ...fueltech, ...fueltechGroup];
  const sent = query.parameters.filter(({ name }) => /region|^fueltech/.test(name)).flatMap(({ values }) => values);
  expect(sent).toEqual(given);
  return told;
}

test.each([
  ["SA", "SA1"],
  ["nsw1", "NSW1"],
  ["nsw", "NSW1"],
  ["Victoria", "VIC1"],
  ["tas", "TAS1"],
  ["south", "NSW1 or SA1"],
  ["South Australia", "SA1"],
])("region %s: did you mean %s?", (networkRegion, meant) => {
  expect(warnings({ networkRegion })).toEqual([`unknown region "${networkRegion}" (sent anyway); did you mean ${meant}?`]);
});

test("a region that is like none, or another network's", () => {
  expect(warnings({ networkRegion: "Auckland" })).toEqual(['unknown region "Auckland" (sent anyway)']);
  expect(warnings({ networkRegion: "NSW1" }, "WEM")).toEqual(["NSW1 is a region of NEM, not of WEM (sent anyway)"]);
  expect(warnings({ networkRegion: "WEM" }, "NEM")).toEqual(["WEM is a region of WEM, not of NEM (sent anyway)"]);
  expect(warnings({ networkRegion: "WA" }, "AU")).toEqual(['unknown region "WA" (sent anyway); did you mean WEM?']);
});

test.each([
  [["Solar"], "solar_rooftop, solar_thermal, solar_utility or --fueltech-group solar"],
  [["coal"], "coal_black, coal_brown or --fueltech-group coal"],
  [["Wind"], "wind"],
  [["coal_blak"], "coal_black"],
  [["rooftop"], "solar_rooftop"],
  [["cola"], "--fueltech-group coal"],
])("fueltech %j: did you mean %s?", (fueltech, meant) => {
  expect(warnings({ fueltech })).toEqual([`unknown fueltech "${fueltech[0]}" (sent anyway); did you mean ${meant}?`]);
});

test("solar is a fueltech of hardly any unit: the finer ones and the group are named", () => {
  expect(warnings({ fueltech: ["solar"] })).toEqual([
    "hardly any unit has fueltech solar; did you mean solar_rooftop, solar_thermal, solar_utility or --fueltech-group solar?",
  ]);
});

test("fueltechs without a group have no data, and that is told of no other", () => {
  const told = FUELTECHS.filter((code) => code !== "solar" && warnings({ fueltech: [code] }).length > 0);
  expect(told).toEqual(["nuclear", "other", "imports", "exports", "interconnector", "aggregator_vpp", "aggregator_dr"]);
  expect(warnings({ fueltech: ["imports"] })).toEqual(["the public service leaves out the data of fueltech imports, which has no group"]);
});

test("biomass is a group of no fueltech: the group that has them is named", () => {
  const told = "fueltech group biomass is empty: its fueltechs are grouped as bioenergy";
  expect(warnings({ fueltechGroup: ["biomass", "coal"] })).toEqual([told]);
});

test.each([
  ["solar_utility", "--fueltech solar_utility"],
  ["Solar", "solar"],
  ["hydor", "hydro"],
])("fueltech group %s: did you mean %s?", (group, meant) => {
  expect(warnings({ fueltechGroup: [group] })).toEqual([`unknown fueltech group "${group}" (sent anyway); did you mean ${meant}?`]);
});

test("what is known is not told, nor a region where none are known", () => {
  for (const [network, { regions }] of Object.entries(NETWORKS))
    for (const networkRegion of regions) expect(warnings({ networkRegion }, network)).toEqual([]);
  expect(warnings({ networkRegion: "R1" }, "XYZ")).toEqual([]);
  expect(warnings({ fueltechGroup: [...FUELTECH_GROUPS] })).toEqual([]);
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
