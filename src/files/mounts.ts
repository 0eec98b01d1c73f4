/** Mounts of this process, from proc(5); without /proc, nothing is known. */
import { readFileSync } from "node:fs";
import { attempt } from "../base/errors.ts";

/** The place of the mount point among the fields of a line. */
const MOUNT_POINT = 4;

/** True if the path is mounted on its own, as a single file of a container is: no other file can be renamed over it. */
export function isMountPoint(path: string): boolean {
  const lines = attempt(() => readFileSync("/proc/self/mountinfo", "utf8").split("\n")) ?? [];
  const escaped = path.replaceAll(
    /[\t\n \\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return lines.some((line) => line.split(" ", MOUNT_POINT + 1)[MOUNT_POINT] === escaped);
}
