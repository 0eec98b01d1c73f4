/** What is set outside the command line: read once a run, a plain value from there on. */
import type { Context } from "../base/context.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseValue } from "../options/parse.ts";
import type { OptionSpec } from "../options/spec.ts";
import type { MaxWindow } from "../plan/limits.ts";
import { configKeyOf } from "./config-keys.ts";
import { findStorePath, readStored, type Stored, writeStored } from "./store.ts";

export interface Settings extends Stored {
  /** The config file, made or not; undefined for a user without a home. */
  readonly path: string | undefined;
  /** The environment, which comes before the file. */
  readonly env: Context["env"];
}

/** @throws {EntsError} usage: the config file is corrupt; output: it cannot be read. */
export async function loadSettings({ env, cwd }: Pick<Context, "env" | "cwd">): Promise<Settings> {
  const path = await findStorePath(env, cwd);
  return { ...readStored(path), path, env };
}

/** Changes what the config file has by now, which may be more than was loaded. @throws {EntsError} as above, and output. */
export async function saveSettings(
  { path }: Settings,
  change: (stored: Stored) => Stored,
  { process }: Pick<Context, "process">,
): Promise<void> {
  await writeStored(path, change, process);
}

/** Where settings are kept, for messages. */
export function describePath({ path }: Settings): string {
  return path ?? "(no home directory)";
}

/** A value as `ents config` keeps it. @throws {EntsError} usage: it is not allowed. */
export function formatSetting(name: string, { schema }: OptionSpec, text: string): string {
  const value: unknown = parseValue(schema, text, name);
  return value instanceof URL ? value.href.replace(/\/$/, "") : text;
}

/** The base address, first found: flag, `ENTS_BASE_URL`, config, the public service. */
export function findBaseUrl(flag: URL | undefined, settings: Settings): URL {
  if (flag) return flag;
  const variable = settings.env["ENTS_BASE_URL"];
  if (variable) return parseValue("address", variable, "ENTS_BASE_URL");
  return readKept("baseUrl", settings) ?? new URL(FETCH_OPTIONS.baseUrl.default);
}

/** The longest window of one request, first found: flag, config; undefined leaves it to the interval. */
export function findMaxWindow(flag: MaxWindow | undefined, settings: Settings): MaxWindow | undefined {
  return flag ?? readKept("maxWindow", settings);
}

/** What `ents config` keeps of an option, checked again: the file may have been edited. */
function readKept<K extends "baseUrl" | "maxWindow">(key: K, settings: Settings) {
  const name = configKeyOf(key);
  const text = settings.config[name];
  const source = `${name} in ${describePath(settings)}`;
  return text === undefined ? undefined : parseValue<(typeof FETCH_OPTIONS)[K]["schema"]>(FETCH_OPTIONS[key].schema, text, source);
}
