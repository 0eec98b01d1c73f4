import type * as z from "zod";
import { createSchema } from "../options/parse.ts";
import { QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { optionsOf } from "../options/spec.ts";
import type { CommandName } from "../base/vocabulary.ts";

/** What each data command may be asked, checked as v4.md allows: choices, counts, and which option goes with which. */
export const querySchemas = {
  network: createSchema(optionsOf(QUERY_OPTIONS, "network")),
  facilities: createSchema(optionsOf(QUERY_OPTIONS, "facilities")),
  market: createSchema(optionsOf(QUERY_OPTIONS, "market")),
} as const satisfies Record<CommandName, z.ZodType<QueryValues, QueryInput>>;
