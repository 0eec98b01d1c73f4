import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Context, ProcessIdentity } from "../../base/context.ts";
import { codeOf, EntsError, messageOf } from "../../base/errors.ts";
import type { Encoded } from "../../format/format.ts";
import type { Sink } from "./sink.ts";

type FileContext = Pick<Context, "process" | "cwd">;

/**
 * A sink on a file: written to a temporary file beside it, which takes its place at `commit`.
 * A device or pipe, which nothing can take the place of, is written to directly.
 * @throws {EntsError} output: before a byte is written, when it cannot be.
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
  /** The file itself, links followed. */
  readonly path: string;
  readonly replaceable: boolean;
  /** Permissions that the new file takes over from the old. */
  readonly mode: number | undefined;
}

async function resolveTarget(path: string, asGiven: string): Promise<Target> {
  const real = await realpath(path).catch(() => followLink(path));
  const status = await stat(real).catch(() => undefined);
  if (!status) return { path: real, replaceable: true, mode: undefined };
  if (status.isDirectory()) throw new EntsError("output", `cannot write ${asGiven}: it is a directory`, { hint: "name a file" });
  await access(real, constants.W_OK);
  return { path: real, replaceable: status.isFile(), mode: status.mode & 0o777 };
}

/** Where a link leads that leads to no file yet; the path itself where it is none. */
async function followLink(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : resolve(dirname(path), link);
}

async function openReplacement({ path, mode }: Target, process: Context["process"]): Promise<Sink> {
  await removeLeftovers(path, process);
  const temporary = join(dirname(path), nameTemporary(path, process.identity));
  const file = await open(temporary, "wx");
  if (mode !== undefined) await file.chmod(mode);
  return {
    write: (part) => append(file, part, path),
    commit: () => replace(file, temporary, path),
    discard: async () => {
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Says which process writes it, so that a later run can take away what a killed one left. */
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

/** Removes temporary files of processes that have ended; where that cannot be told (another machine's), those a day old. */
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

/** The new file is whole on the disk before it takes the old one's name. */
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

/** Makes the rename last through a power cut, where the platform can. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => undefined);
  await directory?.sync().catch(() => {});
  await directory?.close();
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its directory does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

function toFileError(error: unknown, path: string): EntsError {
  if (error instanceof EntsError) return error;
  const reason = REASONS[codeOf(error) ?? ""] ?? messageOf(error);
  return new EntsError("output", `cannot write ${path}: ${reason}`, {
    cause: error,
    hint: "the existing file is unchanged; choose another with -o",
  });
}
