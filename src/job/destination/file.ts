import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Context, ProcessIdentity } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { Encoded } from "../../format/format.ts";
import type { Sink } from "./sink.ts";

type FileContext = Pick<Context, "process" | "cwd">;

/**
 * A sink on a file: writes a temporary file beside it and renames that over it at `commit`.
 * Writes directly to a device or pipe.
 * @throws {EntsError} output: it cannot be written; checked before the first byte.
 */
export async function openFileSink(path: string, { process, cwd }: FileContext): Promise<Sink> {
  try {
    const target = await resolveTarget(resolve(cwd, path), path);
    return target.replaceable ? await openReplacement(target, process) : openDirect(await open(target.path, "w"), path);
  } catch (error) {
    throw toFileError(error, path);
  }
}

interface Target {
  /** Links resolved. */
  readonly path: string;
  readonly replaceable: boolean;
  /** Permissions of the old file. */
  readonly mode: number | undefined;
}

async function resolveTarget(path: string, shownPath: string): Promise<Target> {
  const real = await realpath(path).catch(() => followLink(path));
  const status = await stat(real).catch(() => undefined);
  if (!status) return { path: real, replaceable: true, mode: undefined };
  if (status.isDirectory())
    throw new EntsError("output", `cannot write ${shownPath}: it is a directory`, { hint: "use the name of a file" });
  await access(real, constants.W_OK);
  return { path: real, replaceable: status.isFile(), mode: status.mode & 0o777 };
}

/** The target of a broken link; the path itself where it is no link. */
async function followLink(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : resolve(dirname(path), link);
}

async function openReplacement({ path, mode }: Target, process: Context["process"]): Promise<Sink> {
  await removeLeftovers(path, process);
  const temporary = join(dirname(path), nameTemporary(path, process.identity));
  const file = await open(temporary, "wx");
  const discard = async () => {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
  };
  try {
    if (mode !== undefined) await file.chmod(mode);
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    write: (part) => append(file, part, path),
    commit: () => replace(file, temporary, path),
    discard,
  };
}

/** The name identifies the process, so that a later run can remove the file of a killed one. */
function nameTemporary(path: string, identity: ProcessIdentity): string {
  const { pid, started } = identity;
  return `.${basename(path)}.${nameMachine(identity)}.${pid}.${started}.${randomBytes(4).toString("hex")}.ents-tmp`;
}

function nameMachine({ host, boot, namespace }: ProcessIdentity): string {
  return createHash("sha256")
    .update(JSON.stringify([host, boot, namespace]))
    .digest("hex")
    .slice(0, 8);
}

const TEMPORARY = /^([0-9a-f]{8})\.(\d+)\.(\d*)\.[0-9a-f]{8}\.ents-tmp$/;
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes temporary files of processes that have ended; those of other machines after a day. */
async function removeLeftovers(path: string, { identity, isGone }: Context["process"]): Promise<void> {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const found = name.startsWith(start) ? TEMPORARY.exec(name.slice(start.length)) : null;
    if (!found) continue;
    const [, machine, pid, started = ""] = found;
    const leftover = join(dirname(path), name);
    const gone = machine === nameMachine(identity) && isGone({ ...identity, pid: Number(pid), started }) === true;
    if (gone || (await readAge(leftover)) > LEFTOVER_AGE_MS) await rm(leftover, { force: true });
  }
}

async function readAge(path: string): Promise<number> {
  const status = await stat(path).catch(() => undefined);
  return status ? Date.now() - status.mtimeMs : 0;
}

function openDirect(file: FileHandle, path: string): Sink {
  return {
    write: (part) => append(file, part, path),
    commit: () => file.close(),
    discard: () => file.close().catch(() => {}),
  };
}

async function append(file: FileHandle, part: Encoded, path: string): Promise<void> {
  try {
    await file.appendFile(part);
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** Synced before the rename: after a power cut, the file is the old one or the whole new one. */
async function replace(file: FileHandle, temporary: string, path: string): Promise<void> {
  try {
    await file.sync();
    await file.close();
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** Makes the rename survive a power cut, where the platform supports it. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => undefined);
  await directory?.sync().catch(() => {});
  await directory?.close();
}

function toFileError(error: unknown, path: string): EntsError {
  if (error instanceof EntsError) return error;
  const reason = describeSystemError(error);
  const isMissing = codeOf(error) === "ENOENT";
  return new EntsError("output", `cannot write ${path}: ${reason}`, {
    cause: error,
    hint: `${isMissing ? "create it, or" : "the existing file is unchanged;"} choose another with ${OUTPUT_OPTIONS.output.short}`,
  });
}
