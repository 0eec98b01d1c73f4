import * as z from "zod";
import { SCHEMAS } from "../options/schemas.ts";
import { type OptionInput, type OptionSpec, type OptionValues, optionsOf } from "../options/spec.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { findNearest } from "../base/suggest.ts";
import type { CommandName } from "../base/vocabulary.ts";

/** What each data command may be asked, checked as v4.md allows: choices, counts, and which option goes with which. */
export const querySchemas = {
  network: querySchema("network"),
  facilities: querySchema("facilities"),
  market: querySchema("market"),
} as const satisfies Record<CommandName, z.ZodType>;

type QueryTable = typeof QUERY_OPTIONS;

/** The checked query options. */
export type QueryOptions = OptionValues<QueryTable>;

type QuerySchema = z.ZodType<QueryOptions, OptionInput<QueryTable>>;

function querySchema(command: CommandName): QuerySchema {
  const options = optionsOf(QUERY_OPTIONS, command);
  const shape = Object.fromEntries(options.map(([key, spec]) => [key, SCHEMAS[spec.schema].optional()]));
  const schema: z.ZodType = z.strictObject(shape).superRefine((values, context) => {
    const report = (key: string, { message, hint }: Problem) =>
      context.addIssue({ code: "custom", path: [key], message, params: { hint } });
    for (const [key, spec] of options) {
      const problem = findProblem(spec, toList(values[key]), values);
      if (problem) report(key, problem);
    }
    for (const [key, problem] of findMisfits(values)) report(key, problem);
  });
  return schema as QuerySchema;
}

interface Problem {
  readonly message: string;
  readonly hint?: string;
}

function findProblem(
  spec: OptionSpec,
  values: readonly string[],
  { allowUnknown, batch }: Readonly<Record<string, unknown>>,
): Problem | undefined {
  const unknown = allowUnknown === true ? undefined : values.find((value) => spec.choices && !spec.choices.includes(value));
  if (spec.choices && unknown !== undefined) return describeUnknown(unknown, spec);
  if (batch === true || spec.maxValues === undefined || values.length <= spec.maxValues) return undefined;
  return {
    message: `${values.length} codes were given; one request takes at most ${spec.maxValues}`,
    hint: "--batch sends them as several requests",
  };
}

function describeUnknown(value: string, { parameter, choices = [] }: OptionSpec): Problem {
  const nearest = findNearest(value, choices);
  const allowed = parameter === "metrics" ? "'ents metrics' lists all" : `allowed: ${choices.join(", ")}`;
  return {
    message: `"${value}" is not known to v4${nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : ""}; ${allowed}`,
    hint: "--allow-unknown sends it all the same, to a service newer than ents",
  };
}

function findMisfits(values: Readonly<Record<string, unknown>>): [key: string, problem: Problem][] {
  const misfits: [string, Problem][] = [];
  if (values["metrics"] === undefined)
    misfits.push([
      "metrics",
      { message: "no metric was given", hint: "name one or more, as in --metrics power energy; 'ents metrics' lists all" },
    ]);
  if (values["last"] !== undefined && (values["dateStart"] !== undefined || values["dateEnd"] !== undefined))
    misfits.push(["last", { message: "cannot be combined with --date-start or --date-end", hint: "give the one or the others" }]);
  return misfits;
}

/** A value that may be one, several or none, as a list. */
export function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? [value] : [];
}
