/** What the list of units tells an export: the codes that its flags pick, and the columns that `--with` adds. */
import type { Surroundings } from "../base/report.ts";
import { EntsError, messageOf, usageError } from "../base/errors.ts";
import type { Facility } from "../codes/facility.ts";
import { OUTPUT_FLAGS } from "../format/output-options.ts";
import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";
import { setCodes } from "../plan/batch.ts";
import type { FormatValues } from "../format/flags.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { PickValues } from "../options/list-options.ts";
import type { Query } from "../query/query.ts";
import type { Settings } from "../settings/settings.ts";
import { findKnownCodes } from "./known-codes.ts";
import { describeOldList, openCodes } from "./open-codes.ts";
import { describeList } from "./list-command.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { NUMBERS, tabulateUnits } from "../codes/tables.ts";
import type { Join, JoinedColumn, LayoutOptions } from "../series/layout/layout.ts";

/** What of an export the list may change: its query and its columns. */
interface Wanted {
  readonly query: Query;
  readonly output: { readonly layout: LayoutOptions };
  readonly options: FetchValues &
    Pick<FormatValues, "with"> &
    Pick<UpkeepValues, "update"> &
    Pick<QueryValues, "facilityCode" | "unitCode" | "batch">;
  /** Flags that pick units. */
  readonly picks: PickValues | undefined;
}

/** @throws {EntsError} usage: too many units, or a dry run without a list; where units are to be picked, those of `findToPick`. */
export async function applyList<T extends Wanted>(asked: T, settings: Settings, surroundings: Surroundings): Promise<T> {
  const { query, output, options, picks } = asked;
  const { with: columns, dryRun, facilityCode, unitCode } = options;
  // The columns are not in a plan.
  if (!picks && dryRun) return asked;
  // An output that is kept current has its columns filled, or stays as it is.
  const facilities = await (picks || options.update ? findToPick : findToJoin)(options, settings, surroundings);
  const picked = picks && { network: query.network, ...picks, facilityCode, unitCode };
  const units = picked && (await import("./pick-units.ts")).pickCodes(facilities, { picks: picked, options }, surroundings);
  const homes = units?.map(({ facility }) => facility) ?? facilityCode ?? [];
  const joined = columns && createJoin(facilities, { columns, network: query.network, asked: homes });
  return {
    ...asked,
    query: units ? { ...query, units, parameters: setCodes(query.parameters, units) } : query,
    output: joined ? { ...output, layout: { ...output.layout, join: joined } } : output,
  };
}

/** A list without units would pick nothing, whatever the flags say: that is the service's fault, and no answer. */
async function findToPick(fetch: FetchValues, settings: Settings, surroundings: Surroundings): Promise<readonly Facility[]> {
  const facilities = await findList(fetch, settings, surroundings);
  if (facilities.some(({ units }) => units.length > 0)) return facilities;
  const what = facilities.length > 0 ? "has no units" : "is empty";
  throw new EntsError("refused", `the service's list of facilities ${what}`, { hint: `try again later; ${WITHOUT_LIST}` });
}

const WITHOUT_LIST = `without a list, use ${QUERY_FLAGS.facilityCode}`;

async function findList(fetch: FetchValues, settings: Settings, { context, report }: Surroundings): Promise<readonly Facility[]> {
  if (fetch.sandbox || fetch.dryRun) {
    const known = await findKnownCodes({ fetch, settings }, context);
    const age = known && describeOldList(known, context.now());
    if (age !== undefined) report.warn(age);
    if (known) return known.facilities;
    throw usageError(
      `${FETCH_FLAGS.dryRun} sends no request, and there is no list of units yet`,
      `run '${describeList("facilities", fetch)}' first`,
    );
  }
  try {
    return (await openCodes({ fetch, settings, refresh: false }, { context, report })).facilities;
  } catch (error) {
    // With a token that is refused here alone, too.
    if (!(error instanceof EntsError) || (error.kind !== "refused" && error.refusal?.status !== 403)) throw error;
    throw error.withHint([error.hint, WITHOUT_LIST].filter(Boolean).join("\n"));
  }
}

/** None where there is no list. */
async function findToJoin(fetch: FetchValues, settings: Settings, surroundings: Surroundings): Promise<readonly Facility[]> {
  try {
    return await findToPick(fetch, settings, surroundings);
  } catch (error) {
    // Without a token, the data cannot be had either.
    if (!(error instanceof EntsError) || (error.kind === "authentication" && !error.refusal)) throw error;
    surroundings.report.warn(`the columns of ${OUTPUT_FLAGS.with} are empty: ${messageOf(error)}`);
    return [];
  }
}

/** `--with`: what a list says of a unit, for the rows of its series. */
interface Joining {
  /** Names of `JOINED_COLUMNS`. */
  readonly columns: readonly string[];
  readonly network: string;
  /** The codes of the facilities that were asked for; empty for all. */
  readonly asked: readonly string[];
}

export function createJoin(facilities: readonly Facility[], { columns, network, asked }: Joining): Join {
  const unknown = columns.map(() => null);
  // Should several have a unit of a code: those that were asked for count before others, and the network's before another's.
  const rankOf = (one: Facility) => (asked.includes(one.code) ? 0 : 2) + (one.network === network ? 0 : 1);
  const units = new Map<unknown, { readonly rank: number; readonly cells: ReturnType<Join["cellsOf"]> }>();
  for (const facility of facilities) {
    const rank = rankOf(facility);
    for (const { item } of tabulateUnits([facility]).entries) {
      const known = units.get(item.code);
      if (known && known.rank < rank) continue;
      units.set(item.code, { rank, cells: known?.rank === rank ? unknown : columns.map((column) => item.cells[column] ?? null) });
    }
  }
  return {
    columns: columns.map(describeColumn),
    cellsOf: (labels) => (Object.hasOwn(labels, UNIT_LABEL) && units.get(labels[UNIT_LABEL])?.cells) || unknown,
  };
}

function describeColumn(name: string): JoinedColumn {
  const number = NUMBERS[name];
  return { name, kind: "text", ...(number && { isNumber: true, ...number }) };
}
