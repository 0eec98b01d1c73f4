/** Where a result is written: in full or not at all. */
import type { Context } from "../../base/context.ts";
import type { EntsError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import type { Encoding } from "../../format/encode.ts";
import type { Query } from "../../query/query.ts";
import type { GapOptions } from "../../series/gaps.ts";
import type { Chunk } from "../../series/merge.ts";

/** What an output that is continued is opened with. */
export interface Surroundings {
  readonly context: Context;
  readonly report: Pick<Report, "note" | "warn" | "done">;
}

/**
 * Why more is fetched. `noted`: an earlier run has noted it, and its answers can be used; `new`: this run has found it, so
 * answers of earlier runs are too old; `incompatible`: the same, as what came does not fit what is there.
 */
export type Finding = "noted" | "new" | "incompatible";

/** What an update fetches and writes besides what is new. */
export interface More {
  /** Rows from this instant on; -Infinity for all, undefined for none. */
  readonly since?: number | undefined;
  /** Why. */
  readonly why?: string;
  /** If it takes more requests, a warning says so, and it is not fetched. */
  readonly maxRequests?: number;
  readonly finding?: Finding;
  /** What an earlier attempt of this run could not fetch. */
  readonly denied?: Denied;
}

export interface Denied {
  readonly why: string;
  /** See `More`. */
  readonly since: number;
  /** Set where a later run may succeed. */
  readonly error?: EntsError;
  /** Whether a person must decide: it takes many requests, or removes rows. */
  readonly needsConsent?: boolean;
}

/** A complete output, or all files of one, that is not in its place yet. */
export interface Placed {
  readonly bytes: number;
  /** SHA-256. */
  readonly hash: string;
}

export type BeforePlace = (placed: Placed) => Promise<void>;

export interface Destination {
  /** What is missing of the query: for a new file, all of it. */
  readonly query: Query;
  /** The part of it that `put` writes, where that begins later. */
  readonly written?: Query;
  /** Whether writing can start over: nothing is visible before the end. */
  readonly rewritable: boolean;
  /**
   * How long after its end, in milliseconds, a window may be restated: answers received before that are fetched again.
   * Default 0.
   */
  readonly settlesAfter?: number;
  /** What earlier runs know of gaps. `before`: the last points that it has of series before the query's window. */
  readonly gaps?: Pick<GapOptions, "before" | "from" | "fills" | "sendsNulls"> | undefined;
  /** Whether it has rows already: a kept answer without data is not used, as it would remove them. */
  readonly continues?: boolean;
  /** Whether it reports itself what was written. */
  readonly tells?: boolean;
  /** Bytes of the files that it wrote, known when `put` is done; undefined where that is one file, or none. */
  readonly size?: number;
  /**
   * Resolves when the whole result is written. `beforePlace`: called when it is complete on the disk.
   * @throws {EntsError} output; {NeedsMore}; the errors of `chunks`.
   */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding, beforePlace?: BeforePlace): Promise<void>;
  /** Removes what was prepared for `put`, if that was not called. */
  discard?(): Promise<void>;
}
