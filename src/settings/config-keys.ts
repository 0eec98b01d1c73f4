import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/phrases.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";

/** The options that `ents config` stores, by the names of their flags. */
export const CONFIG_KEYS: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  Object.entries<OptionSpec>(FETCH_OPTIONS)
    .filter(([, spec]) => spec.isSetting)
    .map(([key, spec]) => [configKeyOf(key), spec]),
);

/** `baseUrl` → `base-url`. */
export function configKeyOf(key: string): string {
  return flagOf(key).slice("--".length);
}

/** @throws {EntsError} usage: unknown key. */
export function findConfigKey(name: string): OptionSpec {
  const spec = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (spec) return spec;
  const names = Object.keys(CONFIG_KEYS);
  const nearest = findNearest(name, names);
  throw usageError(`unknown config key "${name}"${didYouMean(nearest)}`, `use ${formatList(names, "or")}`);
}
