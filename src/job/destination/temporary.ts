/** Files that are written beside the place where they belong, and renamed when they are complete. */
import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Context, ProcessIdentity } from "../../base/context.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { Encoded } from "../../format/format.ts";
import type { FileTarget } from "./target.ts";

/** Creates a file, which must not exist, with its first bytes; later writes append to them. */
export type Create = (path: string) => Promise<FileHandle>;

const createEmpty: Create = (path) => open(path, "wx");

/** A file that is not in its place yet. All reject with the system's errors. */
export interface TemporaryFile {
  readonly file: FileHandle;
  readonly write: (part: Encoded) => Promise<void>;
  /** Starts to sync what is written so far, without waiting: `finish` waits, and rejects if this fails. */
  readonly startSync: () => void;
  /** Syncs and closes it: after a power cut, what is renamed is whole. */
  readonly finish: () => Promise<void>;
  /** Renames it over another file, or to where there is none. */
  readonly place: (path: string) => Promise<void>;
  readonly discard: () => Promise<void>;
}

interface TemporaryOptions extends Pick<FileTarget, "old"> {
  readonly process: Context["process"];
  readonly create?: Create | undefined;
}

/** A hidden file beside `path`, with the permissions of the old one. */
export async function openTemporary(path: string, { old, process, create = createEmpty }: TemporaryOptions): Promise<TemporaryFile> {
  const temporary = join(dirname(path), nameTemporary(path, process.identity));
  const file = await create(temporary).catch(async (error: unknown) => {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  });
  const discard = async () => {
    // So that the disk need not write what is thrown away.
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
  let [started, isDue] = [Promise.resolve(), false];
  return {
    file,
    write: (part) => file.appendFile(part),
    startSync: () => {
      // A sync that is queued covers this part too.
      if (isDue) return;
      isDue = true;
      started = started.then(() => {
        isDue = false;
        return file.datasync();
      });
      started.catch(() => {});
    },
    finish: async () => {
      await started;
      await file.sync();
      await file.close();
    },
    place: (to) => replaceFile(temporary, to),
    discard,
  };
}

/**
 * Where the group of the old file cannot be kept, another one gets no rights. Disks that have one mode for all files (FAT,
 * network shares) may refuse to set it.
 */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: NonNullable<FileTarget["old"]>): Promise<void> {
  const { uid: own } = await file.stat();
  await file.chown(uid, gid).catch(() => file.chown(own, gid).catch(() => {}));
  const fresh = await file.stat();
  const kept = mode & (fresh.gid === gid ? 0o777 : 0o707);
  if ((fresh.mode & 0o777) !== kept) await file.chmod(kept);
}

/** The name identifies the process, so that a later run can remove the file of a killed one. */
function nameTemporary(path: string, identity: ProcessIdentity): string {
  const { pid, started } = identity;
  return `${startTemporary(path)}${nameMachine(identity)}.${pid}.${started}.${randomBytes(4).toString("hex")}.ents-tmp`;
}

/** Bytes of a name that leave room for the rest: file systems allow 255 in all. */
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

/** Removes temporary files of processes that have ended; those of other machines after a day. */
export async function removeLeftovers(path: string, { identity, isGone }: Context["process"]): Promise<void> {
  for (const { leftover, machine, pid, started } of await listTemporaries(path)) {
    const gone = machine === nameMachine(identity) && isGone({ ...identity, pid, started }) === true;
    // It may be another user's.
    if (gone || (await readAge(leftover)) > LEFTOVER_AGE_MS) await unlink(leftover).catch(() => {});
  }
}

/** The temporary files beside a file, those of other processes too. */
export async function listTemporaries(path: string) {
  const start = startTemporary(path);
  const names = await readdir(dirname(path)).catch(() => []);
  return names.flatMap((name) => {
    const found = name.startsWith(start) ? TEMPORARY.exec(name.slice(start.length)) : null;
    if (!found) return [];
    const [, machine, pid, started = ""] = found;
    return [{ leftover: join(dirname(path), name), machine, pid: Number(pid), started }];
  });
}

async function readAge(path: string): Promise<number> {
  const status = await stat(path).catch(() => undefined);
  return status ? Date.now() - status.mtimeMs : 0;
}
