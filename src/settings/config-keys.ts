import { usageError } from "../base/errors.ts";
import { findNearest, formatList } from "../base/suggest.ts";
import { describeOption } from "../options/describe.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseValue } from "../options/parse.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";

export interface ConfigKey {
  readonly help: string;
  /** The value as it is kept. @throws {EntsError} usage: it is not allowed. */
  readonly parse: (value: string) => string;
}

/** What `ents config` keeps: options, under their flags' names. */
export const CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = Object.fromEntries(
  Object.entries<OptionSpec>(FETCH_OPTIONS)
    .filter(([, spec]) => spec.kept)
    .map(([key, spec]) => {
      const name = flagOf(key).slice("--".length);
      return [name, { help: describeOption(spec), parse: (value) => formatKept(parseValue(spec.schema, value, name), value) }];
    }),
);

/** An address is kept without what stands after it in vain. */
function formatKept(parsed: unknown, text: string): string {
  return parsed instanceof URL ? parsed.href.replace(/\/$/, "") : text;
}

/** @throws {EntsError} usage: no such key. */
export function findConfigKey(name: string): ConfigKey {
  const key = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (key) return key;
  const names = Object.keys(CONFIG_KEYS);
  const nearest = findNearest(name, names);
  throw usageError(
    `unknown config key "${name}"${nearest.length > 0 ? `; did you mean ${formatList(nearest, "or")}?` : ""}`,
    `use ${formatList(names, "or")}`,
  );
}
