/** What a value that is none of an option's choices may stand for. */
import { findNearest } from "../base/phrases.ts";
import { approximateMs, parseDuration } from "../time/duration.ts";
import { flagOf, type OptionSpec, type OptionTable } from "./spec.ts";

type Choices = Pick<OptionSpec, "choices" | "otherValues">;

/** The choices that it may stand for, the likeliest first. */
export function findMeantChoices(value: string, spec: Choices): string[] {
  const { choices = [] } = spec;
  const named = findNamed(value, spec);
  if (named.length > 0) return named;
  const [ofLength, nearest] = [findByLength(value, choices), findNearest(value, choices)];
  if (ofLength.length === 0) return nearest;
  // `1m` looks like `1M`, and `30m` like `3M`: of those, only another case is a slip.
  const inOtherCase = nearest.filter((choice) => choice.toLowerCase() === value.toLowerCase());
  return [...new Set([...inOtherCase, ...ofLength])];
}

/** The first flag of a table that has it as a choice, with that: `--interval 1d` for `daily`. */
export function findFlagWithChoice(value: string, table: OptionTable): string[] {
  for (const [key, spec] of Object.entries(table)) {
    const [choice] = findNamed(value, spec);
    if (choice !== undefined) return [`${flagOf(key, spec)} ${choice}`];
  }
  return [];
}

/** The choices that have this name, here or in other tools. */
export function findNamed(value: string, { choices = [], otherValues = {} }: Choices): string[] {
  return choices.filter((choice) => choice === value || otherValues[choice]?.includes(value.toLowerCase()));
}

/** Finds a duration among choices from short to long: the one of its length, else the next shorter and the next longer one. */
function findByLength(value: string, choices: readonly string[]): string[] {
  const length = lengthOf(shortenUnit(value));
  if (length === undefined) return [];
  const shorter = choices.findLast((choice) => (lengthOf(choice) ?? Number.NaN) <= length);
  const longer = choices.find((choice) => (lengthOf(choice) ?? Number.NaN) >= length);
  return [...new Set([shorter, longer].filter((choice) => choice !== undefined))];
}

/** `15min` is `15m`, `2months` is `2M`. */
function shortenUnit(value: string): string {
  return value.replace(/^(\d+)[ -]?mo[a-z]*$/, "$1M").replace(/^(\d+)[ -]?([mhdwy])[a-z]+$/, "$1$2");
}

function lengthOf(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && approximateMs(duration);
}
