/** Small file systems that can be filled. Only root can mount them (root.ts). */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atEndOfFile } from "./cleanup.ts";

/** Creates the folder. */
export function mountDisk(folder: string, sizeKb: number): void {
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKb}k`, "none", folder]);
  atEndOfFile(() => execFileSync("umount", ["-l", folder]));
}

/** Fills a disk with a file, `filler`, except for some free space. */
export function fillDisk(folder: string, roomKb: number): void {
  const [blocks = 0, size = 0] = execFileSync("stat", ["-f", "-c", "%a %S", folder], { encoding: "utf8" })
    .split(" ")
    .map(Number);
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, blocks * size - roomKb * 1024)));
}
