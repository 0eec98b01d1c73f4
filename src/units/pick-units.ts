/** The units that flags pick from a list, as they are sent. */
import type { Surroundings } from "../base/report.ts";
import { usageError } from "../base/errors.ts";
import { didYouMean, formatCount, formatList } from "../base/phrases.ts";
import { MAX_CODES } from "../base/vocabulary.ts";
import { type Facility, listDistinct, listUnits } from "../codes/facility.ts";
import { type Guess, type Namesakes, type PickKey, type Picks, pickUnits, type Unmatched } from "../codes/pick.ts";
import { describeList } from "./list-command.ts";
import type { UnknownValue } from "../codes/filter.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { FILTER_FLAGS, PICK_FLAGS, PICK_OPTIONS } from "../options/list-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { PickedUnit } from "../query/query.ts";
import { refuseTaken } from "./filter-warnings.ts";

interface Picking {
  readonly picks: Picks;
  /** `batch`: whether they may take several requests. */
  readonly options: Pick<FetchValues, "sandbox" | "baseUrl"> & { readonly batch: boolean };
}

/** Tells the values that pick nothing. @throws {EntsError} usage: more units than one request takes; a flag has taken words of a name. */
export function pickCodes(
  facilities: readonly Facility[],
  { picks, options }: Picking,
  { report }: Pick<Surroundings, "report">,
): PickedUnit[] {
  const { units: placed, unmatched, guesses, namesakes, named, together } = pickUnits(facilities, picks);
  refuseTaken(
    unmatched.filter(isFilter),
    { ...picks, network: undefined },
    {
      facilities,
      describeWay: ({ words }) => `to pick by name, use ${PICK_FLAGS.facility} ${quoteWords(facilities, picks.network, words)}`,
    },
  );
  const units = placed.map(({ facility, unit }) => ({ facility: facility.code, unit: unit.code }));
  if (units.length > MAX_CODES && !options.batch) throw tooManyUnits(units, picks, together);
  if (units.length === 0)
    report.note(
      `no unit in ${picks.network} matches ${describePicks(picks)}; nothing is requested`,
      ...listHints(unmatched),
      ...named.slice(0, MAX_NAMED).map(describeFound),
      `see '${describeList("facilities", options)}' and '${describeList("units", options)}' for all`,
    );
  else for (const one of unmatched) report.warn(describeUnmatched(one, `no unit in ${picks.network}`));
  for (const guess of guesses) report.note(describeGuess(guess));
  for (const one of namesakes) report.note(...describeNamesakes(one, describeList("facilities", options)));
  if (together) report.note(describeTogether(together));
  for (const shared of findShared(facilities, units)) report.warn(shared);
  return units;
}

/** What the first line does not say. */
function listHints(unmatched: readonly Unmatched[]): string[] {
  const [only] = unmatched;
  const told = unmatched.length === 1 && only?.nearest.length === 0 && !only.elsewhere?.length ? [] : unmatched;
  return told.map((one) => describeUnmatched(one, "none"));
}

function describeUnmatched({ key, value, nearest, elsewhere = [] }: Unmatched, found: string): string {
  const homes = listDistinct(elsewhere.map(({ network }) => network));
  if (homes.length > 0)
    return `${FLAGS[key]} ${quote(value)} matches ${found}; in ${formatList(homes, "and")} it matches ${listNames(elsewhere)}`;
  return `${FLAGS[key]} ${quote(value)} matches ${found}${didYouMean(nearest)}`;
}

/** What other flags leave out. */
function describeFound({ code, name, region, units }: Facility): string {
  const facts = [region, ...units.flatMap(({ fueltech, status }) => [fueltech, status])];
  return `${name} (${code}): ${listDistinct(facts).join(", ")}`;
}

/** As one name, where there is one. */
function quoteWords(facilities: readonly Facility[], network: string, words: readonly string[]): string {
  const name = words.join(" ");
  const { units, guesses } = pickUnits(facilities, { network, facility: [name] });
  return units.length > 0 && guesses.length === 0 ? quote(name) : words.map(quote).join(" ");
}

function isFilter(one: Unmatched): one is Unmatched & UnknownValue {
  return one.key in FILTER_FLAGS;
}

/** A request names facilities and units, not the units of each. */
function findShared(facilities: readonly Facility[], units: readonly PickedUnit[]): string[] {
  const picked = new Set(units.map(({ facility, unit }) => JSON.stringify([facility, unit])));
  const [homes, codes] = [new Set(units.map(({ facility }) => facility)), new Set(units.map(({ unit }) => unit))];
  return listUnits(facilities.filter(({ code }) => homes.has(code)))
    .filter(({ facility, unit }) => codes.has(unit.code) && !picked.has(JSON.stringify([facility.code, unit.code])))
    .map(({ facility, unit }) => `unit ${unit.code} also belongs to ${facility.code}, whose data may be included`);
}

function describeGuess({ text, facilities }: Guess): string {
  return `no facility matches ${quote(text)}; using ${listNames(facilities)}`;
}

/** `list`: the command that has all codes. */
function describeNamesakes({ text, facilities, others }: Namesakes, list: string): [string, string] {
  const codes = [...facilities, ...others].map(({ code }) => code);
  return [
    `using only ${listNames(facilities)}, whose whole name or code is ${quote(text)}; others match too: ${listNames(others)}`,
    codes.length > MAX_CODES ? `see '${list}' for their codes` : `to get all of them, use ${PICK_FLAGS.facility} ${codes.join(" ")}`,
  ];
}

/** `Bayswater (BAYSW), Liddell (LIDDELL), 2 more` */
function listNames(facilities: readonly Facility[]): string {
  const named = facilities.slice(0, MAX_NAMED).map(({ code, name }) => `${name} (${code})`);
  const rest = facilities.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function describeTogether(texts: readonly string[]): string {
  return `each word is searched for separately; to search for a name of several words, quote it: ${PICK_FLAGS.facility} ${texts.map(quote).join(" ")}`;
}

function tooManyUnits(units: readonly PickedUnit[], picks: Picks, together: readonly string[] | undefined): Error {
  const facilities = new Set(units.map(({ facility }) => facility)).size;
  const amount = `${formatCount(units.length, "unit")} of ${formatCount(facilities, "facility", "facilities")}`;
  return usageError(
    `${describePicks(picks)}: ${amount} match; one request takes at most ${MAX_CODES} of each`,
    [...(together ? [describeTogether(together)] : []), `use ${QUERY_FLAGS.batch} to send them as several requests`].join("\n"),
  );
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
  const used = (Object.keys(FLAGS) as PickKey[]).flatMap((key) => (picks[key] ? [[FLAGS[key], picks[key]] as const] : []));
  return used
    .map(([flag, values]) => {
      const rest = values.length - MAX_NAMED;
      return `${flag} ${values.slice(0, MAX_NAMED).map(quote).join(" ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    })
    .join(" ");
}

function quote(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}
