/** Applies the list of units to an export: adds the codes that its flags pick, and the columns of `--with`. */
import type { Report, Surroundings } from "../base/report.ts";
import { EntsError, messageOf, usageError } from "../base/errors.ts";
import { toJsonText } from "../base/json.ts";
import { type Facility, listUnits } from "../facilities/facility.ts";
import { OUTPUT_FLAGS } from "../format/output-options.ts";
import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";
import { setCodes } from "../plan/request-path.ts";
import type { FormatValues } from "../format/flags.ts";
import type { FormatOptions } from "../format/format.ts";
import type { UnitFacts } from "../series/fuels.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { PickValues } from "../options/list-options.ts";
import type { Query } from "../query/query.ts";
import type { Settings } from "../settings/settings.ts";
import { readCodesWithoutRequest, describeOldList, loadCodes } from "./open-codes.ts";
import type { CodeList } from "./stored-codes.ts";
import { type Computation, type Fleet, needsUnits } from "../query/computation.ts";
import { describeLifetimes } from "./lifetimes.ts";
import { describeList, pickCodes, toPicked } from "./pick-units.ts";
import { groupBy } from "../base/group-by.ts";
import { listGroupLabels, UNIT_GROUPS, UNIT_LABEL } from "../base/vocabulary.ts";
import { createFleet, listShared } from "./create-fleet.ts";
import { tabulateSum, tabulateUnits, typeOfColumn } from "../facilities/tables.ts";
import type { Join, LayoutOptions } from "../series/layout/layout.ts";
import type { Label, Labels } from "../series/time-series.ts";

/** The parts of an export that the list may change: its query and its columns. */
interface Wanted {
  readonly query: Query;
  readonly output: { readonly layout: LayoutOptions; readonly formatOptions: Pick<FormatOptions, "units"> };
  readonly options: FetchValues &
    Pick<FormatValues, "with"> &
    Pick<UpkeepValues, "update"> &
    Pick<QueryValues, "facilityCode" | "unitCode" | "batch" | "allowUnknown">;
  readonly picks: PickValues | undefined;
  readonly lifetimes?: readonly string[] | undefined;
}

/**
 * @throws {EntsError} usage: those of `pickCodes`, or a dry run without a list; if units are needed, or in an update,
 * no usable list.
 */
export async function applyList<T extends Wanted>(
  coded: T,
  settings: Settings,
  surroundings: Surroundings,
): Promise<T> {
  const { query, options } = coded;
  const { with: columns, dryRun, facilityCode, unitCode } = options;
  // Without the codes of their facilities, the rows of units cannot be told apart.
  const picks = coded.picks ?? (needsUnits(query.computation) && !facilityCode ? {} : undefined);
  // A plan shows neither columns nor values.
  if (!picks && dryRun) return coded;
  // Without a list, an update fails: it must not empty the columns of an existing file.
  const finding = findListWithUnits(options, settings, surroundings);
  const isRequired = picks !== undefined || options.update || needsUnits(query.computation);
  const list = await (isRequired
    ? finding
    : finding.catch((error) => warnWithoutList(error, columns !== undefined, surroundings.report)));
  const picked = picks && { network: query.network, ...picks, facilityCode, unitCode };
  const placed = picked && pickCodes(list.facilities, { picks: picked, options }, surroundings.report);
  const units = placed && toPicked(placed);
  const own = units ? { ...query, units, parameters: setCodes(query.parameters, units) } : query;
  const requested = units?.map(({ facility }) => facility) ?? facilityCode ?? [];
  return addFacts(
    { ...coded, query: own, ...(placed ? { lifetimes: describeLifetimes(placed, query.window) } : {}) },
    { list, requested, warn: surroundings.report.warn },
  );
}

/**
 * Adds the units of a stored list, whatever its age, and their columns. Makes no request. @throws {EntsError} usage: it
 * is needed, and there is none.
 */
