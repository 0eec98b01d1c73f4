/** Requests in order, some of them ahead of their turn. */
import { setMaxListeners } from "node:events";

export interface Prefetch<T> {
  /** The next answer, in the order of the requests. Rejects with what its request failed with. */
  take(): Promise<T>;
  /** Ends the requests that are under way, and waits for them. */
  cancel(): Promise<void>;
}

export interface PrefetchOptions<R, T> {
  readonly requests: readonly R[];
  /** Most requests made and not yet taken. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** `turn` resolves when the answer is about to be taken: what makes it large can wait for that. */
  readonly send: (request: R, signal: AbortSignal, turn: Promise<void>) => Promise<T>;
}

/** Answers that nobody takes are never more than `concurrency`, so that memory is bounded. */
export function prefetch<R, T>({ requests, concurrency, signal, send }: PrefetchOptions<R, T>): Prefetch<T> {
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  // Every request under way listens; Node warns of more than ten as of a leak.
  setMaxListeners(0, either);
  const underWay: { readonly answer: Promise<T>; readonly startTurn: () => void }[] = [];
  let next = 0;
  const startMore = () => {
    while (underWay.length < concurrency && next < requests.length) {
      const turn = createTurn();
      const answer = send(requests[next++] as R, either, turn.promise);
      // Whoever takes it learns of its failure; nobody else is to.
      answer.catch(() => {});
      underWay.push({ answer, startTurn: turn.start });
    }
    // The one that is taken next gets ready while the last is written.
    underWay[0]?.startTurn();
  };
  return {
    take: async () => {
      startMore();
      const answer = await underWay[0]?.answer;
      underWay.shift();
      startMore();
      return answer as T;
    },
    cancel: async () => {
      cancelled.abort(new Error("no longer wanted"));
      for (const { startTurn } of underWay) startTurn();
      await Promise.allSettled(underWay.map(({ answer }) => answer));
    },
  };
}

function createTurn(): { readonly promise: Promise<void>; readonly start: () => void } {
  let start = () => {};
  const promise = new Promise<void>((resolve) => {
    start = resolve;
  });
  return { promise, start };
}
