/**
 * Settings from the environment and the config file, read once per run. Reading never creates the file; writing is
 * atomic.
 */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import type ConfClass from "conf";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import type { Report } from "../base/report.ts";
import { makeFolder } from "../files/folders.ts";
import { describeSystemError, isDenied } from "../files/system-error.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseValue } from "../options/parse.ts";
import type { OptionSpec } from "../options/spec.ts";
import { configKeyOf, findStorePath, readStore } from "./config-keys.ts";
import { TOKEN_VARIABLES } from "./token.ts";

export interface StoredSettings {
  readonly config: Readonly<Record<string, string>>;
  /** By origin; a token is never sent to another. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The plans of these tokens by origin, if known. */
  readonly plans?: Readonly<Record<string, string>> | undefined;
}

export interface Settings extends StoredSettings {
  /** The config file, which may not exist; undefined for a user without a home directory. */
  readonly path: string | undefined;
  /** Overrides the file. */
  readonly env: Context["env"];
}

/**
 * `report`: notes that the file cannot be read, where the environment has the token and the address.
 * @throws {EntsError} usage: the config file is corrupt; output: it cannot be read, or belongs to another user.
 */
export async function loadSettings({ env, cwd, process }: Context, report?: Report): Promise<Settings> {
  const path = await findStorePath(env, cwd);
  const settings = { ...EMPTY, path, env };
  try {
    return { ...settings, ...(await readSettingsFile(path, process.uid)) };
  } catch (error) {
    const isOptional = env["ENTS_BASE_URL"] && TOKEN_VARIABLES.some((name) => env[name]);
    if (!(error instanceof EntsError) || !isDenied(error.cause) || !isOptional) throw error;
    report?.note(`${error.message}; using the token and the address of the environment`);
    return settings;
  }
}

const EMPTY: StoredSettings = { config: {}, tokens: {} };

/** Empty if there is no file. */
async function readSettingsFile(path: string | undefined, uid: Context["process"]["uid"]): Promise<StoredSettings> {
  if (path === undefined) return EMPTY;
  try {
    const text = readStore(path, uid);
    // Without a file, zod is not needed.
    return (await import("./stored-settings.ts")).parseStored(text);
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return EMPTY;
    throw explainConfigFailure("read", path, cause);
  }
}

/** For the lock; a write takes far less. */
const MAX_WAIT_MS = 10_000;

/**
 * Applies `change` to the file, which is read again just before: another run may have written it.
 * The file has mode 0600, a new directory 0700.
 * @throws {EntsError} as `loadSettings`; output: it cannot be written.
 */
export async function saveSettings(
  { path }: Settings,
  change: (stored: StoredSettings) => StoredSettings,
  { process, signal }: Context,
): Promise<void> {
  if (path === undefined) {
    throw new EntsError("output", "no home directory for the config file", {
      hint: "set ENTS_CONFIG_DIR to a directory",
    });
  }
  // Loaded only to write: both are slow to load, and conf's signal handler ends the process before ents can clean up.
  const [{ default: Conf }, { takeLock }, { parseStored }] = await Promise.all([
    import("conf"),
    import("../files/lock.ts"),
    import("./stored-settings.ts"),
  ]);
  try {
    makeFolder(dirname(path));
    // conf has no lock of its own.
    const release = await takeLock({ path: `${path}.lock`, guards: path, process }, MAX_WAIT_MS, signal);
    try {
      replaceStored(Conf, { path, parse: () => parseStored(readStore(path, process.uid)) }, change);
    } finally {
      // The next run takes over a lock that cannot be removed.
      await release().catch(() => {});
    }
  } catch (cause) {
    throw cause instanceof EntsError ? cause : explainConfigFailure("write", path, cause);
  }
}

function replaceStored(
  Conf: typeof ConfClass,
  { path, parse }: { readonly path: string; readonly parse: () => StoredSettings },
  change: (stored: StoredSettings) => StoredSettings,
): void {
  // conf renames a new file over the old one, which would replace a read-only file.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const conf = new Conf<Partial<StoredSettings>>({
    cwd: dirname(path),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // conf reads any file as UTF-8.
    deserialize: parse,
  });
  const { config = {}, tokens = {}, ...rest } = conf.store;
  conf.store = change({ ...rest, config, tokens });
}

/** An error without a system code means that the content is invalid. */
function explainConfigFailure(action: "read" | "write", path: string, cause: unknown): EntsError {
  if (codeOf(cause) === undefined) {
    const hint = "fix or delete it, then run 'ents login'";
    return new EntsError("usage", `the config file ${path} is corrupt; it is unchanged`, { cause, hint });
  }
  return new EntsError("output", `cannot ${action} the config file ${path}: ${describeSystemError(cause)}`, {
    cause,
    hint: `${isDenied(cause) ? "check its permissions, or " : ""}set ENTS_CONFIG_DIR to another directory`,
  });
}

export function describePath({ path }: Settings): string {
  return path ?? "(no home directory)";
}

/** A value as `ents config` stores it. @throws {EntsError} usage: invalid. */
export function formatSetting(name: string, { schema }: OptionSpec, text: string): string {
  const value: unknown = parseValue(schema, text, name);
  return value instanceof URL ? value.href.replace(/\/$/, "") : text;
}

/** The base address, from the first of: flag, `ENTS_BASE_URL`, config, the public service. */
export function findBaseUrl(flag: URL | undefined, settings: Settings): URL {
  if (flag) return flag;
  const variable = settings.env["ENTS_BASE_URL"];
  if (variable) return parseValue("address", variable, "ENTS_BASE_URL");
  return readConfig("baseUrl", settings) ?? new URL(FETCH_OPTIONS.baseUrl.default);
}

/** A stored setting, checked again, since the file may have been edited. @throws {EntsError} usage: invalid. */
export function readConfig<K extends "baseUrl" | "maxWindow" | "rate" | "concurrency" | "cache">(
  key: K,
  settings: Settings,
) {
  const name = configKeyOf(key);
  const text = settings.config[name];
  const source = `${name} in ${describePath(settings)}`;
  return text === undefined
    ? undefined
    : parseValue<(typeof FETCH_OPTIONS)[K]["schema"]>(FETCH_OPTIONS[key].schema, text, source);
}
