/** Sends requests ahead and returns the responses in order. */
import { setMaxListeners } from "node:events";

interface PrefetchOptions<R, P, T> {
  readonly requests: readonly R[];
  /** Maximum requests whose responses were not taken yet; limits memory use. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly send: (request: R, signal: AbortSignal) => Promise<P>;
  /** Decodes a response. Runs one response ahead, while the caller uses the previous one. */
  readonly read: (response: P) => Promise<T>;
}

export function prefetch<R, P, T>({ requests, concurrency, signal, send, read }: PrefetchOptions<R, P, T>) {
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  // Every pending request adds a listener; above ten, Node would warn of a leak.
  setMaxListeners(0, either);
  const pending: Promise<P>[] = [];
  let next = 0;
  let reading: Promise<T> | undefined;
  const startMore = () => {
    while (pending.length < concurrency && next < requests.length)
      pending.push(markHandled(send(requests[next++] as R, either)));
    reading ??= pending[0] && markHandled(pending[0].then(read));
  };
  return {
    /** Resolves to the next response, in the order of the requests. Rejects with the error of its request. */
    take: async (): Promise<T> => {
      startMore();
      const decoded = await reading;
      void pending.shift();
      reading = undefined;
      startMore();
      return decoded as T;
    },
    /** Aborts pending requests and waits for them to end. */
    cancel: async (): Promise<void> => {
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
