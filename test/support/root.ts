/** What only root can do in tests: mount file systems, and run as another user, to whom access can be denied. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ENTS, type ProcessOptions } from "./run-ents.ts";
import { HAS_MODES } from "./platform.ts";

export const AS_ROOT = process.getuid?.() === 0;

export const NOBODY = { uid: 65534, gid: 65534 };

/** Runs commands on read-only files as another user, since root can write everything. */
export const asUser: Pick<ProcessOptions, "user"> = AS_ROOT ? { user: NOBODY } : {};

/** Whether others may run ents here: not in a folder that only root may enter, such as those below /root. */
const isOpenToOthers = [ENTS, process.execPath].every((path) =>
  listFolders(realpathSync(path)).every((folder) => statSync(folder).mode & 0o001),
);

export const canBeNobody = AS_ROOT && isOpenToOthers;

/** True if access can be denied to the user of `asUser`. */
export const canBeDenied = HAS_MODES && (!AS_ROOT || isOpenToOthers);

function listFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...listFolders(folder)];
}

/** Root in a container may not mount. */
export function canMount(): boolean {
  if (process.platform !== "linux" || !AS_ROOT) return false;
  const folder = mkdtempSync(join(tmpdir(), "ents-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "none", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
