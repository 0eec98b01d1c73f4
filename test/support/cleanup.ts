/** Removes what the helpers of a test file leave behind, once the file is done (setup.ts). */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.ts";

type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** Runs `cleanup` at the end of the current test file. */
export function atEndOfFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** In reverse order. */
export async function cleanUp(): Promise<void> {
  while (cleanups.length > 0) await cleanups.pop()?.();
}

/** Waits for processes that still write there as they end. */
export async function removeFolder(path: string): Promise<void> {
  for (let left = PATIENCE_MS; ; left -= 100) {
    try {
      return rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (left <= 0) throw error;
    }
    await sleep(100);
  }
}
