/** Sends requests ahead and returns the answers in order. */
import { setMaxListeners } from "node:events";

export interface Prefetch<T> {
  /** The next answer, in the order of the requests. Rejects with its request's error. */
  take(): Promise<T>;
  /** Aborts pending requests, and waits for them to end. */
  cancel(): Promise<void>;
}

export interface PrefetchOptions<R, P, T> {
  readonly requests: readonly R[];
  /** Maximum requests sent and not yet taken; bounds the memory. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly send: (request: R, signal: AbortSignal) => Promise<P>;
  /** Decodes a response. Runs one ahead, while the caller works on the last answer. */
  readonly read: (response: P) => Promise<T>;
}

export function prefetch<R, P, T>({ requests, concurrency, signal, send, read }: PrefetchOptions<R, P, T>): Prefetch<T> {
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  // Every pending request listens; Node warns of a leak past ten.
  setMaxListeners(0, either);
  const pending: Promise<P>[] = [];
  let next = 0;
  let reading: Promise<T> | undefined;
  const startMore = () => {
    while (pending.length < concurrency && next < requests.length) pending.push(markHandled(send(requests[next++] as R, either)));
    reading ??= pending[0] && markHandled(pending[0].then(read));
  };
  return {
    take: async () => {
      startMore();
      const answer = await reading;
      void pending.shift();
      reading = undefined;
      startMore();
      return answer as T;
    },
    cancel: async () => {
      cancelled.abort(new Error("cancelled"));
      await Promise.allSettled([...pending, reading]);
    },
  };
}

/** `take` reports the rejection; without a handler now, Node would end the process. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
