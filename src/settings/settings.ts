/** Settings from the environment and the config file, read once per run. */
import type { Context } from "../base/context.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseValue } from "../options/parse.ts";
import type { OptionSpec } from "../options/spec.ts";
import { configKeyOf } from "./config-keys.ts";
import { readStored, type Stored, writeStored } from "./store.ts";
import { findStorePath } from "./store-path.ts";

export interface Settings extends Stored {
  /** The config file, whether it exists or not; undefined for a user without a home directory. */
  readonly path: string | undefined;
  /** Overrides the file. */
  readonly env: Context["env"];
}

/** @throws {EntsError} usage: the config file is corrupt; output: it cannot be read. */
export async function loadSettings({ env, cwd }: Pick<Context, "env" | "cwd">): Promise<Settings> {
  const path = await findStorePath(env, cwd);
  return { ...readStored(path), path, env };
}

/** Changes the config file as it is now: another run may have written it. @throws {EntsError} as above, and output. */
export async function saveSettings(
  { path }: Settings,
  change: (stored: Stored) => Stored,
  context: Pick<Context, "process" | "signal">,
): Promise<void> {
  await writeStored(path, change, context);
}

/** The config file's path, for messages. */
export function describePath({ path }: Settings): string {
  return path ?? "(no home directory)";
}

/** A value as `ents config` stores it. @throws {EntsError} usage: invalid. */
export function formatSetting(name: string, { schema }: OptionSpec, text: string): string {
  const value: unknown = parseValue(schema, text, name);
  return value instanceof URL ? value.href.replace(/\/$/, "") : text;
}

/** The base address, first found: flag, `ENTS_BASE_URL`, config, the public service. */
export function findBaseUrl(flag: URL | undefined, settings: Settings): URL {
  if (flag) return flag;
  const variable = settings.env["ENTS_BASE_URL"];
  if (variable) return parseValue("address", variable, "ENTS_BASE_URL");
  return readConfig("baseUrl", settings) ?? new URL(FETCH_OPTIONS.baseUrl.default);
}

/** A value that `ents config` stores, checked again: the file may have been edited. @throws {EntsError} usage: invalid. */
export function readConfig<K extends "baseUrl" | "maxWindow" | "rate" | "concurrency" | "cache">(key: K, settings: Settings) {
  const name = configKeyOf(key);
  const text = settings.config[name];
  const source = `${name} in ${describePath(settings)}`;
  return text === undefined ? undefined : parseValue<(typeof FETCH_OPTIONS)[K]["schema"]>(FETCH_OPTIONS[key].schema, text, source);
}
