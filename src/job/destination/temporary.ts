/** Temporary files, which are written next to their target and renamed when complete. */
import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Context, ProcessIdentity } from "../../base/context.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { syncFile } from "../../files/sync-file.ts";
import type { Encoded } from "../../format/format.ts";
import type { FileTarget } from "./target.ts";

/** A file that is not in place yet. All methods reject with the system's errors. */
export interface TemporaryFile {
  readonly write: (part: Encoded) => Promise<void>;
  /** Resolves to the size in bytes. */
  readonly measure: () => Promise<number>;
  /** Syncs and closes the file, so that it is complete after a power cut once it is renamed. */
  readonly finish: () => Promise<void>;
  /** Renames the file; replaces an existing one. */
  readonly place: (path: string) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** Creates a hidden file next to `path`, with the old file's permissions. Its name identifies the process, for `removeLeftovers`. */
export async function openTemporary(
  path: string,
  { old, process: { identity } }: Pick<FileTarget, "old"> & Pick<Context, "process">,
): Promise<TemporaryFile> {
  const { pid, started } = identity;
  const owner = `${nameMachine(identity)}.${pid}.${started}`;
  const temporary = join(dirname(path), `${startTemporary(path)}${owner}.${randomBytes(4).toString("hex")}.ents-tmp`);
  const file = await open(temporary, "wx");
  const discard = async () => {
    // Saves the disk from writing discarded data.
    await file.truncate(0).catch(() => {});
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
  };
  try {
    if (old) await copyPermissions(file, old);
  } catch (error) {
    await discard().catch(() => {});
    throw error;
  }
  return {
    write: (part) => file.appendFile(part),
    measure: async () => (await file.stat()).size,
    finish: async () => {
      await syncFile(file);
      await file.close();
    },
    place: (to) => replaceFile(temporary, to),
    discard,
  };
}

/**
 * If the group of the old file cannot be kept, the new group gets no permissions. The mode is set only if it differs, as disks
 * with one mode for all files (FAT, network shares) may refuse to set it.
 */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: NonNullable<FileTarget["old"]>): Promise<void> {
  const { uid: own } = await file.stat();
  await file.chown(uid, gid).catch(() => file.chown(own, gid).catch(() => {}));
  const fresh = await file.stat();
  const kept = mode & (fresh.gid === gid ? 0o777 : 0o707);
  if ((fresh.mode & 0o777) !== kept) await file.chmod(kept);
}

/** Longer names are hashed, to leave room for the rest of a temporary name: file systems allow 255 bytes. */
const MAX_NAME_BYTES = 160;

function startTemporary(path: string): string {
  const name = basename(path);
  return `.${Buffer.byteLength(name) > MAX_NAME_BYTES ? hash(name) : name}.`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function nameMachine({ host, boot, namespace }: ProcessIdentity): string {
  return hash(JSON.stringify([host, boot, namespace]));
}

const TEMPORARY = /^([0-9a-f]{8})\.(\d+)\.(\d*)\.[0-9a-f]{8}\.ents-tmp$/;
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes temporary files of processes that have ended, and all that are older than a day. */
export async function removeLeftovers(path: string, { identity, isGone }: Context["process"]): Promise<void> {
  const start = startTemporary(path);
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const found = name.startsWith(start) ? TEMPORARY.exec(name.slice(start.length)) : null;
    if (!found) continue;
    const [, machine, pid, started = ""] = found;
    const leftover = join(dirname(path), name);
    const gone = machine === nameMachine(identity) && isGone({ ...identity, pid: Number(pid), started }) === true;
    const { mtimeMs } = (await stat(leftover).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    // It may belong to another user.
    if (gone || Date.now() - mtimeMs > LEFTOVER_AGE_MS) await unlink(leftover).catch(() => {});
  }
}
