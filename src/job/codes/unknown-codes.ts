import type { Context } from "../../base/context.ts";
import { explainCodes } from "../../codes/unknown.ts";
import type { FetchValues } from "../../options/fetch-options.ts";
import { QUERY_FLAGS } from "../../options/query-options.ts";
import type { Query } from "../../query/query.ts";
import type { Settings } from "../../settings/settings.ts";
import { findKnownCodes } from "../../source/codes/known-codes.ts";
import { DAY } from "../../time/local-time.ts";

const FLAGS = { facility: QUERY_FLAGS.facilityCode, unit: QUERY_FLAGS.unitCode };

/** The codes of a query that are not in the list of the service; undefined where no list is at hand. Sends nothing. */
export async function findUnknownCodes(
  { network, parameters }: Query,
  service: { readonly fetch: FetchValues; readonly settings: Settings },
  context: Context,
): Promise<readonly string[] | undefined> {
  const list = await findKnownCodes(service, context);
  if (!list) return undefined;
  const valuesOf = (parameter: string) => parameters.find(({ name }) => name === parameter)?.values ?? [];
  const told = explainCodes(list.facilities, { network, facility: valuesOf("facility_code"), unit: valuesOf("unit_code") }, FLAGS);
  const isOld = context.now() - list.receivedAt > DAY;
  return isOld && told.length > 0 ? [...told, describeOldList(list.receivedAt)] : told;
}

function describeOldList(receivedAt: number): string {
  const day = new Date(receivedAt).toISOString().slice(0, 10);
  return `the list of facilities is of ${day}; 'ents list facilities' asks for a new one`;
}