export async function addKnownUnits<T extends Omit<Wanted, "picks">>(
  coded: T,
  settings: Settings,
  { context, report }: Surroundings,
): Promise<T> {
  const { query, options } = coded;
  const list = await readCodesWithoutRequest({ fetch: options, settings }, context);
  if (!list && needsUnits(query.computation)) throw refuseNoList(options);
  if (options.with && !list) warnWithoutList(refuseNoList(options), true, report);
  return addFacts(coded, { list, requested: options.facilityCode ?? [], warn: report.warn });
}

interface ListedFacts extends Pick<Surroundings["report"], "warn"> {
  readonly list: CodeList | undefined;
  /** The codes of facilities that were asked for. */
  readonly requested: readonly string[];
}

/** Adds what the list says of units: the columns of `--with`, fueltechs for pictures, and facts to compute with. */
function addFacts<T extends Omit<Wanted, "picks">>(coded: T, { list, requested, warn }: ListedFacts): T {
  const { query, output, options } = coded;
  const { network, computation } = query;
  const { facilities = [] } = list ?? {};
  const fleet = computation && list && createFleet(list, { ...query, computation }, query.units);
  const join =
    options.with &&
    (fleet && computation?.groups
      ? createSumJoin(facilities, options.with, { ...computation, fleet })
      : createJoin(facilities, { columns: options.with, network, requested }));
  if (fleet && computation?.groups) for (const text of listShared(fleet, facilities)) warn(text);
  return {
    ...coded,
    query: fleet ? { ...query, computation: { ...computation, fleet } } : query,
    output: {
      ...output,
      layout: join ? { ...output.layout, join } : output.layout,
      formatOptions: { ...output.formatOptions, units: list && mapUnits(facilities, network) },
    },
  };
}

function mapUnits(facilities: readonly Facility[], network: string): UnitFacts {
  const own = facilities.filter((facility) => facility.network === network || network === "AU");
  return new Map(
    listUnits(own).map(({ facility, unit }) => [
      unit.code,
      { facility: facility.code, facilityName: facility.name, fueltech: unit.fueltech, region: facility.region },
    ]),
  );
}

/** Rejects a list without units: it is a fault of the service, and no flag could match. */
async function findListWithUnits(
  fetch: FetchValues,
  settings: Settings,
  surroundings: Surroundings,
): Promise<CodeList> {
  const list = await findCodeList(fetch, settings, surroundings);
  if (list.facilities.some(({ units }) => units.length > 0)) return list;
  const what = list.facilities.length > 0 ? "has no units" : "is empty";
  throw new EntsError("refused", `the service's list of facilities ${what}`, {
    hint: `try again later; ${WITHOUT_LIST}`,
  });
}

const WITHOUT_LIST = `without a list, use ${QUERY_FLAGS.facilityCode}`;

async function findCodeList(
  fetch: FetchValues,
  settings: Settings,
  { context, report }: Surroundings,
): Promise<CodeList> {
  if (fetch.sandbox || fetch.dryRun) {
    const known = await readCodesWithoutRequest({ fetch, settings }, context);
    const age = known && describeOldList(known, context.now());
    if (age !== undefined) report.warn(age);
    if (known) return known;
    throw refuseNoList(fetch, `${FETCH_FLAGS.dryRun} sends no request, and `);
  }
  try {
    return await loadCodes({ fetch, settings }, { context, report });
  } catch (error) {
    // A 403 may apply to this list only.
    if (!(error instanceof EntsError) || (error.kind !== "refused" && error.refusal?.status !== 403)) throw error;
    throw error.withHint([error.hint, WITHOUT_LIST].filter(Boolean).join("\n"));
  }
}

function refuseNoList(fetch: FetchValues, why = ""): EntsError {
  return usageError(`${why}there is no list of units yet`, `run '${describeList("facilities", fetch)}' first`);
}

