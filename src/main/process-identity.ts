/** Identifies a process across machines, containers and restarts. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Context, ProcessIdentity } from "../base/context.ts";
import { attempt, codeOf } from "../base/errors.ts";

export function describeProcess(): Context["process"] {
  const identity: ProcessIdentity = {
    host: hostname(),
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "",
    namespace: attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "",
    pid: process.pid,
    started: readStatus("self")?.started ?? "",
  };
  return { identity, isGone: (other) => isGone(other, identity), uid: process.geteuid?.() };
}

function isGone(other: ProcessIdentity, me: ProcessIdentity): boolean | undefined {
  if (other.host !== me.host) return undefined;
  if (other.boot !== me.boot) return true;
  if (other.namespace !== me.namespace) return undefined;
  const status = readStatus(String(other.pid));
  if (status) return status.isZombie || status.started !== other.started;
  // Without /proc, a process of this number may be another one.
  return exists(other.pid) ? undefined : true;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

interface Status {
  /** It has ended but is not reaped: common in containers without an init. */
  readonly isZombie: boolean;
  readonly started: string;
  /** Its process group, and the one in the foreground of its terminal (-1 without one). */
  readonly group: number;
  readonly foreground: number;
}

/** By proc(5), /proc/pid/stat, after the name in parentheses; undefined where there is no /proc. */
export function readStatus(pid: string): Status | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { isZombie: fields[0] === "Z", started: fields[19] ?? "", group: Number(fields[2]), foreground: Number(fields[5]) };
}
