/** Watches a result while it is written. */
import type { Encoding } from "../format/encode.ts";

export type Watcher = Pick<Encoding, "onChunk" | "onPrinted" | "onColumns" | "onRows">;

/** The encoding, with its callbacks also passed on to the watchers. */
export function addWatchers<T extends Watcher>(encoding: T, ...watchers: readonly (Watcher | undefined)[]): T {
  const all = [encoding, ...watchers];
  return {
    ...encoding,
    onChunk: (chunk) => {
      for (const one of all) one?.onChunk?.(chunk);
    },
    onPrinted: (chunk) => {
      for (const one of all) one?.onPrinted?.(chunk);
    },
    onColumns: (columns) => {
      for (const one of all) one?.onColumns?.(columns);
    },
    onRows: (rows) => {
      for (const one of all) one?.onRows?.(rows);
    },
  };
}
