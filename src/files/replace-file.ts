import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../base/errors.ts";

/** What a rename fails with on Windows, and on its disks and network shares elsewhere, while another program has the file open. */
const HELD = ["EACCES", "EBUSY", "EPERM"];
/** Virus scanners and indexers take less. */
const MAX_WAIT_MS = 1000;
const POLL_MS = 50;

/** Renames a file over another one, which other programs may hold for a moment. */
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
