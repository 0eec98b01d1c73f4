/**
 * Checks regions, fueltechs and fueltech groups against those of the public service. v4 lists none, so --allow-unknown
 * sends any.
 */
import { type ErrorDetails, usageError } from "../base/errors.ts";
import { EMPTY_GROUPS, FUELTECH_GROUPS, FUELTECHS, hasNoData, isGenericFueltech } from "../base/fueltechs.ts";
import { findNearest } from "../base/nearest.ts";
import { didYouMean } from "../base/phrases.ts";
import { type CommandName, findNetwork, findNetworkCode, findRegion, HOME_NETWORKS } from "../base/vocabulary.ts";
import { findFueltechs, findRegions, listMembers } from "../facilities/filter.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";
import { findValues, type Parameter } from "./parameters.ts";

type CodeKey = "networkRegion" | "fueltech" | "fueltechGroup";

type CodeValues = Pick<QueryValues, CodeKey | "allowUnknown">;

interface UnknownCode {
  readonly message: string;
  readonly meant: readonly string[];
  /** The service knows the code but has no data for it. */
  readonly isKnown?: true;
}

/**
 * Returns the values with known codes in the service's spelling, and warnings about codes that are unknown or have no
 * data.
 * @throws {EntsError} usage: an unknown code for a network that ents knows.
 */
export function checkCodes<T extends CodeValues>(
  values: T,
  command: CommandName,
  network: string,
): { readonly values: T; readonly warnings: string[] } {
  const isKnownNetwork = findNetwork(network) !== undefined;
  const spelled: { [K in CodeKey]?: string[] } = {};
  const warnings: string[] = [];
  for (const key of Object.keys(KINDS) as CodeKey[]) {
    const { known, list, explain } = KINDS[key];
    const own = isKnownNetwork ? known(network) : [];
    const codes = values[key]?.map((code) => own.find((spelling) => isSameCode(spelling, code)) ?? code);
    if (codes) spelled[key] = [...new Set(codes)];
    // Several regions are not sent, but picked from the responses.
    const isSent = key !== "networkRegion" || codes?.length === 1;
    for (const code of codes ?? []) {
      const problem = explain(code, { command, network });
      if (problem === undefined) continue;
      if (isKnownNetwork && !values.allowUnknown && !problem.isKnown)
        throw refuseCode(problem, { value: code, list, allowed: own });
      warnings.push(
        `${problem.message}${problem.isKnown || !isSent ? "" : " (sent anyway)"}${didYouMean(problem.meant)}`,
      );
    }
  }
  return { values: { ...values, ...spelled }, warnings };
}

function refuseCode(
  { message, meant }: UnknownCode,
  { list, ...facts }: { readonly list: string } & ErrorDetails,
): Error {
  const send = meant.length === 0 ? `\nuse ${QUERY_FLAGS.allowUnknown} to send it anyway` : "";
  return usageError(message, `see '${list}' for all${send}`, { ...facts, didYouMean: meant });
}

const KINDS = {
  networkRegion: { known: listRegions, list: "ents list regions", explain: explainRegion },
  fueltech: { known: () => FUELTECHS, list: "ents list fueltechs", explain: explainFueltech },
  fueltechGroup: { known: () => FUELTECH_GROUPS, list: "ents list fueltechs", explain: explainGroup },
} as const;

function isSameCode(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function listRegions(network: string): readonly string[] {
  return findNetwork(network)?.regions ?? [];
}

/** Undefined for a region of the network, or if its regions are unknown. */
function explainRegion(
  value: string,
  { command, network }: { readonly command: string; readonly network: string },
): UnknownCode | undefined {
  const regions = listRegions(network);
  if (regions.length === 0 || regions.includes(value)) return undefined;
  const [whole, region = ""] = [findNetworkCode(value), findRegion(value)];
  const own = [whole, region].find((code) => code !== undefined && regions.includes(code));
  const home = whole ?? HOME_NETWORKS.get(region);
  if (own !== undefined || home === network) return unknown("region", value, own === undefined ? [] : [own]);
  const line = home && `'ents ${command} ${home}${whole === undefined ? ` -r ${region}` : ""}'`;
  if (line) return { message: `${value} is not a region of ${network}`, meant: [line] };
  return unknown("region", value, findRegions(value, regions));
}

function explainFueltech(value: string): UnknownCode | undefined {
  const isKnown = FUELTECHS.includes(value);
  if (isKnown && hasNoData(value))
    return {
      message: `the public service leaves out the data of fueltech ${value}, which has no group`,
      meant: [],
      isKnown,
    };
  if (isKnown && !isGenericFueltech(value)) return undefined;
  const nearest = findFueltechs(value, FUELTECHS);
  const groups =
    nearest.length === 0
      ? findNearest(value, FUELTECH_GROUPS)
      : FUELTECH_GROUPS.filter((group) => isSameCode(group, value));
  const others = groups
    .filter((group) => !nearest.includes(group))
    .map((group) => `${QUERY_FLAGS.fueltechGroup} ${group}`);
  const meant = [...nearest, ...others];
  return isKnown ? { message: `almost no unit has fueltech ${value}`, meant } : unknown("fueltech", value, meant);
}

function explainGroup(value: string): UnknownCode | undefined {
  if (FUELTECH_GROUPS.includes(value)) return undefined;
  if (isEmptyGroup(value))
    return {
      message: `fueltech group ${value} is empty: its fueltechs are grouped as ${EMPTY_GROUPS[value]}`,
      meant: [],
      isKnown: true,
    };
  const flag = FUELTECHS.includes(value) ? [`${QUERY_FLAGS.fueltech} ${value}`] : [];
  return unknown("fueltech group", value, flag.length > 0 ? flag : findNearest(value, FUELTECH_GROUPS));
}

function isEmptyGroup(value: string): value is keyof typeof EMPTY_GROUPS {
  return Object.hasOwn(EMPTY_GROUPS, value);
}

function unknown(kind: string, value: string, meant: readonly string[]): UnknownCode {
  return { message: `unknown ${kind} "${value}"`, meant };
}

/** Warns that a filter overrides the requested secondary grouping, as on the public service. */
export function warnOfForcedGrouping(query: { readonly parameters: readonly Parameter[] }): string[] {
  const grouping = findValues(query, "secondary_grouping")?.[0];
  const filter = query.parameters.find(({ name }) => name === "fueltech" || name === "fueltech_group");
  if (grouping === undefined || filter === undefined || grouping === filter.name) return [];
  const flag = filter.name === "fueltech" ? QUERY_FLAGS.fueltech : QUERY_FLAGS.fueltechGroup;
  const members = grouping === "fueltech" ? listMembers(filter.values) : [];
  const use = members.length > 0 ? `; use ${QUERY_FLAGS.fueltech} ${members.join(" ")}` : `; leave out ${flag}`;
  return [
    `with ${flag}, the public service groups by ${filter.name}, not by ${grouping}${use} to have it by ${grouping}`,
  ];
}
