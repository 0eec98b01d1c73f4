/** Open file descriptors, read from proc(5); without /proc, nothing is known. */
import { fstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../base/errors.ts";

/** How a descriptor was opened: the last two bits of the flags in fdinfo, which are octal. */
function findAccess(fd: number | string, pid = "self"): "read" | "write" | "both" | undefined {
  const mode = attempt(() => /^flags:\s*\d*([0-3])$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1]);
  return mode === undefined ? undefined : (["read", "write", "both"] as const)[Number(mode)];
}

/**
 * True if standard output was closed (`>&-`). At startup, Node replaces a closed descriptor by the null device, open
 * for reading and writing. Programs that discard both outputs of another may open the null device in the same way: then
 * it is not closed.
 */
export function isOutputClosed(): boolean {
  const isReplaced = (fd: number) => findAccess(fd) === "both" && fstatSync(fd).rdev === NULL_DEVICE;
  return isReplaced(1) && !isReplaced(2);
}

/** The device number of /dev/null: major 1, minor 3. */
const NULL_DEVICE = 0x103;

/** True for a descriptor of Node's event loop: writing to it would end the process or lose the data. */
export function isNodeInternal(fd: number): boolean {
  const target = readDescriptorTarget(fd);
  if (target === undefined) return false;
  if (target.startsWith("anon_inode:")) return true;
  const open = readNames("/proc/self/fd");
  // Node has both ends of its own pipes open.
  return (
    target.startsWith("pipe:") &&
    open.some((other) => readDescriptorTarget(other) === target && findAccess(other) === "read")
  );
}

/** Checks without a reader before it counts as gone: it may be passing the pipe to another process. */
const LOOKS = 2;

/**
 * Returns a function that is true while a pipe that this process writes to has a reader, found among the processes that
 * have it open. Always true if no reader is visible at first. (Node has no `poll`, and an empty write does not detect a
 * closed pipe.)
 */
export function watchReader(fd: number): () => boolean {
  let reader: string | undefined;
  let isHidden = false;
  let misses = 0;
  return () => {
    const pipe = readDescriptorTarget(fd);
    if (isHidden || !pipe?.startsWith("pipe:") || (reader !== undefined && readLink(reader) === pipe)) return true;
    const next = findReader(pipe);
    // The reader may belong to another user.
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

function readDescriptorTarget(fd: number | string): string | undefined {
  return readLink(`/proc/self/fd/${fd}`);
}
