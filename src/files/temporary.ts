/**
 * Files that are written beside their target and renamed when complete: the one way in which ents writes whole files.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Stats, fsync } from "node:fs";
import { type FileHandle, open, readdir, rm, stat, unlink, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Context, ProcessIdentity } from "../base/context.ts";
import { promisify } from "node:util";
import { codeOf } from "../base/errors.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** A file that is not in place yet. All methods reject with the system's errors. */
export interface TemporaryFile {
  readonly write: (part: string | Uint8Array) => Promise<void>;
  /** Resolves to the size in bytes. */
  readonly measure: () => Promise<number>;
  /** Syncs and closes the file, so that it is complete after a power cut once it is renamed. */
  readonly finish: () => Promise<void>;
  /** Renames the file; replaces an existing one. */
  readonly place: (path: string) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** The permissions of a file. */
type Permissions = Pick<Stats, "mode" | "uid" | "gid">;

interface TemporaryOptions extends Pick<Context, "process"> {
  /** The existing file, whose permissions are kept. */
  readonly old?: Permissions | undefined;
  /** The permissions of a new file; those of any new file by default. */
  readonly mode?: number;
}

/**
 * Creates a hidden file next to `path`, with the old file's permissions. Its name identifies the process, for
 * `removeLeftovers`.
 */
export async function openTemporary(
  path: string,
  { old, mode, process: { identity } }: TemporaryOptions,
): Promise<TemporaryFile> {
  const { pid, started } = identity;
  const owner = `${nameMachine(identity)}.${pid}.${started}`;
  const temporary = join(dirname(path), `${startTemporary(path)}${owner}.${randomBytes(4).toString("hex")}.ents-tmp`);
  const file = await open(temporary, "wx", mode);
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

/** Writes all of a file that is not in place yet. */
export async function finishTemporary(
  path: string,
  content: string | Uint8Array,
  options: TemporaryOptions,
): Promise<Pick<TemporaryFile, "place" | "discard">> {
  const temporary = await openTemporary(path, options);
  try {
    await temporary.write(content);
    await temporary.finish();
    return temporary;
  } catch (error) {
    await temporary.discard().catch(() => {});
    throw error;
  }
}

/**
 * Writes a file as a whole. `check` gets its size in bytes before it is put into place, and may throw. Rejects with the
 * system's errors.
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  { check, ...options }: TemporaryOptions & { readonly check?: ((bytes: number) => void) | undefined },
): Promise<void> {
  const temporary = await finishTemporary(path, content, options);
  try {
    check?.(Buffer.byteLength(content));
    await temporary.place(path);
  } catch (error) {
    await temporary.discard().catch(() => {});
    throw error;
  }
}

/**
 * If the group of the old file cannot be kept, the new group gets no permissions. The mode is set only if it differs,
 * as disks with one mode for all files (FAT, network shares) may refuse to set it.
 */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: Permissions): Promise<void> {
  const { uid: owner } = await file.stat();
  await file.chown(uid, gid).catch(() => file.chown(owner, gid).catch(() => {}));
  const fresh = await file.stat();
  const kept = mode & (fresh.gid === gid ? 0o777 : 0o707);
  if ((fresh.mode & 0o777) !== kept) await file.chmod(kept);
}

/** Longer names are hashed, to leave room for the rest of a temporary name: file systems allow 255 bytes. */
const MAX_NAME_BYTES = 160;

function startTemporary(path: string): string {
  const name = basename(path);
  return `.${Buffer.byteLength(name) > MAX_NAME_BYTES ? hashPath(name) : name}.`;
}

function hashPath(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function nameMachine({ host, boot, namespace }: ProcessIdentity): string {
  return hashPath(JSON.stringify([host, boot, namespace]));
}

/** True for the name of a file that is being written, or was when its run was killed. */
export function isTemporary(name: string): boolean {
  return name.startsWith(".") && TEMPORARY.test(name);
}

/** What follows the name of the target: machine, process, its start, and a random number. */
const TEMPORARY = /[.]([0-9a-f]{8})[.](\d+)[.](\d*)[.][0-9a-f]{8}[.]ents-tmp$/;
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes temporary files of processes that have ended, and all that are older than a day. */
export async function removeLeftovers(path: string, { identity, isGone }: Context["process"]): Promise<void> {
  const start = startTemporary(path);
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const found = name.startsWith(start) ? TEMPORARY.exec(name) : null;
    if (found?.index !== start.length - 1) continue;
    const [, machine, pid, started = ""] = found;
    const leftover = join(dirname(path), name);
    const gone = machine === nameMachine(identity) && isGone({ ...identity, pid: Number(pid), started }) === true;
    const { mtimeMs } = (await stat(leftover).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    // It may belong to another user.
    if (gone || Date.now() - mtimeMs > LEFTOVER_AGE_MS) await unlink(leftover).catch(() => {});
  }
}

/**
 * Codes where files cannot be synced: devices, and some network shares, object stores and folders of virtual machines.
 */
const UNSUPPORTED = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Waits until the content is on disk, where the file system can tell. */
export async function syncFile(file: FileHandle): Promise<void> {
  // By its number: the file handles of Yarn's Plug'n'Play have no method for it.
  await promisify(fsync)(file.fd).catch((error: unknown) => {
    if (!UNSUPPORTED.includes(codeOf(error) ?? "")) throw error;
  });
}

/**
 * Codes of a change that failed while another program has the file open: on Windows, and on Windows disks and network
 * shares elsewhere.
 */
const HELD = ["EACCES", "EBUSY", "EPERM"];
/** Longer than virus scanners and indexers hold a file. */
const MAX_WAIT_MS = 1000;
const POLL_MS = 50;

/** Renames a file over another; retries while other programs have it open. */
export function replaceFile(from: string, to: string): Promise<void> {
  return retryHeld(() => rename(from, to));
}

/** Runs a change of a file again while other programs have the file open. */
export async function retryHeld<T>(change: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return await change();
    } catch (error) {
      if (waitedMs >= MAX_WAIT_MS || !HELD.includes(codeOf(error) ?? "")) throw error;
    }
    await sleep(POLL_MS);
  }
}
