/** Picks units from a list by flags, and reports values that match nothing. */
import type { Report } from "../base/report.ts";
import { usageError } from "../base/errors.ts";
import { isGenericFueltech } from "../base/fueltechs.ts";
import { didYouMean, formatList, shortenTyped } from "../base/phrases.ts";
import { findNetwork, HOME_NETWORKS, MAX_CODES } from "../base/vocabulary.ts";
import { type Facility, listDistinct, listUnits, type PlacedUnit } from "../facilities/facility.ts";
import { type Namesakes, type PickKey, type Picks, pickUnits, type Unmatched } from "../facilities/pick.ts";
import { isComposite, type UnknownValue } from "../facilities/filter.ts";
import { type FetchValues, FETCH_FLAGS } from "../options/fetch-options.ts";
import { FILTER_FLAGS, PICK_FLAGS, PICK_OPTIONS } from "../options/list-options.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { PickedUnit } from "../query/query.ts";
import { explainValue, isKnownValue, rejectSearchWords } from "./filter-warnings.ts";

type PickOptions = Pick<FetchValues, "sandbox" | "baseUrl"> &
  Pick<UpkeepValues, "update"> &
  Pick<QueryValues, "allowUnknown">;

/**
 * Reports values that match nothing.
 * @throws {EntsError} usage: an unknown region, fueltech or status (an update only warns, as a value may have been
 * removed from the list), or a flag that has taken the words of a name.
 */
export function pickCodes(
  facilities: readonly Facility[],
  { picks, options }: { readonly picks: Picks; readonly options: PickOptions },
  report: Report,
): readonly PlacedUnit[] {
  const { units: placed, unmatched, guesses, namesakes, named, together } = pickUnits(facilities, picks);
  const describeWay = (_: object, words: readonly string[]) =>
    `to pick by name, use ${PICK_FLAGS.facility} ${quoteWords(facilities, picks.network, words)}`;
  const unknown = unmatched.filter((value): value is Unmatched & UnknownValue => value.key in FILTER_FLAGS);
  rejectSearchWords(unknown, { ...picks, network: undefined }, { facilities, describeWay });
  const nameless = unmatched.find(({ key }) => key === "facility");
  if (nameless && !options.allowUnknown && !options.update)
    throw refuseName(nameless, describeList("facilities", options));
  const strange = unknown.find(({ key, value }) => !isKnownValue(key, value) || isElsewhere(key, value, picks.network));
  if (strange && !options.allowUnknown && !options.update) throw usageError(explainValue(strange, facilities));
  const units = toPicked(placed);
  const nothing = `no ${picks.network} unit matches`;
  if (units.length === 0)
    report.note(
      `${nothing} ${describePicks(picks)}; nothing fetched`,
      ...listHints(unmatched),
      ...named.slice(0, MAX_NAMED).map(describeFound),
      `see '${describeList("facilities", options)}' and '${describeList("units", options)}' for all`,
    );
  else for (const value of unmatched) report.warn(describeUnmatched(value, nothing));
  for (const { text, facilities: used } of guesses)
    report.warn(`no facility matches ${quoteSearch(text)}; using ${nameFacilities(used)}`);
  for (const namesake of namesakes) report.note(...describeNamesakes(namesake, describeList("facilities", options)));
  if (together) report.note(describeTogether(together));
  for (const shared of findSharedUnits(facilities, units)) report.warn(shared);
  return placed;
}

export function toPicked(placed: readonly PlacedUnit[]): PickedUnit[] {
  return placed.map(({ facility, unit }) => ({ facility: facility.code, unit: unit.code }));
}

/** A name that no facility of the network has. */
function refuseName({ value, nearest, elsewhere = [] }: Unmatched, list: string): Error {
  const problem = describeUnmatched({ key: "facility", value, nearest: [], elsewhere }, "nothing matches");
  return usageError(problem, `see '${list}' for all`, { value, didYouMean: nearest });
}

/** True for a region of another network, and for a fueltech that hardly any unit has, as its group is meant. */
function isElsewhere(key: string, value: string, network: string): boolean {
  if (key === "fueltech") return isGenericFueltech(value.toLowerCase());
  const home = HOME_NETWORKS.get(value.toUpperCase());
  return (
    key === "networkRegion" &&
    home !== undefined &&
    home !== network &&
    findNetwork(network) !== undefined &&
    !isComposite(network)
  );
}

/** Describes unmatched values, unless the first line already says all of it. */
function listHints(unmatched: readonly Unmatched[]): string[] {
  const [only] = unmatched;
  const explained = unmatched.length === 1 && only?.nearest.length === 0 && !only.elsewhere?.length ? [] : unmatched;
  return explained.map((value) => describeUnmatched(value, "nothing matches"));
}

