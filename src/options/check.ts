/** Checks options against their table: required values, choices, counts, conflicts. Schemas check each value's syntax. */
import { didYouMean, formatList } from "../base/phrases.ts";
import { findFlagWithChoice, findMeantChoices, findNamed } from "./choices.ts";
import { flagOf, type OptionSpec, type OptionTable } from "./spec.ts";

export interface OptionProblem {
  readonly key: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

type NamedSpec = readonly [key: string, spec: OptionSpec];

/** The problems of values that match their schemas, in the order of the table. */
export function findProblems(table: OptionTable, values: Values): OptionProblem[] {
  const entries = Object.entries(table);
  return [
    ...entries.flatMap(([key, spec]) => findProblem(table, [key, spec], values) ?? []),
    ...entries.flatMap(([key, spec]) => findMissing(key, spec, values) ?? []),
    ...entries.flatMap(([key, spec]) => findConflict(table, [key, spec], values) ?? []),
    ...entries.flatMap(([key, spec]) => findLacking(table, [key, spec], values) ?? []),
  ];
}

/** A string or a list as a list; empty for anything else. */
export function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? [value] : [];
}

function findProblem(table: OptionTable, [key, spec]: NamedSpec, values: Values): OptionProblem | undefined {
  if (spec.liftedBy !== undefined && values[spec.liftedBy] === true) return undefined;
  const list = toList(values[key]);
  if (spec.parameter !== undefined && !spec.list && list[0]?.includes(",")) return { key, ...explainSeveral(key, spec) };
  const unknown = list.find((value) => spec.choices && !spec.choices.includes(value));
  if (unknown !== undefined) return { key, ...explainUnknown(table, [key, spec], unknown) };
  if (spec.maxValues === undefined || list.length <= spec.maxValues) return undefined;
  return {
    key,
    message: `${flagOf(key)}: ${list.length} ${spec.argument ?? "value"}s; one request takes at most ${spec.maxValues}`,
    hint: spec.liftedBy && `use ${flagOf(spec.liftedBy)} to send them as several requests`,
  };
}

/** For a flag that takes one value. */
export function explainSeveral(key: string, spec: OptionSpec): Omit<OptionProblem, "key"> {
  return { message: `${flagOf(key, spec)} takes one value`, hint: spec.severalHint ?? "put quotes around a value with spaces" };
}

/** Suggests choices, also those of other flags; without one, the flag that allows any value. */
function explainUnknown(table: OptionTable, [key, spec]: NamedSpec, value: string): Omit<OptionProblem, "key"> {
  const { choices = [], offered = choices, choicesIn, liftedBy } = spec;
  const elsewhere = spec.meansNoOther || findNamed(value, spec).length > 0 ? [] : findFlagWithChoice(value, table);
  const nearest = elsewhere.length > 0 ? elsewhere : findMeantChoices(value, { ...spec, choices: offered });
  const all = choicesIn === undefined ? `use ${formatList(offered, "or")}` : `see '${choicesIn}' for all`;
  const pass = nearest.length === 0 && liftedBy !== undefined ? [`use ${flagOf(liftedBy)} to send it anyway`] : [];
  return {
    message: `unknown ${nameOf(key, spec)} "${value}"${didYouMean(nearest)}`,
    hint: [all, ...pass].join("\n"),
  };
}

function findMissing(key: string, spec: OptionSpec, values: Values): OptionProblem | undefined {
  if (!spec.required || values[key] !== undefined) return undefined;
  const hint = spec.choicesIn && `see '${spec.choicesIn}' for all`;
  return { key, message: `${flagOf(key)} is required`, hint };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function findLacking(table: OptionTable, [key, spec]: NamedSpec, values: Values): OptionProblem | undefined {
  const lacking = isGiven(values[key]) ? listLacking(spec, values) : [];
  if (lacking.length === 0) return undefined;
  const [flag, others] = [nameFlag(table, key), nameFlags(table, lacking)];
  return { key, message: `${flag} only works with ${others}`, hint: `add ${others}, or leave out ${flag}` };
}

function listLacking({ needs = [] }: OptionSpec, values: Values): string[] {
  return needs.filter((name) => !isGiven(values[name]));
}

function findConflict(table: OptionTable, [key, spec]: NamedSpec, values: Values): OptionProblem | undefined {
  const conflicting = isGiven(values[key]) ? (spec.conflicts ?? []).filter((name) => isGiven(values[name])) : [];
  if (conflicting.length === 0) return undefined;
  const [flag, others, lacking] = [nameFlag(table, key), nameFlags(table, conflicting), listLacking(spec, values)];
  return {
    key,
    message: `${flag} cannot be used with ${others}`,
    hint: lacking.length > 0 ? `use ${flag} with ${nameFlags(table, lacking)}, without ${others}` : `leave out ${others}, or ${flag}`,
  };
}

/** As users type it. */
function nameFlag(table: OptionTable, key: string): string {
  return table[key]?.short ?? flagOf(key, table[key]);
}

function nameFlags(table: OptionTable, keys: readonly string[]): string {
  return formatList(
    keys.map((key) => nameFlag(table, key)),
    "and",
  );
}

/** The name of an option's value in messages: `metric`, `primary grouping`. */
export function nameOf(key: string, { list, argument }: Pick<OptionSpec, "list" | "argument">): string {
  return list && argument !== undefined ? argument : key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
