/** What is set outside the command line: read once a run, a plain value from there on. */
import type { Context } from "../base/context.ts";
import { FETCH_FLAGS, FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseValue } from "../options/parse.ts";
import type { MaxWindow } from "../plan/limits.ts";
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
export async function saveSettings({ path }: Settings, change: (stored: Stored) => Stored): Promise<void> {
  await writeStored(path, change);
}

/** Where settings are kept, for messages. */
export function describePath({ path }: Settings): string {
  return path ?? "(no home directory)";
}

/** The base address, first found: flag, `ENTS_BASE_URL`, config, the public service. */
export function findBaseUrl(flag: URL | undefined, settings: Settings): URL {
  if (flag) return flag;
  const variable = settings.env["ENTS_BASE_URL"];
  if (variable) return parseValue("address", variable, "ENTS_BASE_URL");
  const name = configKeyOf("baseUrl");
  return parseValue("address", settings.config[name] ?? FETCH_OPTIONS.baseUrl.default, `${name} in ${describePath(settings)}`);
}

/** The longest window of one request, first found: flag, config; undefined leaves it to the interval. */
export function findMaxWindow(flag: MaxWindow | undefined, settings: Settings): MaxWindow | undefined {
  const name = configKeyOf("maxWindow");
  const text = settings.config[name];
  return flag ?? (text === undefined ? undefined : parseValue("maxWindow", text, `${name} in ${describePath(settings)}`));
}

/** The name under which `ents config` keeps an option: its flag's. */
export function configKeyOf(key: keyof typeof FETCH_FLAGS): string {
  return FETCH_FLAGS[key].slice("--".length);
}
