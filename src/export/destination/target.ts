/** Finds the target of `-o`: a file, folder, pipe, device or descriptor. */
import { constants, type Stats, readFileSync } from "node:fs";
import { access, lstat, readlink, realpath, stat } from "node:fs/promises";
import { devNull } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError, attempt } from "../../base/errors.ts";
import { IS_WINDOWS } from "../../base/platform.ts";
import { isNodeInternal } from "../../files/descriptors.ts";
import { describeSystemError, isFolderGone } from "../../files/system-error.ts";
import { NULL_DEVICE } from "../../files/windows-name.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";

export type Target = FileTarget | FolderTarget | StreamTarget;

/** A regular file, which may not exist yet; it is replaced as a whole. */
export interface FileTarget {
  readonly kind: "file";
  /** As the user wrote it. */
  readonly name: string;
  /** Links resolved. */
  readonly path: string;
  /** The existing file, if any. */
  readonly old: Pick<Stats, "mode" | "uid" | "gid" | "size"> | undefined;
}

/** A folder for a dataset of several files; it may not exist yet. */
export interface FolderTarget {
  readonly kind: "folder";
  /** As the user wrote it, without a trailing slash. */
  readonly name: string;
  /** Links resolved. */
  readonly path: string;
  readonly period: Period;
}

/** Where a result is written as a whole, and responses can be stored beside it. */
export type PathTarget = FileTarget | FolderTarget;

/** The period that one file of a dataset covers. */
export type Period = "year" | "month" | "day";

/** Not a regular file: written to once, from start to end. */
export type StreamTarget =
  /** A descriptor that this process has open: /dev/stdout, /dev/fd/63. */
  | { readonly kind: "descriptor"; readonly name: string; readonly fd: number }
  | { readonly kind: "pipe" | "device"; readonly name: string; readonly path: string };

/** The same limit as in Linux. */
const MAX_LINKS = 40;

/** Follows links to their final target, which may not exist yet. @throws {EntsError} output: it cannot be written. */
export async function resolveTarget(name: string, { cwd, process }: Pick<Context, "cwd" | "process">): Promise<Target> {
  if (IS_WINDOWS && NULL_DEVICE.test(name)) return { kind: "device", name, path: devNull };
  try {
    const descriptors = await realpath("/dev/fd").catch(() => undefined);
    // Not normalized: after a link to a directory, `..` is that directory's parent. On Windows it is not, and a drive
    // may come first.
    let path = isAbsolute(name) ? name : IS_WINDOWS ? resolve(cwd, name) : `${resolve(cwd)}${sep}${name}`;
    // Only an existing directory may have a trailing slash.
    if (name.endsWith("/") || name.endsWith(sep)) await requireFolder(path);
    for (let links = 0; links <= MAX_LINKS; links++) {
      const folder = await findRealPath(dirname(path));
      await requireFolder(folder);
      const file = join(folder, basename(path));
      if (folder === descriptors && /^\d+$/.test(basename(file))) return openedBefore(Number(basename(file)), name);
      const link = await readlink(file).catch(() => undefined);
      if (link === undefined) return await inspectTarget(file, name);
      await checkLink(file, process.uid);
      path = isAbsolute(link) ? link : `${folder}${sep}${link}`;
    }
  } catch (error) {
    throw toFileError(error, name);
  }
  throw new EntsError("output", `cannot write ${name}: its links form a loop`, { hint: CHOOSE_ANOTHER });
}

/**
 * Resolves a folder, which may not exist yet. @throws {EntsError} output: its parent is missing, or something else is
 * there.
 */
