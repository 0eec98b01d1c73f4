/** The keys and the path of the config file. Loads no packages to read or write it, since completion uses this file. */
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Context } from "../base/context.ts";
import { EntsError, usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatList } from "../base/phrases.ts";
import { decodeText } from "../base/text-encoding.ts";
import { requireExpanded } from "../files/folders.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";

export const TOKEN_COMMAND = "token-command";

/** What `ents config` stores: options, by the name of their flag, and a command for the token. */
export const CONFIG_KEYS: Readonly<Record<string, OptionSpec>> = {
  ...Object.fromEntries(
    Object.entries<OptionSpec>(FETCH_OPTIONS)
      .filter(([, spec]) => spec.isSetting)
      .map(([key, spec]) => [configKeyOf(key), spec]),
  ),
  [TOKEN_COMMAND]: { schema: "text", help: "command that prints the token, such as 'pass show openelectricity'" },
};

/** `baseUrl` → `base-url`. */
export function configKeyOf(key: string): string {
  return flagOf(key).slice("--".length);
}

/** @throws {EntsError} usage: unknown key. */
export function findConfigKey(name: string): OptionSpec {
  const spec = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (spec) return spec;
  const names = Object.keys(CONFIG_KEYS);
  const facts = { value: name, allowed: names, didYouMean: findNearest(name, names) };
  throw usageError(`unknown config key "${name}"`, `use ${formatList(names, "or")}`, facts);
}

/**
 * The file in `ENTS_CONFIG_DIR`, else in the platform's config directory under `ents`; undefined for a user without a
 * home directory.
 */
export async function findStorePath(env: Context["env"], cwd: string): Promise<string | undefined> {
  const own = env["ENTS_CONFIG_DIR"];
  const directory = own
    ? requireExpanded(own, "ENTS_CONFIG_DIR")
    : await findConfigDirectory(env).catch(() => undefined);
  return directory && join(resolve(cwd, directory), "config.json");
}

/** Undefined below a home that does not exist. @throws when env-paths is loaded without a home directory. */
async function findConfigDirectory({ HOME = "" }: Context["env"]): Promise<string | undefined> {
  const { config } = (await import("env-paths")).default("ents", { suffix: "" });
  const isMissing = HOME !== "" && config.startsWith(join(HOME, sep)) && !existsSync(HOME);
  return isMissing ? undefined : config;
}

/** @throws {EntsError} output: another user's file, which could send a token elsewhere; the system's error. */
export function readStore(path: string, uid: Context["process"]["uid"]): string {
  const file = openSync(path, "r");
  try {
    const owner = fstatSync(file).uid;
    if (uid === undefined || owner === uid || owner === ROOT) return decodeText(readFileSync(file)) ?? "";
  } finally {
    closeSync(file);
  }
  throw new EntsError("output", `the config file ${path} belongs to another user, so it is not read`, {
    hint: "make it your own, or set ENTS_CONFIG_DIR to a directory of your own",
  });
}

const ROOT = 0;
