/** A clock on which nobody waits: it goes on with the real one, and jumps over every sleep, the shortest first. It may begin ahead of it. */
import { setImmediate } from "node:timers/promises";
import type { Context } from "../../src/base/context.ts";

export type Clock = Pick<Context, "now" | "monotonic" | "sleep">;

export function createVirtualClock(aheadMs = 0): Clock {
  let skipped = aheadMs;
  const wakings: number[] = [];
  const now = () => Date.now() + skipped;
  return {
    now,
    monotonic: now,
    sleep: async (ms, signal) => {
      const waking = now() + ms;
      wakings.push(waking);
      try {
        // Answers that are there already come first, and so do those who wake before.
        do await setImmediate();
        while (!signal.aborted && Math.min(...wakings) < waking);
      } finally {
        wakings.splice(wakings.indexOf(waking), 1);
      }
      signal.throwIfAborted();
      skipped += Math.max(0, waking - now());
    },
  };
}
