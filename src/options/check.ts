/** What a table says of its options beyond the form of each value: what is required, choices, counts, conflicts. */
import { findNearest, formatList } from "../base/suggest.ts";
import { flagOf, type OptionSpec, type OptionTable } from "./spec.ts";

export interface Problem {
  readonly key: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** What is wrong with values that have the right form, the first in the table first. */
export function findProblems(table: OptionTable, values: Values): Problem[] {
  const entries = Object.entries(table);
  return [
    ...entries.flatMap(([key, spec]) => findProblem(key, spec, values) ?? []),
    ...entries.flatMap(([key, spec]) => findMissing(key, spec, values) ?? []),
    ...entries.flatMap(([key, spec]) => findConflict(table, [key, spec], values) ?? []),
  ];
}

/** A value that may be one, several or none, as a list. */
export function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? [value] : [];
}

function findProblem(key: string, spec: OptionSpec, values: Values): Problem | undefined {
  if (spec.liftedBy !== undefined && values[spec.liftedBy] === true) return undefined;
  const asked = toList(values[key]);
  const unknown = asked.find((value) => spec.choices && !spec.choices.includes(value));
  if (unknown !== undefined) return { key, ...explainUnknown(key, unknown, spec) };
  if (spec.maxValues === undefined || asked.length <= spec.maxValues) return undefined;
  return {
    key,
    message: `${flagOf(key)}: ${asked.length} ${spec.argument ?? "value"}s were given; one request takes at most ${spec.maxValues}`,
    hint: spec.liftedBy && `use ${flagOf(spec.liftedBy)} to send them as several requests`,
  };
}

/** The nearest choices, all of them, and the switch that lets the value pass where none is near. */
function explainUnknown(key: string, value: string, { choices = [], choicesIn, liftedBy, ...spec }: OptionSpec): Omit<Problem, "key"> {
  const nearest = findNearest(value, choices);
  const all = choicesIn === undefined ? `use ${formatList(choices, "or")}` : `see '${choicesIn}' for all`;
  const pass = nearest.length === 0 && liftedBy !== undefined ? [`use ${flagOf(liftedBy)} to send it anyway`] : [];
  return {
    message: `unknown ${nameOf(key, spec)} "${value}"${nearest.length > 0 ? `; did you mean ${formatList(nearest, "or")}?` : ""}`,
    hint: [all, ...pass].join("\n"),
  };
}

function findMissing(key: string, spec: OptionSpec, values: Values): Problem | undefined {
  if (!spec.required || values[key] !== undefined) return undefined;
  const hint = spec.choicesIn && `see '${spec.choicesIn}' for all`;
  return { key, message: `${flagOf(key)}: no ${nameOf(key, spec)} was given`, hint };
}

function findConflict(table: OptionTable, [key, spec]: [string, OptionSpec], values: Values): Problem | undefined {
  const { conflicts = [] } = spec;
  // A switch that is off is not given.
  const other = values[key] === undefined || values[key] === false ? undefined : conflicts.find((name) => values[name] !== undefined);
  if (other === undefined) return undefined;
  const flag = flagOf(key, spec);
  const others = conflicts.map((name) => flagOf(name, table[name]));
  return {
    key,
    message: `${flag} cannot be used with ${flagOf(other, table[other])}`,
    hint: `use ${flag} alone, or ${formatList(others, "and")}`,
  };
}

/** `metric`, `primary grouping`: what a value is called. */
function nameOf(key: string, { list, argument }: Pick<OptionSpec, "list" | "argument">): string {
  return list && argument !== undefined ? argument : key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
