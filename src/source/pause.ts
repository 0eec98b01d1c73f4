import { setImmediate } from "node:timers/promises";
import type { Pause } from "../base/steps.ts";

/** Signals wait no longer than this, and a step. */
const PAUSE_AFTER_MS = 20;

/** Lets signals, timers and other requests through. Rejects with the reason of a signal that has come. */
export function createPause(signal?: AbortSignal): Pause {
  let last = Date.now();
  return () => (Math.abs(Date.now() - last) < PAUSE_AFTER_MS ? undefined : pause());

  async function pause(): Promise<void> {
    await setImmediate();
    signal?.throwIfAborted();
    last = Date.now();
  }
}
