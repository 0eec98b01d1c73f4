import { usageError } from "../errors.ts";
import { findNearest } from "../suggest.ts";
import { parseBaseUrl } from "./base-url.ts";

export interface ConfigKey {
  readonly help: string;
  /** The value as it is kept. @throws {EntsError} usage: it is not allowed. */
  parse(value: string): string;
}

/** What `ents config` keeps. */
export const CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = {
  "base-url": {
    help: "address of the v4 service, where neither --base-url nor ENTS_BASE_URL says",
    parse: (value) => parseBaseUrl(value, "base-url").href.replace(/\/$/, ""),
  },
};

/** @throws {EntsError} usage: no such key. */
export function findConfigKey(name: string): ConfigKey {
  const key = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (key) return key;
  const names = Object.keys(CONFIG_KEYS);
  const nearest = findNearest(name, names);
  throw usageError(`"${name}" is not a config key${nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : ""}`, `keys: ${names.join(", ")}`);
}
