import type { Context } from "../base/context.ts";

/** Keeps requests apart, so that a service's rate is not exceeded. */
export interface RateLimiter {
  /** Resolves when the next request may be made. Rejects when the signal aborts. */
  take(signal: AbortSignal): Promise<void>;
  /** Lets no request be made for so many milliseconds. */
  hold(ms: number): void;
}

/** At most `rate` requests a second, evenly apart; undefined for no bound. */
export function createRateLimiter(rate: number | undefined, { now, sleep }: Pick<Context, "now" | "sleep">): RateLimiter {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let heldUntil = 0;
  let next = 0;
  return {
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        const time = now();
        const slot = Math.max(time, next, heldUntil);
        next = slot + gap;
        if (slot > time) await sleep(slot - time, signal);
        // A hold may have come while this request waited for its turn.
        if (heldUntil <= now()) return;
      }
    },
    hold: (ms) => {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
  };
}
