import { lstat, mkdtemp, rmdir } from "node:fs/promises";
import type { Stats } from "node:fs";

/**
 * Why others may have put something into a folder, or may do so: it is a link, another user's, or open to others.
 * Undefined if they cannot; `uid` is undefined where there are no users (Windows).
 */
export async function findExposure(path: string, uid: number | undefined): Promise<string | undefined> {
  const status = await lstat(path);
  if (!status.isDirectory()) return `it is ${status.isSymbolicLink() ? "a link, " : ""}not a folder`;
  const exposure = uid === undefined ? undefined : describeExposure(status, uid);
  return exposure !== undefined && (await hasPermissions(path, status)) ? exposure : undefined;
}

function describeExposure({ uid, mode }: Stats, own: number): string | undefined {
  if (uid !== own) return "it belongs to another user";
  return (mode & 0o022) === 0 ? undefined : "other users can write to it";
}

/** Some file systems (FAT, network shares) show one owner and one mode for everything: there, a new folder looks the same. */
async function hasPermissions(path: string, { uid, mode }: Stats): Promise<boolean> {
  const probe = await mkdtemp(`${path}.`);
  const fresh = await lstat(probe);
  await rmdir(probe);
  return fresh.uid !== uid || fresh.mode !== mode;
}
