/**
 * A clock on which waits take no time: it skips every sleep, the shortest first. In between it runs like the real
 * clock, possibly ahead of it, or like another one, such as one that stands still.
 */
import { setImmediate } from "node:timers/promises";
import type { Context } from "../../src/base/context.ts";

export type Clock = Pick<Context, "now" | "monotonic" | "sleep">;

/** A clock of one day, whenever tests run: what a key reaches depends on it. */
export function createPagesClock(): Clock {
  return createVirtualClock(Date.UTC(2026, 10, 28) - Date.now());
}

export function createVirtualClock(aheadMs = 0, real: () => number = Date.now): Clock {
  let skipped = aheadMs;
  const wakings: number[] = [];
  const now = () => real() + skipped;
  return {
    now,
    monotonic: now,
    sleep: async (ms, signal) => {
      const waking = now() + ms;
      wakings.push(waking);
      try {
        // First lets pending answers arrive, and earlier sleepers wake.
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
