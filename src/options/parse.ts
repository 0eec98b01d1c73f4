import { usageError } from "../base/errors.ts";
import { InvalidValue } from "./address.ts";
import { type DescribeChanged, findProblem } from "./check.ts";
import { READERS } from "./schemas.ts";
import { flagOf, type OptionTable, type OptionValues } from "./spec.ts";

/**
 * Checks `input` against a table of options and fills in defaults. `describe`: the command line.
 * @throws {EntsError} usage.
 */
export function parseOptions<T extends OptionTable>(
  table: T,
  input: Readonly<Record<string, unknown>>,
  describe?: DescribeChanged,
): OptionValues<T> {
  if (typeof input !== "object" || input === null) throw usageError("options are an object");
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const unknown = given.find(([key]) => !Object.hasOwn(table, key));
  const values: Record<string, unknown> = {};
  for (const [key, value] of given) {
    const spec = table[key];
    if (!spec || !Object.hasOwn(table, key)) continue;
    values[key] = parseValue(spec.schema, value, flagOf(key, spec));
  }
  if (unknown) throw usageError(`unknown option "${unknown[0]}"`);
  const problem = findProblem(table, values, describe);
  if (problem) {
    const { key, message, hint, facts } = problem;
    const value = input[key];
    const text = typeof value === "string" ? value : undefined;
    throw usageError(message, hint, { flag: flagOf(key, table[key]), value: text, ...facts });
  }
  return { ...values, ...listSet(table, values), ...listDefaults(table, values) } as OptionValues<T>;
}

/** Parses one value; `source` is its name in messages, such as its flag. @throws {EntsError} usage. */
export function parseValue<N extends keyof typeof READERS>(
  name: N,
  value: unknown,
  source: string,
): ReturnType<(typeof READERS)[N]> {
  try {
    return (READERS[name] as (value: unknown) => ReturnType<(typeof READERS)[N]>)(value);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw usageError(`${source}${error.joint}${error.message}`, error.hint, {
      ...(source.startsWith("-") ? { flag: source } : {}),
      value: typeof value === "string" ? value : undefined,
    });
  }
}

/** The values that options set for other options. */
function listSet(table: OptionTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const set = Object.entries(table).filter(([key]) => values[key] !== undefined);
  return Object.fromEntries(set.flatMap(([key, { sets = [] }]) => sets.map((name) => [name, values[key]])));
}

function listDefaults(table: OptionTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const [key, { schema, negated, default: text, isSetting }] of Object.entries(table)) {
    if (values[key] !== undefined) continue;
    if (schema === "flag") defaults[key] = negated === true;
    else if (text !== undefined && !isSetting) defaults[key] = parseValue(schema, text, key);
  }
  return defaults;
}
