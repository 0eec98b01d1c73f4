/** The processes of an imaginary machine: all run except the ended ones. */
import type { Context, ProcessIdentity } from "../../src/base/context.ts";

export const ENDED = 999_999;

export function identify(pid: number, more: Partial<ProcessIdentity> = {}): ProcessIdentity {
  return { host: "here", boot: "b1", namespace: "n1", pid, started: String(pid * 10), ...more };
}

/** A process on a machine where only `ENDED` has ended; processes of other machines cannot be checked. */
export function processOf(pid: number): Context["process"] {
  return { identity: identify(pid), isGone: (other) => (other.host === "here" ? other.pid === ENDED : undefined) };
}
