import { formatList } from "../base/suggest.ts";
import type { OptionTable } from "../options/spec.ts";
import { describeFormat, FORMAT_NAMES, type FormatEntry } from "./registry.ts";

/** In a help text, the formats that a flag is for. */
const PLACE = "{formats}";

/** Which formats a flag is for where it is not one of `FORMAT_FLAGS`. */
const SUPPORTS: Readonly<Record<string, (format: FormatEntry) => boolean>> = {
  output: ({ gzip = false }) => gzip,
  update: ({ grows = false }) => grows,
  partition: ({ dataset = false }) => dataset,
  follow: ({ grows = false, redrawn = false }) => grows || redrawn,
};

/** The table, with formats named in its help texts: `csv, tsv`, or `not with json` where most support the flag. */
export function nameFormats<T extends OptionTable>(table: T): T {
  const named = Object.entries(table).map(([key, spec]) => [key, { ...spec, help: spec.help.replace(PLACE, () => listFormats(key)) }]);
  return Object.fromEntries(named) as T;
}

function listFormats(key: string): string {
  const supports = SUPPORTS[key] ?? (({ flags }) => Object.hasOwn(flags, key));
  const some = FORMAT_NAMES.filter((name) => supports(describeFormat(name)));
  const others = FORMAT_NAMES.filter((name) => !some.includes(name));
  return some.length <= others.length ? some.join(", ") : `not with ${formatList(others, "or")}`;
}
