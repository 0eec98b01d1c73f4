import * as z from "zod/mini";
import { type ErrorDetails, usageError } from "../base/errors.ts";
import { englishMessages } from "../base/zod-messages.ts";
import { findProblems } from "./check.ts";
import { SCHEMAS } from "./schemas.ts";
import { flagOf, type OptionInput, type OptionTable, type OptionValues } from "./spec.ts";

/** Checks `input` against a table of options and fills in defaults. @throws {EntsError} usage. */
export function parseOptions<T extends OptionTable>(
  table: T,
  input: Readonly<Record<string, unknown>>,
): OptionValues<T> {
  // The others are undefined, and a schema of each takes time at every start.
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const known = given.flatMap(([key]) => (Object.hasOwn(table, key) ? [[key, table[key]]] : []));
  const result = createSchema(table, Object.fromEntries(known) as OptionTable).safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  throw optionError(table, result.error, input);
}

/** The zod schema of a table of options, or of those `given`. Unknown keys are refused. */
export function createSchema<T extends OptionTable>(
  table: T,
  given: OptionTable = table,
): z.ZodMiniType<OptionValues<T>, OptionInput<T>> {
  const shape = Object.fromEntries(
    Object.entries(given).map(([key, { schema }]) => [key, z.optional(SCHEMAS[schema])]),
  );
  const object = z.strictObject(shape, englishMessages);
  const schema: z.ZodMiniType = z.pipe(
    object.check(({ value, issues }) => {
      for (const { key, message, hint, facts } of findProblems(table, value)) {
        issues.push({ code: "custom", input: value, path: [key], message, params: { hint, facts, isSentence: true } });
      }
    }),
    z.transform((values: z.output<typeof object>) => ({
      ...values,
      ...listSet(table, values),
      ...listDefaults(table, values),
    })),
  );
  return schema as z.ZodMiniType<OptionValues<T>, OptionInput<T>>;
}

/** Parses one value outside a table; `source` is its name in messages. @throws {EntsError} usage. */
export function parseValue<N extends keyof typeof SCHEMAS>(
  name: N,
  value: unknown,
  source: string,
): z.output<(typeof SCHEMAS)[N]> {
  const result = SCHEMAS[name].safeParse(value);
  if (result.success) return result.data as z.output<(typeof SCHEMAS)[N]>;
  throw describeIssue(source, result.error, { value: String(value) });
}

/**
 * Turns the first issue of a zod error into a usage error that names the flag. `input`: the values by option, before
 * they are parsed.
 */
export function optionError(
  table: OptionTable,
  error: z.core.$ZodError,
  input: Readonly<Record<string, unknown>> = {},
): Error {
  const key = String(error.issues[0]?.path[0] ?? "");
  const flag = Object.hasOwn(table, key) ? flagOf(key, table[key]) : "";
  const value = input[key];
  return describeIssue(flag, error, { flag: flag || undefined, value: typeof value === "string" ? value : undefined });
}

function describeIssue(source: string, { issues: [issue] }: z.core.$ZodError, own: ErrorDetails): Error {
  const message = issue?.message ?? "invalid options";
  // zod's own messages lack a subject: "is empty".
  if (issue?.code !== "custom") {
    return usageError(
      `${source} ${message}`.trim(),
      issue?.code === "too_small" ? "give it a value, or leave it out" : undefined,
      own,
    );
  }
  // A message that is a sentence already names the flag.
  const {
    hint,
    isSentence,
    facts,
  }: { readonly hint?: string; readonly isSentence?: boolean; readonly facts?: ErrorDetails } = issue.params ?? {};
  return usageError(source === "" || isSentence ? message : `${source}: ${message}`, hint, { ...own, ...facts });
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
    else if (text !== undefined && !isSetting) defaults[key] = SCHEMAS[schema].parse(text);
  }
  return defaults;
}
