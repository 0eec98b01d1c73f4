/** Requests in order, some of them ahead of their turn. */
import { setMaxListeners } from "node:events";

export interface Prefetch<T> {
  /** The next answer, in the order of the requests. Rejects with what its request failed with. */
  take(): Promise<T>;
  /** Ends the requests that are under way, and waits for them. */
  cancel(): Promise<void>;
}

export interface PrefetchOptions<R, P, T> {
  readonly requests: readonly R[];
  /** Most requests made and not yet taken: what arrived and waits is never more, so that memory is bounded. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly send: (request: R, signal: AbortSignal) => Promise<P>;
  /** Makes of what arrived something larger. Done for one ahead, while its user is busy with the last. */
  readonly read: (arrived: P) => Promise<T>;
}

export function prefetch<R, P, T>({ requests, concurrency, signal, send, read }: PrefetchOptions<R, P, T>): Prefetch<T> {
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  // Every request under way listens; Node warns of more than ten as of a leak.
  setMaxListeners(0, either);
  const underWay: Promise<P>[] = [];
  let next = 0;
  let reading: Promise<T> | undefined;
  const startMore = () => {
    while (underWay.length < concurrency && next < requests.length) underWay.push(handled(send(requests[next++] as R, either)));
    reading ??= underWay[0] && handled(underWay[0].then(read));
  };
  return {
    take: async () => {
      startMore();
      const answer = await reading;
      void underWay.shift();
      reading = undefined;
      startMore();
      return answer as T;
    },
    cancel: async () => {
      cancelled.abort(new Error("no longer wanted"));
      await Promise.allSettled([...underWay, reading]);
    },
  };
}

/** Whoever takes it learns of its failure; nobody else is to. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
