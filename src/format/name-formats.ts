import { formatList } from "../base/phrases.ts";
import type { OptionTable } from "../options/spec.ts";
import type { UPKEEP_OPTIONS } from "../options/upkeep-options.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import { describeFormat, FORMAT_NAMES, type FormatEntry, type FormatName } from "./registry.ts";

/** In a help text, the formats that a flag is for. */
const PLACE = "{formats}";

/** By option key; a flag that is given has a value. */
type Given = Readonly<Record<string, unknown>>;
type Supports = (format: FormatEntry, given: Given) => boolean;

/** Which formats a flag is for where it is not one of `FORMAT_FLAGS`. */
const SUPPORTS = {
  partition: ({ dataset = false }) => dataset,
  follow: ({ grows = false, redrawn = false }) => grows || redrawn,
} as const satisfies Partial<Record<keyof typeof UPKEEP_OPTIONS, Supports>>;

/** The formats that a flag works with. */
export function findSupporting(key: string): FormatName[] {
  return FORMAT_NAMES.filter((name) => supportsFlag(name, key, {}));
}

/** Whether a flag works with a format, beside others that are given. */
export function supportsFlag(name: string, key: string, given: Given): boolean {
  const format = FORMAT_NAMES.find((known) => known === name);
  return format === undefined || (findSupport(key)?.(describeFormat(format), given) ?? true);
}

/** Undefined for a flag that works with all formats. */
function findSupport(key: string): Supports | undefined {
  if (Object.hasOwn(FORMAT_FLAGS, key)) return ({ flags }) => Object.hasOwn(flags, key);
  return Object.entries<Supports>(SUPPORTS).find(([name]) => name === key)?.[1];
}

/** The table, with formats named in its help texts: `csv, tsv`, or `not with json` where most support the flag. */
export function nameFormats<T extends OptionTable>(table: T): T {
  const named = Object.entries(table).map(([key, spec]) => [
    key,
    { ...spec, help: spec.help.replace(PLACE, () => listFormats(findSupporting(key))) },
  ]);
  return Object.fromEntries(named) as T;
}

/** The formats, or those that they are not, if these are fewer. */
export function listFormats(some: readonly FormatName[]): string {
  const others = FORMAT_NAMES.filter((name) => !some.includes(name));
  return some.length <= others.length ? some.join(", ") : `not with ${formatList(others, "or")}`;
}
