import type { Context } from "../base/context.ts";

export interface RateLimiter {
  /** Resolves when the next request may be sent. Rejects when the signal aborts. */
  take(signal: AbortSignal): Promise<void>;
  /** Delays all requests for `ms` milliseconds. */
  hold(ms: number): void;
}

/** At most `rate` requests per second, evenly spaced; undefined: no limit. */
export function createRateLimiter(rate: number | undefined, { monotonic, sleep }: Pick<Context, "monotonic" | "sleep">): RateLimiter {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let heldUntil = 0;
  let next = 0;
  return {
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        const time = monotonic();
        const slot = Math.max(time, next, heldUntil);
        next = slot + gap;
        if (slot > time) await sleep(slot - time, signal);
        // A hold may have started during the sleep.
        if (heldUntil <= monotonic()) return;
      }
    },
    hold: (ms) => {
      heldUntil = Math.max(heldUntil, monotonic() + ms);
    },
  };
}
