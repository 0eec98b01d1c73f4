/**
 * Checks options against their table: required values, choices, counts, conflicts. What reads a value checks its syntax.
 */
import type { ErrorDetails } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatList } from "../base/phrases.ts";
import { FUELTECH_GROUPS, FUELTECHS, isGenericFueltech } from "../base/fueltechs.ts";
import { findEquivalent, findNamesLike, listValueNames } from "../base/other-names.ts";
import { findRegion } from "../base/vocabulary.ts";
import { flagOf, type NamedOption, type OptionSpec, type OptionTable } from "./spec.ts";
import { approximateMs, parseDuration } from "../time/duration.ts";
import { isPeriod } from "../time/when.ts";

interface OptionProblem {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly facts?: ErrorDetails;
}

/** The command line with other values; without one, the flags alone. */
export type DescribeChanged = (changes: Readonly<Record<string, string | undefined>>) => string;

const describeFlags: DescribeChanged = (changes) =>
  Object.entries(changes)
    .map(([key, value]) => `${flagOf(key)} ${value}`)
    .join(" ");

type GivenValues = Readonly<Record<string, unknown>>;

/** Finds the first problem of values that could be read; `key` names the option. */
export function findProblem(
  table: OptionTable,
  values: GivenValues,
  describe: DescribeChanged = describeFlags,
): (OptionProblem & { readonly key: string }) | undefined {
  const given = Object.entries(table).filter(([key, { required }]) => required || isGiven(values[key]));
  const findBad: typeof findConflict = (option) => findBadValue(option, { table, values, describe });
  for (const check of [findBad, findMissingFlag, findConflict, findMissingNeeds])
    for (const option of given) {
      const problem = check(option, values, table);
      if (problem) return { key: option[0], ...problem };
    }
  return undefined;
}

interface GivenOptions {
  readonly table: OptionTable;
  readonly values: GivenValues;
  readonly describe: DescribeChanged;
}

export function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? [value] : [];
}

function findBadValue([key, spec]: NamedOption, { table, values, describe }: GivenOptions): OptionProblem | undefined {
  if (spec.relaxedBy !== undefined && values[spec.relaxedBy] === true) return undefined;
  const list = toList(values[key]);
  if (spec.parameter !== undefined && !spec.list && list[0]?.includes(",")) return explainTooManyValues(key, spec);
  const unknown = list.find((value) => spec.choices && !spec.choices.includes(value) && !spec.alsoTakes?.(value));
  if (unknown !== undefined) {
    const equivalent = findEquivalent(unknown.toLowerCase().replaceAll("-", "_"), key);
    if (!equivalent) return explainUnknownChoice([key, spec], unknown, table);
    const { hint, use } = equivalent;
    return {
      message: `unknown ${nameOf(key, spec)} "${unknown}"`,
      hint: use === undefined ? hint : `${hint}\n${describe({ [key]: use })}`,
      facts: { value: unknown, allowed: spec.offered ?? spec.choices ?? [] },
    };
  }
  if (spec.maxValues === undefined || list.length <= spec.maxValues) return undefined;
  return {
    message: `${flagOf(key)}: ${list.length} ${spec.argument ?? "value"}s; one request takes at most ${spec.maxValues}`,
    hint: spec.relaxedBy && `use ${flagOf(spec.relaxedBy)} to send them as several requests`,
  };
}

export function explainTooManyValues(key: string, spec: OptionSpec): OptionProblem {
  const hasSpaces = spec.kind !== "label" && spec.choices === undefined;
  return {
    message: `${flagOf(key, spec)} takes one value`,
    hint: hasSpaces ? "put quotes around a value with spaces" : undefined,
  };
}

/** Suggests choices, including those of other flags; if none is similar, the flag that allows any value. */
function explainUnknownChoice([key, spec]: NamedOption, value: string, table: OptionTable): OptionProblem {
  const { choices = [], offered = choices, choicesIn, relaxedBy } = spec;
  const unknown = `unknown ${nameOf(key, spec)} "${value}"`;
  const facts = { value, allowed: offered };
  const other = key === "metrics" ? explainOtherKind(value, table) : undefined;
  if (other) return { message: `${unknown}; ${other.problem}`, hint: other.hint, facts };
  const elsewhere =
    spec.suggestsOwnChoicesOnly || findNamed(value, [key, spec]).length > 0 ? [] : findFlagWithChoice(value, table);
  const nearest = elsewhere.length > 0 ? elsewhere : findMeantChoices(value, [key, { ...spec, choices: offered }]);
  const all = choicesIn === undefined ? `use ${formatList(offered, "or")}` : `see '${choicesIn}' for all`;
  if (nearest.length > 0 || relaxedBy === undefined)
    return { message: unknown, hint: all, facts: { ...facts, didYouMean: nearest } };
  const isCode = key === "metrics" && "facilityCode" in table;
  const way = isCode
    ? "put --facility-code before a facility's code, and --facility before its name"
    : `use ${flagOf(relaxedBy)} to send it anyway`;
  return { message: unknown, hint: `${all}\n${way}`, facts };
}

/** Explains a region, a date or a fueltech among the metrics. */
function explainOtherKind(
  value: string,
  table: OptionTable,
): { readonly problem: string; readonly hint: string } | undefined {
  const region = findRegion(value);
  if (region !== undefined) return { problem: "it is a region", hint: `use -r ${region}` };
  const word = value.toLowerCase();
  if (isPeriod(word)) return { problem: "it is a date", hint: `use --during ${word}` };
  if (!("fueltech" in table)) return undefined;
  if (FUELTECHS.includes(word) && !isGenericFueltech(word))
    return { problem: "it is a fueltech", hint: `use --fueltech ${word}` };
  const hasGroups = "fueltechGroup" in table && FUELTECH_GROUPS.includes(word);
  return hasGroups ? { problem: "it is a fueltech group", hint: `use --fueltech-group ${word}` } : undefined;
}

