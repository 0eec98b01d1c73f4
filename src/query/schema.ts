import type * as z from "zod/mini";
import { createSchema } from "../options/parse.ts";
import { QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { optionsOf } from "../options/spec.ts";
import type { CommandName } from "../base/vocabulary.ts";

/** The options of each data command, checked against v4.md: choices, counts, conflicts. */
export const querySchemas = {
  network: createSchema(optionsOf(QUERY_OPTIONS, "network")),
  facilities: createSchema(optionsOf(QUERY_OPTIONS, "facilities")),
  market: createSchema(optionsOf(QUERY_OPTIONS, "market")),
} as const satisfies Record<CommandName, z.ZodMiniType<QueryValues, QueryInput>>;
