/** Codes that ents does not know, and filters that set a grouping: warned about, and still sent. v4.md lists no codes. */
import { didYouMean, findNearest } from "../base/phrases.ts";
import { EMPTY_GROUPS, FUELTECH_GROUPS, FUELTECHS, hasNoData, isGenericFueltech } from "../base/fueltechs.ts";
import { findNetwork, HOME_NETWORKS } from "../base/vocabulary.ts";
import { findFueltechs, findRegions, listMembers } from "../codes/nearest.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";

interface CodesQuery {
  readonly network: string;
  readonly parameters: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Regions, fueltechs and their groups that the public service does not have, with the nearest ones. */
export function warnOfUnknownCodes({ network, parameters }: CodesQuery): string[] {
  const explain: Readonly<Record<string, (value: string) => string | undefined>> = {
    network_region: (value) => explainRegion(value, network),
    fueltech: explainFueltech,
    fueltech_group: explainGroup,
  };
  return parameters.flatMap(({ name, values }) => values.flatMap((value) => explain[name]?.(value) ?? []));
}

/** Undefined for a region of the network, or where its regions are not known. */
function explainRegion(value: string, network: string): string | undefined {
  const regions = findNetwork(network)?.regions ?? [];
  if (regions.length === 0 || regions.includes(value)) return undefined;
  const home = HOME_NETWORKS.get(value);
  if (home !== undefined) return `${value} is a region of ${home}, not of ${network} (sent anyway)`;
  return unknown("region", value, findRegions(value, regions));
}

function explainFueltech(value: string): string | undefined {
  const isKnown = FUELTECHS.includes(value);
  if (isKnown && hasNoData(value)) return `the public service leaves out the data of fueltech ${value}, which has no group`;
  if (isKnown && !isGenericFueltech(value)) return undefined;
  const nearest = findFueltechs(value, FUELTECHS);
  const groups =
    nearest.length === 0 ? findNearest(value, FUELTECH_GROUPS) : FUELTECH_GROUPS.filter((group) => group === value.toLowerCase());
  const others = groups.filter((group) => !nearest.includes(group)).map((group) => `${QUERY_FLAGS.fueltechGroup} ${group}`);
  const meant = [...nearest, ...others];
  return isKnown ? `hardly any unit has fueltech ${value}${didYouMean(meant)}` : unknown("fueltech", value, meant);
}

function explainGroup(value: string): string | undefined {
  if (FUELTECH_GROUPS.includes(value)) return undefined;
  if (isEmptyGroup(value)) return `fueltech group ${value} is empty: its fueltechs are grouped as ${EMPTY_GROUPS[value]}`;
  const flag = FUELTECHS.includes(value) ? [`${QUERY_FLAGS.fueltech} ${value}`] : [];
  return unknown("fueltech group", value, flag.length > 0 ? flag : findNearest(value, FUELTECH_GROUPS));
}

function isEmptyGroup(value: string): value is keyof typeof EMPTY_GROUPS {
  return Object.hasOwn(EMPTY_GROUPS, value);
}

function unknown(kind: string, value: string, nearest: readonly string[]): string {
  return `unknown ${kind} "${value}" (sent anyway)${didYouMean(nearest)}`;
}

/** A filter sets the secondary grouping, whatever was asked (in-practice.md, The TimeSeries item). */
export function warnOfForcedGrouping({ parameters }: CodesQuery): string[] {
  const asked = parameters.find(({ name }) => name === "secondary_grouping")?.values[0];
  const filter = parameters.find(({ name }) => name === "fueltech" || name === "fueltech_group");
  if (asked === undefined || filter === undefined || asked === filter.name) return [];
  const flag = filter.name === "fueltech" ? QUERY_FLAGS.fueltech : QUERY_FLAGS.fueltechGroup;
  const members = asked === "fueltech" ? listMembers(filter.values) : [];
  const use = members.length > 0 ? `; use ${QUERY_FLAGS.fueltech} ${members.join(" ")}` : `; leave out ${flag}`;
  return [`with ${flag}, the public service groups by ${filter.name}, not by ${asked}${use} to have it by ${asked}`];
}
