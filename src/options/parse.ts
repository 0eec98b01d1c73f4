import * as z from "zod";
import { usageError } from "../base/errors.ts";
import { SCHEMAS } from "./schemas.ts";
import { flagOf, type OptionSpec, type OptionTable, type OptionValues } from "./spec.ts";

/**
 * The checked values of `input` by a table of options; keys of other tables are passed over.
 * @throws {EntsError} usage: names the flag, the value and what is allowed.
 */
export function parseOptions<T extends OptionTable>(table: T, input: Readonly<Record<string, unknown>>): OptionValues<T> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, spec]) => [key, SCHEMAS[spec.schema].optional()]));
  const result = z.object(shape).safeParse(input);
  if (!result.success) throw optionError(table, result.error);
  return result.data as OptionValues<T>;
}

/** A zod error as a usage error of its first issue, which bears the flag's name. */
export function optionError(table: Readonly<Record<string, OptionSpec>>, error: z.ZodError): Error {
  const issue = error.issues[0];
  const key = String(issue?.path[0] ?? "");
  const flag = Object.hasOwn(table, key) ? `${flagOf(key, table[key])}: ` : "";
  const hint = issue?.code === "custom" ? (issue.params?.["hint"] as string | undefined) : undefined;
  return usageError(flag + (issue?.message ?? "invalid options"), hint);
}
