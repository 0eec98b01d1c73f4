import { mkdirSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "../base/errors.ts";

const STEP_MS = 15;
/** Far longer than a write takes: a lock that stays so long was left by a process that was killed. */
const MAX_HOLD_MS = 5000;

/** Does `work` while no other ents does any for the same file: conf reads and writes without a lock. */
export async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = `${path}.lock`;
  let holder: number | undefined;
  for (let waited = 0; !makeLock(lock); waited += STEP_MS) {
    const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (madeAt !== holder) waited = 0;
    else if (waited > MAX_HOLD_MS) rmSync(lock, { recursive: true, force: true });
    holder = madeAt;
    await wait(STEP_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function makeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
