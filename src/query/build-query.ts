/** Queries for users of the library, whose options are not checked yet. */
import * as z from "zod/mini";
import { EntsError } from "../base/errors.ts";
import type { CommandName } from "../base/vocabulary.ts";
import { parseOptions } from "../options/parse.ts";
import { QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { flagOf, optionsOf } from "../options/spec.ts";
import { type QueryResult, type QuerySubject, resolveQuery } from "./query.ts";

export interface QueryRequest extends QuerySubject {
  readonly input: QueryInput;
}

/** @throws {EntsError} usage: names the flag, the value, and the values that v4 allows. */
export function buildQuery({ input, ...subject }: QueryRequest): QueryResult {
  const values = parseOptions(optionsOf(QUERY_OPTIONS, subject.command), input);
  const { partial, ...result } = resolveQuery(values, subject);
  return { ...result, warnings: [...result.warnings, ...partial.map(({ text }) => text)] };
}

/** The options of each data command, checked against v4: choices, counts, conflicts. */
export const querySchemas = {
  network: createSchema("network"),
  facilities: createSchema("facilities"),
  market: createSchema("market"),
} as const satisfies Record<CommandName, z.ZodMiniType<QueryValues, QueryInput>>;

function createSchema(command: CommandName): z.ZodMiniType<QueryValues, QueryInput> {
  const table = optionsOf(QUERY_OPTIONS, command);
  const check = z.transform((input: QueryInput, { issues }): QueryValues => {
    try {
      return parseOptions(table, input);
    } catch (error) {
      if (!(error instanceof EntsError)) throw error;
      const { message, hint, facts } = error;
      const key = Object.entries(table).find((option) => flagOf(...option) === facts.flag)?.[0];
      issues.push({ code: "custom", input, message, path: key === undefined ? [] : [key], params: { hint, facts } });
      return z.NEVER;
    }
  });
  return z.pipe(z.custom<QueryInput>(), check);
}
