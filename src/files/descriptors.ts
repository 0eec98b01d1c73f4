/** What this process has open, by proc(5); where there is no /proc, nothing is known. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Access = "read" | "write" | "both";

/** How a descriptor was opened. The flags in fdinfo are octal, and their last two bits say it. */
export function findAccess(fd: number | string): Access | undefined {
  const mode = attempt(() => /^flags:\s*\d*([0-3])$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1]);
  return mode === undefined ? undefined : (["read", "write", "both"] as const)[Number(mode)];
}

/** Whether a descriptor is one of Node's own, for its event loop: writing to it would end the process, or lose the data. */
export function isNodesOwn(fd: number): boolean {
  const target = findTarget(fd);
  if (target === undefined) return false;
  if (target.startsWith("anon_inode:")) return true;
  const open = attempt(() => readdirSync("/proc/self/fd")) ?? [];
  // Both ends of its pipes are here.
  return target.startsWith("pipe:") && open.some((other) => findTarget(other) === target && findAccess(other) === "read");
}

/** Whether anybody can still read from a pipe; true where that cannot be told, as of sockets. */
export function hasReader(fd: number): boolean {
  try {
    if (fstatSync(fd).isFIFO()) closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENXIO";
  }
}

function findTarget(fd: number | string): string | undefined {
  return attempt(() => readlinkSync(`/proc/self/fd/${fd}`));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