function describeUnmatched({ key, value, nearest, elsewhere = [] }: Unmatched, problem: string): string {
  const homes = listDistinct(elsewhere.map(({ network }) => network));
  const meant =
    homes.length > 0
      ? `; ${formatList(homes, "and")} ${homes.length > 1 ? "have" : "has"} ${nameFacilities(elsewhere)}`
      : didYouMean(nearest);
  return `${problem} ${FLAGS[key]} ${quoteSearch(value)}${meant}`;
}

/** Describes a facility that was found by name, but excluded by other flags. */
function describeFound({ code, name, region, units }: Facility): string {
  const facts = [region, ...units.flatMap(({ fueltech, status }) => [fueltech, status])];
  return `${name} (${code}): ${listDistinct(facts).join(", ")}`;
}

/** Quotes the words as one name if they match as one, else each separately. */
function quoteWords(facilities: readonly Facility[], network: string, words: readonly string[]): string {
  const name = words.join(" ");
  const { units, guesses } = pickUnits(facilities, { network, facility: [name] });
  return units.length > 0 && guesses.length === 0 ? quoteSearch(name) : words.map(quoteSearch).join(" ");
}

/**
 * Warnings about other units in the response: a request names facilities and units, but not which unit belongs to which
 * facility.
 */
function findSharedUnits(facilities: readonly Facility[], units: readonly PickedUnit[]): string[] {
  const picked = new Set(units.map(({ facility, unit }) => JSON.stringify([facility, unit])));
  const [homes, codes] = [new Set(units.map(({ facility }) => facility)), new Set(units.map(({ unit }) => unit))];
  return listUnits(facilities.filter(({ code }) => homes.has(code)))
    .filter(({ facility, unit }) => codes.has(unit.code) && !picked.has(JSON.stringify([facility.code, unit.code])))
    .map(({ facility, unit }) => `unit ${unit.code} also belongs to ${facility.code}, whose data may be included`);
}

/** `list`: the command that lists all codes. */
function describeNamesakes({ text, facilities, others }: Namesakes, list: string): [string, string] {
  const codes = [...facilities, ...others].map(({ code }) => code);
  return [
    `exact match for ${quoteSearch(text)}: ${nameFacilities(facilities)}; also similar: ${nameFacilities(others)}`,
    codes.length > MAX_CODES
      ? `see '${list}' for their codes`
      : `to get all of them, use ${PICK_FLAGS.facility} ${codes.join(" ")}`,
  ];
}

/** `Bayswater (BAYSW), Liddell (LIDDELL), 2 more` */
function nameFacilities(facilities: readonly Facility[]): string {
  const named = facilities.slice(0, MAX_NAMED).map(({ code, name }) => `${name} (${code})`);
  const rest = facilities.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function describeTogether(texts: readonly string[]): string {
  return `words of ${PICK_FLAGS.facility} are taken together: ${texts.map(quoteSearch).join(" ")}`;
}

const FLAGS: Readonly<Record<PickKey, string>> = {
  networkRegion: PICK_OPTIONS.networkRegion.short,
  fueltech: PICK_FLAGS.fueltech,
  status: PICK_FLAGS.status,
  facility: PICK_FLAGS.facility,
  facilityCode: QUERY_FLAGS.facilityCode,
  unitCode: QUERY_FLAGS.unitCode,
};

const MAX_NAMED = 3;

/** `-r SA1 --fueltech wind` */
function describePicks(picks: Picks): string {
  const used = (Object.keys(FLAGS) as PickKey[]).flatMap((key) => {
    const values = picks[key];
    if (!values) return [];
    const rest = values.length - MAX_NAMED;
    return `${FLAGS[key]} ${values.slice(0, MAX_NAMED).map(quoteSearch).join(" ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  });
  return used.join(" ");
}

function quoteSearch(value: string): string {
  const shown = shortenTyped(value);
  return /\s/.test(value) ? `"${shown}"` : shown;
}

/** The command that lists these for the same service: `ents list facilities --sandbox`. */
export function describeList(
  name: "facilities" | "units",
  { sandbox, baseUrl }: Pick<FetchValues, "sandbox" | "baseUrl">,
  network?: string,
): string {
  const service = [...(sandbox ? [FETCH_FLAGS.sandbox] : []), ...(baseUrl ? [FETCH_FLAGS.baseUrl, baseUrl.href] : [])];
  const own = network === undefined || isComposite(network) ? [] : [FILTER_FLAGS.network, network];
  return ["ents list", name, ...own, ...service].join(" ");
}
