import type { Column } from "../series/layout/layout.ts";
import type { Chunk } from "../series/merge.ts";
import type { LocalTime } from "../time/local-time.ts";

/** Looks at a result as it passes to its output. */
export interface Observer {
  /** From then on it looks at all points, in network time; before that, first and last ones of each series will do. */
  readonly needsFrom: LocalTime;
  /** The output starts, or starts over. */
  readonly start: () => void;
  /** Its columns, before the first chunk of rows. */
  readonly columns?: (columns: readonly Column[]) => void;
  readonly take: (chunk: Chunk) => void;
  /** The output is complete. @throws {EntsError} incomplete: it is not what the flags require; output. */
  readonly finish: () => void | Promise<void>;
}