function findMissingFlag([key, spec]: NamedOption, values: GivenValues): OptionProblem | undefined {
  if (!spec.required || values[key] !== undefined) return undefined;
  return { message: `${flagOf(key)} is required`, hint: spec.choicesIn && `see '${spec.choicesIn}' for all` };
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function findMissingNeeds(
  [key, spec]: NamedOption,
  values: GivenValues,
  table: OptionTable,
): OptionProblem | undefined {
  if (!isGiven(values[key])) return undefined;
  const { needsOne, needsHint = "add one of them" } = spec;
  if (needsOne && !needsOne.some((name) => isGiven(values[name])))
    return { message: `${flagOf(key, spec)} only works with ${nameFlags(needsOne, table, "or")}`, hint: needsHint };
  const unmet = listMissingNeeds(spec, values, table);
  if (unmet.length === 0) return undefined;
  const [flag, others] = [nameFlags([key], table), nameFlags(unmet, table)];
  return { message: `${flag} only works with ${others}`, hint: `add ${others}, or leave out ${flag}` };
}

function listMissingNeeds({ needs = [] }: OptionSpec, values: GivenValues, table: OptionTable): string[] {
  const given = Object.entries(table).flatMap(([key, { sets = [] }]) => (isGiven(values[key]) ? [key, ...sets] : []));
  return needs.filter((name) => !given.includes(name));
}

function findConflict([key, spec]: NamedOption, values: GivenValues, table: OptionTable): OptionProblem | undefined {
  const conflicting = isGiven(values[key]) ? (spec.conflicts ?? []).filter((name) => isGiven(values[name])) : [];
  const [first] = conflicting;
  if (first === undefined) return undefined;
  const special = spec.conflictHints?.[first];
  if (special) {
    const own = flagOf(key, spec);
    const { because = "", use } = special;
    return {
      message: `${own} cannot be used with ${nameFlags([first], table)}${because}`,
      hint: use.replace("{flag}", own).replace("{output}", toList(values["output"])[0] ?? "<output>"),
    };
  }
  const [flag, others, unmet] = [
    nameFlags([key], table),
    nameFlags(conflicting, table),
    listMissingNeeds(spec, values, table),
  ];
  return {
    message: `${flag} cannot be used with ${others}`,
    hint:
      unmet.length > 0
        ? `use ${flag} with ${nameFlags(unmet, table)}, without ${others}`
        : `leave out ${others}, or ${flag}`,
  };
}

/** Flags as users type them. */
function nameFlags(keys: readonly string[], table: OptionTable, conjunction: "and" | "or" = "and"): string {
  const flags = keys.map((key) => table[key]?.short ?? flagOf(key, table[key]));
  return formatList(flags, conjunction);
}

/** The name of an option's value in messages: `metric`, `primary grouping`. */
export function nameOf(key: string, { list, argument }: Pick<OptionSpec, "list" | "argument">): string {
  return list && argument !== undefined ? argument : key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The choices that a value may stand for, most likely first. */
function findMeantChoices(value: string, option: NamedOption): string[] {
  const [, { choices = [] }] = option;
  const named = findNamed(value, option);
  if (named.length > 0) return named;
  const [ofLength, nearest] = [findByLength(value, choices), findNearest(value, choices)];
  if (ofLength.length === 0) return nearest;
  // `1m` is similar to `1M`, and `30m` to `3M`; only a difference in case counts as a typo.
  const inOtherCase = nearest.filter((choice) => choice.toLowerCase() === value.toLowerCase());
  return [...new Set([...inOtherCase, ...ofLength])];
}

/** The first flag of a table with a choice of this name, and the choice: `--interval 1d` for `daily`. */
export function findFlagWithChoice(value: string, table: OptionTable): string[] {
  for (const [key, spec] of Object.entries(table)) {
    const [choice] = findNamed(value, [key, spec]);
    if (choice !== undefined) return [`${flagOf(key, spec)} ${choice}`];
  }
  return [];
}

/** The choices with this name, in ents or in other tools. */
function findNamed(value: string, [key, { choices = [] }]: NamedOption): string[] {
  const names = [value.toLowerCase(), value.toLowerCase().replaceAll("-", "_")];
  const meant = names.flatMap((name) => [name, ...findNamesLike(name, listValueNames(key))]);
  return choices.filter((choice) => choice === value || meant.includes(choice));
}

/**
 * Finds the choice as long as a duration, else the next shorter and next longer ones. `choices`: from short to long.
 */
function findByLength(value: string, choices: readonly string[]): string[] {
  // `15min` is `15m`, `2months` is `2M`.
  const length = readLength(
    value.replace(/^(\d+)[ -]?mo[a-z]*$/, "$1M").replace(/^(\d+)[ -]?([mhdwy])[a-z]+$/, "$1$2"),
  );
  if (length === undefined) return [];
  const shorter = choices.findLast((choice) => (readLength(choice) ?? Number.NaN) <= length);
  const longer = choices.find((choice) => (readLength(choice) ?? Number.NaN) >= length);
  return [...new Set([shorter, longer].filter((choice) => choice !== undefined))];
}

function readLength(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && approximateMs(duration);
}
