import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { codeOf, EntsError, messageOf, usageError } from "../base/errors.ts";

/** Fields that this version does not know are kept. */
const storedSchema = z.looseObject({
  config: z.record(z.string(), z.string()).optional(),
  /** By origin: a token goes to no other. */
  tokens: z.record(z.string(), z.string()).optional(),
});

/** What is kept between runs. */
export interface Stored {
  readonly config: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
}

/** The config file: read without being touched, written whole. */
export interface Store {
  readonly path: string;
  /** @throws {EntsError} usage: the file is corrupt; output: it cannot be read. */
  read(): Promise<Stored>;
  /** Replaces what is kept; the file is its owner's alone. @throws {EntsError} as above, or output: it cannot be written. */
  write(stored: Stored): Promise<void>;
}

/** The store in `ENTS_CONFIG_DIR`, else in the platform's config directory under `ents`. Nothing is read or made yet. */
export async function openStore(env: Readonly<Record<string, string | undefined>>): Promise<Store> {
  const directory = env["ENTS_CONFIG_DIR"] || (await findConfigDirectory());
  if (directory === undefined) return readOnlyStore;
  const path = join(directory, "config.json");
  return {
    path,
    read: async () => readStored(path),
    write: (stored) => writeStored(directory, path, stored),
  };
}

const EMPTY: Stored = { config: {}, tokens: {} };

/** A user without a home directory has nothing stored. */
const readOnlyStore: Store = {
  path: "(no home directory)",
  read: async () => EMPTY,
  write: async () => {
    throw new EntsError("output", "there is no home directory to keep the config file in", { hint: "name a directory in ENTS_CONFIG_DIR" });
  },
};

async function findConfigDirectory(): Promise<string | undefined> {
  try {
    const { default: envPaths } = await import("env-paths");
    return envPaths("ents", { suffix: "" }).config;
  } catch {
    return undefined;
  }
}

async function writeStored(directory: string, path: string, stored: Stored): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    chmodSync(directory, 0o700);
    const conf = await openConf(directory, path);
    conf.store = { ...stored };
  } catch (cause) {
    throw cause instanceof EntsError ? cause : fileError("write", path, cause);
  }
}

/** conf is loaded to write only: it takes a while, makes directories as it is constructed, and heeds signals its own way. */
async function openConf(directory: string, path: string) {
  const { default: Conf } = await import("conf");
  try {
    return new Conf<z.infer<typeof storedSchema>>({
      cwd: directory,
      configName: "config",
      projectName: "ents",
      projectSuffix: "",
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      // Checked before conf makes an object of whatever JSON it finds.
      deserialize: (text) => storedSchema.parse(JSON.parse(text)),
    });
  } catch (cause) {
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("read", path, cause);
  }
}

function readStored(path: string): Stored {
  try {
    const stored = storedSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { ...stored, config: stored.config ?? {}, tokens: stored.tokens ?? {} };
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return EMPTY;
    throw codeOf(cause) === undefined ? corruptFile(path, cause) : fileError("read", path, cause);
  }
}

function corruptFile(path: string, cause: unknown): EntsError {
  const error = usageError(`the config file ${path} is corrupt, and was left as it is`, "mend it, or remove it and run 'ents login' again");
  error.cause = cause;
  return error;
}

function fileError(action: "read" | "write", path: string, cause: unknown): EntsError {
  return new EntsError("output", `cannot ${action} the config file ${path}: ${messageOf(cause)}`, {
    cause,
    hint: "check its permissions, or name another directory in ENTS_CONFIG_DIR",
  });
}
