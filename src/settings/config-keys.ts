import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/suggest.ts";
import { parseMaxWindow } from "../plan/limits.ts";
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
  "max-window": {
    help: "longest window of one request, such as 30d for a paid key's 5m, or none, where --max-window does not say",
    parse: (value) => {
      parseMaxWindow(value, "max-window");
      return value;
    },
  },
};

/** @throws {EntsError} usage: no such key. */
export function findConfigKey(name: string): ConfigKey {
  const key = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (key) return key;
  const names = Object.keys(CONFIG_KEYS);
  const nearest = findNearest(name, names);
  throw usageError(
    `"${name}" is not a config key${nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : ""}`,
    `keys: ${names.join(", ")}`,
  );
}
