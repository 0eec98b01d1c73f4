import type { Context } from "../base/context.ts";
import { explainCodes } from "../codes/unknown.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { Query } from "../query/query.ts";
import type { Settings } from "../settings/settings.ts";
import { findKnownCodes } from "./known-codes.ts";
import { describeOldList } from "./open-codes.ts";

export const CODE_FLAGS = { facility: QUERY_FLAGS.facilityCode, unit: QUERY_FLAGS.unitCode };

/** The codes of a query that are not in the list of the service; undefined where no list is at hand. Sends nothing. */
export async function findUnknownCodes(
  { network, parameters }: Query,
  service: { readonly fetch: FetchValues; readonly settings: Settings },
  context: Context,
): Promise<readonly string[] | undefined> {
  const list = await findKnownCodes(service, context);
  if (!list) return undefined;
  const valuesOf = (parameter: string) => parameters.find(({ name }) => name === parameter)?.values ?? [];
  const asked = { network, facility: valuesOf("facility_code"), unit: valuesOf("unit_code") };
  const told = explainCodes(list.facilities, asked, { flags: CODE_FLAGS, fate: "sent anyway" });
  const age = told.length > 0 ? describeOldList(list, context.now()) : undefined;
  return age === undefined ? told : [...told, age];
}
