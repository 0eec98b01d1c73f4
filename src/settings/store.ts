/** The config file: reading never creates it, writing replaces it whole. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type ConfClass from "conf";
import * as z from "zod/mini";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError, usageError } from "../base/errors.ts";
import { makeFolder } from "../files/folders.ts";
import { describeSystemError } from "../files/system-error.ts";

/** For the lock; a write takes far less. */
const MAX_WAIT_MS = 10_000;

/** Loose: keeps the fields of newer versions. */
const storedSchema = z.looseObject({
  config: z._default(z.record(z.string(), z.string()), {}),
  /** By origin: a token is sent to no other. */
  tokens: z._default(z.record(z.string(), z.string()), {}),
  /** The plans of these tokens, by origin, where the service told them. */
  plans: z.optional(z.record(z.string(), z.string())),
});

export interface Stored {
  readonly config: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
  readonly plans?: Readonly<Record<string, string>> | undefined;
}

/** Empty where there is no file. @throws {EntsError} usage: the file is corrupt; output: it cannot be read. */
export function readStored(path: string | undefined): Stored {
  const empty: Stored = { config: {}, tokens: {} };
  if (path === undefined) return empty;
  try {
    return parseStored(readFileSync(path, "utf8"));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return empty;
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("read", path, cause);
  }
}

function parseStored(text: string): z.infer<typeof storedSchema> {
  return storedSchema.parse(JSON.parse(text));
}

/**
 * Applies `change` to the file, which is read again just before: another run may have written it.
 * The file has mode 0600, a new directory 0700.
 */
export async function writeStored(
  path: string | undefined,
  change: (stored: Stored) => Stored,
  { process, signal }: Pick<Context, "process" | "signal">,
): Promise<void> {
  if (path === undefined) {
    throw new EntsError("output", "no home directory for the config file", { hint: "set ENTS_CONFIG_DIR to a directory" });
  }
  // Loaded only to write: both are slow to load, and conf's signal handler ends the process before ents can clean up.
  const [{ default: Conf }, { waitForLock }] = await Promise.all([import("conf"), import("../files/lock.ts")]);
  try {
    makeFolder(dirname(path));
    // conf has no lock of its own.
    const release = await waitForLock({ path: `${path}.lock`, guards: path, process }, MAX_WAIT_MS, signal);
    try {
      replaceStored(Conf, path, change);
    } finally {
      // The next run takes over what cannot be removed.
      await release().catch(() => {});
    }
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("write", path, cause);
  }
}

function replaceStored(Conf: typeof ConfClass, path: string, change: (stored: Stored) => Stored): void {
  // conf renames a new file over it, which would replace a read-only one.
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
  const error = usageError(`the config file ${path} is corrupt; it is unchanged`, "fix or delete it, then run 'ents login'");
  error.cause = cause;
  return error;
}

function fileError(action: "read" | "write", path: string, cause: unknown): EntsError {
  const isDenied = ["EACCES", "EPERM", "EROFS"].includes(codeOf(cause) ?? "");
  return new EntsError("output", `cannot ${action} the config file ${path}: ${describeSystemError(cause)}`, {
    cause,
    hint: `${isDenied ? "check its permissions, or " : ""}set ENTS_CONFIG_DIR to another directory`,
  });
}
