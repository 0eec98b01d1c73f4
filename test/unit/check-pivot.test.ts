/**
 * `--pivot` is checked before any request: a label that the series cannot have is refused, and the message names the
 * flag that adds it.
 */
import { describe, expect, test } from "vitest";
import type { CommandName } from "../../src/base/vocabulary.ts";
import type { QueryInput } from "../../src/options/query-options.ts";
import { checkPivot } from "../../src/query/checks.ts";
import { buildQuery } from "../../src/query/build-query.ts";

function check(command: CommandName, label: string, input: QueryInput): void {
  const metrics = [command === "market" ? "price" : "power"];
  checkPivot(label, buildQuery({ command, network: "NEM", input: { metrics, ...input }, now: 0 }).query);
}

describe("accepted", () => {
  test.each<[CommandName, string, QueryInput]>([
    ["network", "fueltech", { groupBy: ["region", "fueltech"] }],
    ["network", "fueltech_group", { fueltechGroup: ["coal"] }],
    ["network", "region", { networkRegion: ["NSW1"] }],
    ["network", "region", { metrics: ["emissions_intensity"], groupBy: ["region"] }],
    ["market", "region", { primaryGrouping: "network_region" }],
    ["facilities", "unit_code", { facilityCode: ["BAYSW"] }],
    ["facilities", "unit_code", { facilityCode: ["BAYSW"], unitCode: ["BW01"] }],
  ])("%s by %s of %j", (...asked) => {
    expect(() => check(...asked)).not.toThrow();
  });
});

describe("refused", () => {
  test.each<[command: CommandName, label: string, input: QueryInput, message: string, hint: string]>([
    ["network", "fueltech", {}, "--pivot fueltech needs series by fueltech", "add --group-by fueltech"],
    [
      "network",
      "fueltech",
      { metrics: ["emissions_intensity"], groupBy: ["region"] },
      "--pivot fueltech needs series by fueltech",
      "add --group-by fueltech",
    ],
    [
      "network",
      "fueltech",
      { groupBy: ["status"] },
      "--pivot fueltech needs series by fueltech; these are by status",
      "use --group-by fueltech, or --pivot status",
    ],
    ["market", "fueltech", { groupBy: ["region"] }, "'ents market' has no series by fueltech", "use region"],
    [
      "network",
      "unit_code",
      {},
      "'ents network' has no series by unit_code",
      "use region, fueltech, fueltech_group, status or renewable",
    ],
    ["market", "regio", {}, 'unknown label "regio" for --pivot; did you mean region?', "use region"],
  ])("%s by %s of %j", (...[command, label, input, message, hint]) => {
    expect(() => check(command, label, input)).toThrow(
      expect.objectContaining({ kind: "usage", message, hint }) as Error,
    );
  });
});
