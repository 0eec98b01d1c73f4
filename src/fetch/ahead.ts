/** Requests in order, some of them ahead of their turn. */

export interface Ahead<T> {
  /** The next answer, in the order of the requests. Rejects with what its request failed with. */
  take(): Promise<T>;
  /** Ends the requests that are under way, and waits for them. */
  cancel(): Promise<void>;
}

export interface AheadOptions<R, T> {
  readonly requests: readonly R[];
  /** Most requests made and not yet taken. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly send: (request: R, signal: AbortSignal) => Promise<T>;
}

/** Answers that nobody takes are never more than `concurrency`, so that memory is bounded. */
export function fetchAhead<R, T>({ requests, concurrency, signal, send }: AheadOptions<R, T>): Ahead<T> {
  const cancelled = new AbortController();
  const either = AbortSignal.any([signal, cancelled.signal]);
  const underWay: Promise<T>[] = [];
  let next = 0;
  const startMore = () => {
    while (underWay.length < concurrency && next < requests.length) {
      const answer = send(requests[next++] as R, either);
      // Whoever takes it learns of its failure; nobody else is to.
      answer.catch(() => {});
      underWay.push(answer);
    }
  };
  return {
    take: async () => {
      startMore();
      const answer = await (underWay[0] as Promise<T>);
      void underWay.shift();
      startMore();
      return answer;
    },
    cancel: async () => {
      cancelled.abort(new Error("no longer wanted"));
      await Promise.allSettled(underWay);
    },
  };
}