function warnWithoutList(error: unknown, hasColumns: boolean, report: Report): CodeList {
  // Without a token, the data cannot be fetched either.
  if (!(error instanceof EntsError) || (error.kind === "authentication" && !error.refusal)) throw error;
  const what = hasColumns ? `the columns of ${OUTPUT_FLAGS.with} are empty` : "it is unknown which units are batteries";
  report.warn(`${what}: ${messageOf(error)}`);
  return { receivedAt: 0, facilities: [] };
}

function describeJoined(columns: readonly string[]): Join["columns"] {
  return columns.map((name) => ({ name, kind: "text", ...typeOfColumn(name) }));
}

/** The columns of sums of units: their capacities added up, and what all of them have in common. */
function createSumJoin(
  facilities: readonly Facility[],
  columns: readonly string[],
  { fleet, groups = [] }: Computation & { readonly fleet: Fleet },
): Join {
  const names = listGroupLabels(groups);
  const keyOf = (labels: Labels) => JSON.stringify(names.map((name) => String(labels[name] ?? null)));
  const homes = new Map(
    listUnits(facilities).map((placed) => [JSON.stringify([placed.facility.code, placed.unit.code]), placed]),
  );
  const placed = fleet.requested.flatMap(({ code, labels }) => {
    const home = homes.get(JSON.stringify([labels.facility_code, code]));
    return home ? { home, key: keyOf(labels) } : [];
  });
  const cells = new Map(
    Array.from(
      groupBy(placed, ({ key }) => key),
      ([key, own]) => {
        const sum = tabulateSum(own.map(({ home }) => home));
        return [key, columns.map((name) => sum[name] ?? null)] as const;
      },
    ),
  );
  const unknown = columns.map(() => null);
  return { columns: describeJoined(columns), cellsOf: (labels) => cells.get(keyOf(labels)) ?? unknown };
}

const FACILITY_LABEL = UNIT_GROUPS.facility;

function isSameLabel(cell: Label, other: Label | undefined): boolean {
  return toJsonText(cell) === toJsonText(other ?? null);
}

/**
 * Creates the `--with` columns: facts about a unit, or a facility, from the list, for the rows of its series.
 * `columns`: names of `JOINED_COLUMNS`; `requested`: codes of the requested facilities, empty for all.
 */
export function createJoin(
  facilities: readonly Facility[],
  {
    columns,
    network,
    requested,
  }: { readonly columns: readonly string[]; readonly network: string; readonly requested: readonly string[] },
): Join {
  const unknown = columns.map(() => null);
  // If several facilities have a unit of this code, requested ones rank first, then those of the network; after a tie,
  // only cells that are equal are known.
  const rankOf = (facility: Facility) =>
    (requested.includes(facility.code) ? 0 : 2) + (facility.network === network ? 0 : 1);
  const keyOf = (label: string, code: unknown) => `${label} ${String(code)}`;
  const facts = new Map<string, { readonly rank: number; readonly cells: ReturnType<Join["cellsOf"]> }>();
  for (const facility of facilities) {
    const rank = rankOf(facility);
    for (const { item } of tabulateUnits([facility]).entries) {
      for (const key of [keyOf(UNIT_LABEL, item.code), keyOf(FACILITY_LABEL, facility.code)]) {
        const known = facts.get(key);
        if (known && known.rank < rank) continue;
        const cells = columns.map((column) => item.cells[column] ?? null);
        const others = known?.rank === rank ? known.cells : cells;
        facts.set(key, { rank, cells: cells.map((cell, index) => (isSameLabel(cell, others[index]) ? cell : null)) });
      }
    }
  }
  return {
    columns: describeJoined(columns),
    cellsOf: (labels) => {
      const label = [UNIT_LABEL, FACILITY_LABEL].find((name) => Object.hasOwn(labels, name));
      return (label !== undefined && facts.get(keyOf(label, labels[label]))?.cells) || unknown;
    },
  };
}