export async function resolveFolder(
  written: string,
  period: Period,
  { cwd, process }: Pick<Context, "cwd" | "process">,
): Promise<FolderTarget> {
  const named = written.replace(/(?<=.)[/\\]+$/, "");
  const path = resolve(cwd, named);
  // Replaces `.` and `..` by the full path, as files next to the folder are named after it.
  const name = /^\.{1,2}$/.test(basename(named)) ? path : named;
  try {
    const status = await lstat(path).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    if (!status) return { kind: "folder", name, period, path: join(await findRealPath(dirname(path)), basename(path)) };
    if (status.isSymbolicLink()) await checkLink(path, process.uid);
    const real = await findRealPath(path);
    if ((await stat(real)).isDirectory()) return { kind: "folder", name, period, path: real };
  } catch (error) {
    throw toFileError(error, name);
  }
  throw new EntsError("output", `cannot write ${name}: it is not a directory`, {
    hint: `${UPKEEP_FLAGS.partition} needs the name of a folder`,
  });
}

/** On Windows, a file may stand where a folder should: opening what is below it fails as if nothing were there. */
async function requireFolder(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
}

/** The path itself, where the file system resolves none: some disks of Windows, in memory or in a container. */
async function findRealPath(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") throw error;
    return path;
  });
}

/**
 * Applies the rule of Linux's fs.protected_symlinks, which is not enforced for a program that reads and follows links
 * itself.
 */
async function checkLink(path: string, uid: number | undefined): Promise<void> {
  const [link, folder] = await Promise.all([lstat(path), stat(dirname(path))]);
  const isShared = (folder.mode & STICKY_AND_OPEN) === STICKY_AND_OPEN;
  if (uid === undefined || !isShared || link.uid === uid || link.uid === folder.uid) return;
  throw new EntsError(
    "output",
    `cannot write through ${path}: this link in a shared directory belongs to another user`,
    {
      hint: CHOOSE_ANOTHER,
    },
  );
}

/** The sticky bit, and writable by others. */
const STICKY_AND_OPEN = 0o1002;

function openedBefore(fd: number, name: string): Target {
  if (!isNodeInternal(fd)) return { kind: "descriptor", name, fd };
  throw new EntsError("output", `cannot write ${name}: descriptor ${fd} is not open`, {
    hint: `open it, as in ${fd}> file`,
  });
}

async function inspectTarget(path: string, name: string): Promise<Target> {
  const status = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (!status) return { kind: "file", name, path, old: undefined };
  if (status.isDirectory()) {
    const hint = `use the name of a file, or ${UPKEEP_FLAGS.partition} to write several files into it`;
    throw new EntsError("output", `cannot write ${name}: it is a directory`, { hint });
  }
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw toFileError(error, name, status.isFile());
  });
  if (status.isFile()) {
    if (!isMountPoint(path)) return { kind: "file", name, path, old: status };
    throw new EntsError("output", `cannot replace ${name}: this file is mounted on its own, as in a container`, {
      hint: "mount its folder instead, or choose another file",
    });
  }
  return { kind: status.isFIFO() ? "pipe" : "device", name, path };
}

const CHOOSE_ANOTHER = `choose another with ${OUTPUT_OPTIONS.output.short}`;

/** `exists`: whether there is an old file. */
export function toFileError(error: unknown, name: string, exists = false): EntsError {
  if (error instanceof EntsError) return error;
  return new EntsError("output", `cannot write ${name}: ${describeSystemError(error)}`, {
    cause: error,
    hint: `${exists ? "the existing file is unchanged; " : ""}${suggestFirst(error)}${CHOOSE_ANOTHER}`,
  });
}

const REMEDIES: Readonly<Record<string, string>> = { ENOENT: "create it, or ", ENOSPC: "free some space, or " };

/** Suggests a remedy to try before choosing another file. */
function suggestFirst(error: unknown): string {
  return isFolderGone(error) ? "" : (REMEDIES[codeOf(error) ?? ""] ?? "");
}

/** The place of the mount point among the fields of a line. */
const MOUNT_POINT = 4;

/** True if the path is mounted on its own, as a single file of a container is: no other file can be renamed over it. */
function isMountPoint(path: string): boolean {
  const lines = attempt(() => readFileSync("/proc/self/mountinfo", "utf8").split("\n")) ?? [];
  const escaped = path.replaceAll(
    /[\t\n \\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return lines.some((line) => line.split(" ", MOUNT_POINT + 1)[MOUNT_POINT] === escaped);
}
