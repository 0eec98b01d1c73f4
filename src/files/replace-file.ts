import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../base/errors.ts";

/** Codes of a failed rename while another program has the file open: on Windows, and on Windows disks and network shares elsewhere. */
const HELD = ["EACCES", "EBUSY", "EPERM"];
/** Longer than virus scanners and indexers hold a file. */
const MAX_WAIT_MS = 1000;
const POLL_MS = 50;

/** Renames a file over another; retries while other programs have it open. */
export async function replaceFile(from: string, to: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (waitedMs >= MAX_WAIT_MS || !HELD.includes(codeOf(error) ?? "")) throw error;
    }
    await sleep(POLL_MS);
  }
}
