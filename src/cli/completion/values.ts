/** The values of flags and arguments. */
import { FUELTECH_GROUPS, FUELTECHS, isGenericFueltech } from "../../base/fueltechs.ts";
import { findNetwork, HOME_NETWORKS, type MetricFacts, METRICS, NETWORKS, STATUSES, UNIT_LABEL } from "../../base/vocabulary.ts";
import { supportsFlag } from "../../format/name-formats.ts";
import type { OptionSpec, ValueKind } from "../../options/spec.ts";
import { CONFIG_KEYS } from "../../settings/config-keys.ts";
import type { Suggestion, CompletionContext } from "./candidate.ts";
import { type TypedLine, listGiven } from "./line.ts";

/** The choices of a flag or an argument, or the values of its kind. */
export async function listValues(
  { kind, choices = [], offered = choices, suggestions = [] }: Pick<OptionSpec, "kind" | "choices" | "offered" | "suggestions">,
  line: TypedLine,
  around: CompletionContext,
): Promise<Suggestion[]> {
  const values = kind ? await VALUES[kind](line, around) : toCandidates(offered);
  return [...toCandidates(suggestions), ...values];
}

/** Most words need no list. */
const importCodes = () => import("./codes.ts");

type Values = readonly Suggestion[] | Promise<readonly Suggestion[]>;

const VALUES: Readonly<Record<ValueKind, (line: TypedLine, around: CompletionContext) => Values>> = {
  facility: async (line, around) => (await importCodes()).listFacilityCodes(line, around),
  // As the word says: files.ts.
  file: () => [],
  format: listFormats,
  fueltech: () => toCandidates(FUELTECHS.filter((code) => !isGenericFueltech(code))),
  "fueltech group": () => toCandidates(FUELTECH_GROUPS),
  label: ({ level: { table } }) => toCandidates(table["groupBy"]?.choices ?? [UNIT_LABEL]),
  metric: listMetrics,
  network: () => Object.entries(NETWORKS).map(([value, { regions }]) => ({ value, help: regions.join(" ") })),
  region: listRegions,
  setting: ({ arguments: [key = ""] }) => toCandidates(CONFIG_KEYS[key]?.suggestions ?? []),
  status: () => toCandidates(STATUSES),
  "time zone": () => toCandidates(Intl.supportedValuesOf("timeZone")),
  unit: async (line, around) => (await importCodes()).listUnitCodes(line, around),
};

function toCandidates(values: readonly string[]): Suggestion[] {
  return values.map((value) => ({ value }));
}

/** The formats that the flags on the line work with. */
function listFormats({ level: { table }, values }: TypedLine): Suggestion[] {
  const { choices = [], offered = choices } = table["format"] ?? {};
  return toCandidates(offered.filter((name) => Object.keys(values).every((key) => supportsFlag(name, key, values))));
}

/** The metrics that the public service offers by the command. */
function listMetrics({ level: { name: command } }: TypedLine): Suggestion[] {
  return Object.entries<MetricFacts>(METRICS)
    .filter(([, { offeredBy }]) => offeredBy.some((name) => name === command))
    .map(([value, { meaning, unit }]) => ({ value, help: `${meaning} (${unit})` }));
}

/** The regions of the networks on the line, or of all. */
function listRegions(line: TypedLine): Suggestion[] {
  const networks = listGiven("network", line).map((code) => findNetwork(code.toUpperCase()));
  const chosen = [...HOME_NETWORKS].filter(([region]) => networks.length === 0 || networks.some((one) => one?.regions.includes(region)));
  const isOneNetwork = new Set(chosen.map(([, home]) => home)).size === 1;
  return chosen.map(([value, home]) => ({ value, help: isOneNetwork ? undefined : home }));
}
