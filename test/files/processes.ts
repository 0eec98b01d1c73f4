/** Processes of a machine in memory: all are alive but those that ended. */
import type { Context, ProcessIdentity } from "../../src/base/context.ts";

export const ENDED = 999_999;

export function identify(pid: number, more: Partial<ProcessIdentity> = {}): ProcessIdentity {
  return { host: "here", boot: "b1", namespace: "n1", pid, started: String(pid * 10), ...more };
}

/** A process among others on its machine, of which only `ENDED` has ended; nobody can ask after those of another. */
export function processOf(pid: number): Context["process"] {
  return { identity: identify(pid), isGone: (other) => (other.host === "here" ? other.pid === ENDED : undefined) };
}
