import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../base/errors.ts";

/**
 * Codes of a change that failed while another program has the file open: on Windows, and on Windows disks and network
 * shares elsewhere.
 */
const HELD = ["EACCES", "EBUSY", "EPERM"];
/** Longer than virus scanners and indexers hold a file. */
const MAX_WAIT_MS = 1000;
const POLL_MS = 50;

/** Renames a file over another; retries while other programs have it open. */
export function replaceFile(from: string, to: string): Promise<void> {
  return retryHeld(() => rename(from, to));
}

/** Runs a change of a file again while other programs have the file open. */
export async function retryHeld<T>(change: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return await change();
    } catch (error) {
      if (waitedMs >= MAX_WAIT_MS || !HELD.includes(codeOf(error) ?? "")) throw error;
    }
    await sleep(POLL_MS);
  }
}
