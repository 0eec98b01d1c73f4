import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError, messageOf } from "../../base/errors.ts";
import type { Sink } from "./sink.ts";

/**
 * A sink on a file: written to a temporary file beside it, or in the folder `workshop` beside it, which takes its place
 * at `commit`.
 * A device or pipe, which nothing can take the place of, is written to directly.
 * @throws {EntsError} output: before a byte is written, when it cannot be.
 */
export async function openFileSink(path: string, { process, cwd }: Pick<Context, "process" | "cwd">, workshop?: string): Promise<Sink> {
  try {
    const target = await resolveTarget(resolve(cwd, path), path);
    return target.replaceable
      ? await openReplacement(target, process, workshop && resolve(cwd, workshop))
      : openDirect(await open(target.path, "w"), path);
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

async function openReplacement({ path, mode }: Target, process: Context["process"], workshop?: string): Promise<Sink> {
  await removeLeftovers(path, process);
  const folder = await chooseFolder(dirname(path), workshop);
  const temporary = join(folder, `.${basename(path)}.${process.id}.${randomBytes(4).toString("hex")}.ents-tmp`);
  const file = await open(temporary, "wx");
  if (mode !== undefined) await file.chmod(mode);
  return {
    write: (text) => append(file, text, path),
    commit: () => replace(file, temporary, path),
    discard: async () => {
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** The workshop, unless a link leads the output to another folder, which may be on another disk. */
async function chooseFolder(beside: string, workshop: string | undefined): Promise<string> {
  if (workshop === undefined) return beside;
  const [real, own] = await Promise.all([realpath(beside), realpath(dirname(workshop))]);
  return real === own ? workshop : beside;
}

const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

/** Temporary files of processes that were killed, which nobody else takes away; a day old, as another machine may share the folder. */
async function removeLeftovers(path: string, { isRunning }: Context["process"]): Promise<void> {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const owner = name.startsWith(start) ? /^(\d+)\.[0-9a-f]+\.ents-tmp$/.exec(name.slice(start.length))?.[1] : undefined;
    if (owner === undefined || isRunning(Number(owner))) continue;
    const leftover = join(dirname(path), name);
    const age = Date.now() - ((await stat(leftover).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > LEFTOVER_AGE_MS) await rm(leftover, { force: true });
  }
}

function openDirect(file: FileHandle, path: string): Sink {
  return {
    write: (text) => append(file, text, path),
    commit: () => file.close(),
    discard: () => file.close().catch(() => {}),
  };
}

async function append(file: FileHandle, text: string | Uint8Array, path: string): Promise<void> {
  try {
    await file.appendFile(text);
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
    hint: "what was there is as it was; give another file with -o",
  });
}
