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
 * `noted`: by an earlier run, whose answers are good; `new`: answers of earlier runs are too old; `incompatible`: and what came
 * does not go with what is there.
 */
export type Finding = "noted" | "new" | "incompatible";

/** What an update fetches and writes besides what is new. */
export interface More {
  /** Rows from this instant on; -Infinity for all, undefined for none. */
  readonly since?: number | undefined;
  /** Why. */
  readonly why?: string;
  /** If it takes more, it is told, and not fetched. */
  readonly maxRequests?: number;
  readonly finding?: Finding;
  /** What an earlier attempt of this run could not have. */
  readonly denied?: Denied;
}

export interface Denied {
  readonly why: string;
  /** As of `More`. */
  readonly since: number;
  /** If a later run may have it. */
  readonly error?: EntsError;
  /** Whether it is for a person to choose: it takes many requests, or takes rows away. */
  readonly needsConsent?: boolean;
}

export interface Destination {
  /** What is missing of the query: for a new file, all of it. */
  readonly query: Query;
  /** What `put` writes of it, where that begins later. */
  readonly written?: Query;
  /** Whether writing can start over: nothing is visible before the end. */
  readonly rewritable: boolean;
  /**
   * For so long after its end, in milliseconds, what a window holds may be restated: an answer that was fetched before is
   * asked for again. Default 0.
   */
  readonly settlesAfter?: number;
  /** What earlier runs know of gaps. `before`: the last points that it has of series before the query's window. */
  readonly gaps?: Pick<GapOptions, "before" | "from" | "fills" | "sendsNulls"> | undefined;
  /** Whether it has rows already, which an answer without data would take away: none is used that was kept. */
  readonly continues?: boolean;
  /** Whether it tells what was written. */
  readonly tells?: boolean;
  /** Bytes of the files that it wrote, known when `put` is done; undefined where that is one file, or none. */
  readonly size?: number;
  /** Resolves when the whole result is written. @throws {EntsError} output; {NeedsMore}; the errors of `chunks`. */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding): Promise<void>;
  /** Takes away what was prepared for `put`, if it was not called. */
  discard?(): Promise<void>;
}
