/** Queries for users of the library, whose options are not checked yet. */
import type * as z from "zod/mini";
import type { CommandName } from "../base/vocabulary.ts";
import { createSchema, optionError } from "../options/parse.ts";
import { QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { optionsOf } from "../options/spec.ts";
import { type QueryResult, type QuerySubject, resolveQuery } from "./query.ts";

export interface QueryRequest extends QuerySubject {
  readonly input: QueryInput;
}

/** @throws {EntsError} usage: names the flag, the value, and the values that v4 allows. */
export function buildQuery({ input, ...subject }: QueryRequest): QueryResult {
  const checked = querySchemas[subject.command].safeParse(input);
  if (checked.success) {
    const { partial, ...result } = resolveQuery(checked.data, subject);
    return { ...result, warnings: [...result.warnings, ...partial.map(({ text }) => text)] };
  }
  throw optionError(QUERY_OPTIONS, checked.error);
}

/** The options of each data command, checked against v4: choices, counts, conflicts. */
export const querySchemas = {
  network: createSchema(optionsOf(QUERY_OPTIONS, "network")),
  facilities: createSchema(optionsOf(QUERY_OPTIONS, "facilities")),
  market: createSchema(optionsOf(QUERY_OPTIONS, "market")),
} as const satisfies Record<CommandName, z.ZodMiniType<QueryValues, QueryInput>>;
