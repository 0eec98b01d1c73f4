/** The config file: read without being touched, written whole. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type ConfClass from "conf";
import * as z from "zod";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError, messageOf, usageError } from "../base/errors.ts";

/** Far longer than a write takes. */
const MAX_WAIT_MS = 10_000;

/** Fields that this version does not know are kept. */
const storedSchema = z.looseObject({
  config: z.record(z.string(), z.string()).default({}),
  /** By origin: a token goes to no other. */
  tokens: z.record(z.string(), z.string()).default({}),
});

/** What is kept between runs. */
export interface Stored {
  readonly config: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
}

/** The file in `ENTS_CONFIG_DIR`, else in the platform's config directory under `ents`; undefined for a user without a home. */
export async function findStorePath(env: Context["env"], cwd: string): Promise<string | undefined> {
  const directory = env["ENTS_CONFIG_DIR"] || (await findConfigDirectory());
  return directory && join(resolve(cwd, directory), "config.json");
}

async function findConfigDirectory(): Promise<string | undefined> {
  try {
    const { default: envPaths } = await import("env-paths");
    return envPaths("ents", { suffix: "" }).config;
  } catch {
    return undefined;
  }
}

/** Nothing where there is no file. @throws {EntsError} usage: the file is corrupt; output: it cannot be read. */
export function readStored(path: string | undefined): Stored {
  const nothing: Stored = { config: {}, tokens: {} };
  if (path === undefined) return nothing;
  try {
    return parseStored(readFileSync(path, "utf8"));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return nothing;
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("read", path, cause);
  }
}

function parseStored(text: string): z.infer<typeof storedSchema> {
  return storedSchema.parse(JSON.parse(text));
}

/**
 * Replaces what is kept by what `change` makes of it; the file is its owner's alone, and so is a directory that is made.
 * The file is read again for that, just before: another run may have written it.
 */
export async function writeStored(
  path: string | undefined,
  change: (stored: Stored) => Stored,
  process: Context["process"],
): Promise<void> {
  if (path === undefined) {
    throw new EntsError("output", "there is no home directory to keep the config file in", { hint: "name a directory in ENTS_CONFIG_DIR" });
  }
  // Loaded to write only: both take a while, and conf ends the process at a signal before ents has a say.
  const [{ default: Conf }, { waitForLock }] = await Promise.all([import("conf"), import("../files/lock.ts")]);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // conf reads and writes without a lock.
    const release = await waitForLock({ path: `${path}.lock`, guards: path, process }, MAX_WAIT_MS);
    try {
      replaceStored(Conf, path, change);
    } finally {
      await release();
    }
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("write", path, cause);
  }
}

function replaceStored(Conf: typeof ConfClass, path: string, change: (stored: Stored) => Stored): void {
  // A rename would replace a file that is read-only.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const conf = new Conf<Partial<Stored>>({
    cwd: dirname(path),
    configName: "config",
    projectName: "ents",
    projectSuffix: "",
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    deserialize: parseStored,
  });
  const { config = {}, tokens = {}, ...rest } = conf.store;
  conf.store = change({ ...rest, config, tokens });
}

function corruptFile(path: string, cause: unknown): EntsError {
  const error = usageError(`the config file ${path} is corrupt, and was left as it is`, "fix or delete it, then run 'ents login'");
  error.cause = cause;
  return error;
}

function fileError(action: "read" | "write", path: string, cause: unknown): EntsError {
  return new EntsError("output", `cannot ${action} the config file ${path}: ${messageOf(cause)}`, {
    cause,
    hint: "check its permissions, or name another directory in ENTS_CONFIG_DIR",
  });
}
