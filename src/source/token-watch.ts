/**
 * What a 401 means (in-practice.md, Errors): until a run's token has worked, that it is refused. After that the service may be
 * confused for a moment, or the daily quota is spent, which looks the same.
 */
import type { Token } from "../settings/token.ts";
import type { RetryPolicy } from "./retry.ts";

export interface TokenWatch {
  /** A request is sent. */
  start(): void;
  /** It has ended, with or without an answer. */
  end(): void;
  /** A request was answered. */
  accept(): void;
  /** Resolves when it is known whether the token has worked: at once, or when a request that is under way is answered, or all have ended. */
  settle(): Promise<void>;
  /** A request that was sent at `sentAt` got a 401. */
  refuse(sentAt: number): void;
  /** The policy for a request whose last attempt got a 401, after so many failures of any kind. */
  limitRetries(policy: RetryPolicy, failures: number): RetryPolicy;
  /** The next step, once no attempt is left. */
  advise(): string;
}

/** 401s in a row that may pass. Those of requests that were under way together count as one. */
const MAX_PASSING = 2;
/** Longer than for other failures: an identity provider restarts in seconds. */
const BASE_MS = 5000;

/** A 401 that comes while other requests are under way waits for what they say of the token. */
export function createTokenWatch({ replace }: Pick<Token, "replace">, now: () => number): TokenWatch {
  let worked = false;
  let refusals = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const release = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    start: () => {
      underWay += 1;
    },
    end: () => {
      underWay -= 1;
      if (underWay === 0) release();
    },
    accept: () => {
      worked = true;
      refusals = 0;
      release();
    },
    settle: () => (worked || underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    refuse: (sentAt) => {
      // One that was under way when another was refused says nothing new.
      if (sentAt < refusedAt) return;
      refusals += 1;
      refusedAt = now();
    },
    limitRetries: (policy, failures) => {
      const left = worked ? MAX_PASSING - refusals : -1;
      return { ...policy, baseMs: BASE_MS, retries: Math.min(policy.retries, failures + left) };
    },
    advise: () =>
      worked
        ? `it worked earlier in this run, so its daily quota is probably spent: try again tomorrow, or ${replace}`
        : `${replace}; a spent daily quota looks the same: if it worked today, try again tomorrow`,
  };
}
