/** Checks facility and unit codes against the list available without a request. */
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { type Facility, listUnits } from "../facilities/facility.ts";
import { isComposite } from "../facilities/filter.ts";
import { type CodeProblem, explainCodes } from "../facilities/unknown.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import { setCodes } from "../plan/request-path.ts";
import type { Query } from "../query/query.ts";
import type { Settings } from "../settings/settings.ts";
import { DAY } from "../time/local-time.ts";
import { CODE_FLAGS, describeOldList, readCodesWithoutRequest } from "./open-codes.ts";
import { describeLifetimes } from "./lifetimes.ts";
import { describeList, toPicked } from "./pick-units.ts";

interface WithCodes {
  readonly query: Query;
  readonly warnings: readonly string[];
  readonly options: FetchValues &
    Pick<UpkeepValues, "update"> &
    Pick<QueryValues, "facilityCode" | "unitCode" | "allowUnknown">;
  /** If set, `pickCodes` reports unknown codes, so they are not reported here. */
  readonly picks: unknown;
  readonly checksCodes?: boolean;
  readonly lifetimes?: readonly string[] | undefined;
}

/** Maximum age of a list that is relied on: a code missing from an older one may be new. */
const FRESH_MS = 7 * DAY;
/** Maximum messages shown after the first. */
const MAX_HINTS = 5;

/**
 * Corrects the case of known codes, and adds warnings about unknown ones that are sent. `checksCodes`: true if a list
 * is available. Makes no request.
 * @throws {EntsError} usage: an unknown code. An update only warns: a code may have been removed from the list.
 */
export async function checkListedCodes<T extends WithCodes>(
  coded: T,
  settings: Settings,
  context: Context,
): Promise<T> {
  const { options } = coded;
  const list = await readCodesWithoutRequest({ fetch: options, settings }, context);
  if (!list) return coded;
  const age = context.now() - list.receivedAt;
  const { network } = coded.query;
  const hasNetwork = isComposite(network) || list.facilities.some((facility) => facility.network === network);
  // A list from the future is of a clock that was ahead.
  const isFresh = age >= 0 && age <= FRESH_MS && hasNetwork;
  const spelled = isFresh ? spellCodes(coded, list.facilities) : coded;
  const { facilityCode: facility = [], unitCode: unit = [] } = spelled.options;
  const refuses = isFresh && !options.allowUnknown && !options.update;
  const how = { flags: CODE_FLAGS, fate: refuses ? undefined : "sent anyway" };
  const problems = explainCodes(list.facilities, { network, facility, unit }, how);
  const [first, ...others] = problems;
  if (refuses && first) throw refuseCodes(first, others, { ...options, network });
  const old = problems.length > 0 ? describeOldList(list, context.now()) : undefined;
  const warnings = coded.picks ? [] : [...problems.map(({ text }) => text), ...(old === undefined ? [] : [old])];
  const own = listUnits(list.facilities).filter(
    (placed) =>
      (spelled.options.facilityCode?.includes(placed.facility.code) ?? true) &&
      (spelled.options.unitCode?.includes(placed.unit.code) ?? true),
  );
  const lifetimes = describeLifetimes(own, coded.query.window);
  const { facilityCode, unitCode = [] } = spelled.options;
  // With its facility, a row has the label of its unit. An update goes on as it began, with a list or without.
  const isPlaced =
    !facilityCode && unitCode.length > 0 && own.length === unitCode.length && !coded.picks && !options.update;
  const units = toPicked(own);
  const query = isPlaced
    ? { ...spelled.query, units, parameters: setCodes(spelled.query.parameters, units) }
    : spelled.query;
  return { ...spelled, query, warnings: [...coded.warnings, ...warnings], checksCodes: true, lifetimes };
}

function refuseCodes(
  first: CodeProblem,
  others: readonly CodeProblem[],
  options: FetchValues & Pick<QueryValues, "unitCode"> & { readonly network: string },
): EntsError {
  const list = describeList(options.unitCode ? "units" : "facilities", options, options.network);
  const more = others.length - MAX_HINTS;
  const send = options.sandbox
    ? ""
    : `; for a new one, run 'ents list facilities --refresh', or use ${QUERY_FLAGS.allowUnknown}`;
  const rest = [...others.slice(0, MAX_HINTS).map(({ text }) => text), ...(more > 0 ? [`and ${more} more`] : [])];
  const hint = [...rest, `see '${list}' for all codes${send}`].join("\n");
  return new EntsError("usage", first.text, { hint, facts: first.facts });
}

/** Replaces codes that differ from the list only in case by those of the list. */
function spellCodes<T extends WithCodes>(coded: T, facilities: readonly Facility[]): T {
  const { query, options } = coded;
  const facilityCode = spell(
    options.facilityCode,
    facilities.map(({ code }) => code),
  );
  const unitCode = spell(
    options.unitCode,
    listUnits(facilities).map(({ unit }) => unit.code),
  );
  const spelled: Readonly<Record<string, readonly string[] | undefined>> = {
    facility_code: facilityCode,
    unit_code: unitCode,
  };
  const parameters = query.parameters.map((parameter) => ({
    ...parameter,
    values: spelled[parameter.name] ?? parameter.values,
  }));
  return { ...coded, query: { ...query, parameters }, options: { ...options, facilityCode, unitCode } };
}

function spell(codes: readonly string[] | undefined, known: readonly string[]): string[] | undefined {
  const exact = new Set(known);
  const byCase = new Map(known.map((code) => [code.toLowerCase(), code]));
  return (
    codes && [...new Set(codes.map((code) => (exact.has(code) ? code : (byCase.get(code.toLowerCase()) ?? code))))]
  );
}
