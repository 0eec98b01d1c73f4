/** What this process has open, by proc(5); where there is no /proc, nothing is known. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../base/errors.ts";

export type OpenMode = "read" | "write" | "both";

/** How a descriptor was opened. The flags in fdinfo are octal, and their last two bits say it. */
export function findAccess(fd: number | string, pid = "self"): OpenMode | undefined {
  const mode = attempt(() => /^flags:\s*\d*([0-3])$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1]);
  return mode === undefined ? undefined : (["read", "write", "both"] as const)[Number(mode)];
}

/** Whether a descriptor is one of Node's own, for its event loop: writing to it would end the process, or lose the data. */
export function isNodesOwn(fd: number): boolean {
  const target = findTarget(fd);
  if (target === undefined) return false;
  if (target.startsWith("anon_inode:")) return true;
  const open = readNames("/proc/self/fd");
  // Both ends of its pipes are here.
  return target.startsWith("pipe:") && open.some((other) => findTarget(other) === target && findAccess(other) === "read");
}

/** A reader may hand the pipe to another one between two looks. */
const LOOKS = 2;

/**
 * Says whether a pipe that this process writes to still has a reader, by the processes that have it open; true where none of
 * them could ever be seen. (Poll would know, but Node has none, and a write of no bytes tells nothing.)
 */
export function watchReader(fd: number): () => boolean {
  let reader: string | undefined;
  let isHidden = false;
  let misses = 0;
  return () => {
    const pipe = findTarget(fd);
    if (isHidden || !pipe?.startsWith("pipe:") || (reader !== undefined && readLink(reader) === pipe)) return true;
    const next = findReader(pipe);
    // Another user's, perhaps.
    isHidden = (reader ?? next) === undefined;
    misses = next === undefined ? misses + 1 : 0;
    reader = next ?? reader;
    return isHidden || misses < LOOKS;
  };
}

function findReader(pipe: string): string | undefined {
  for (const pid of readNames("/proc").filter((name) => /^\d+$/.test(name))) {
    const fd = readNames(`/proc/${pid}/fd`).find(
      (name) => readLink(`/proc/${pid}/fd/${name}`) === pipe && findAccess(name, pid) === "read",
    );
    if (fd !== undefined) return `/proc/${pid}/fd/${fd}`;
  }
  return undefined;
}

function readNames(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function readLink(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}

function findTarget(fd: number | string): string | undefined {
  return readLink(`/proc/self/fd/${fd}`);
}
