/** Where a result is written: in full or not at all. */
import type { Encoding } from "../../format/encode.ts";
import type { Chunk } from "../../series/merge.ts";

/** A complete output, or all files of one, that is not in its place yet. */
export interface Placed {
  readonly bytes: number;
  /** SHA-256. */
  readonly hash: string;
}

export type BeforePlace = (placed: Placed) => Promise<void>;

export interface Destination {
  /** What was written, for the line that ends an update; undefined where that is one file. */
  readonly wrote?: string | undefined;
  /** Bytes of the files that it wrote, known when `put` is done; undefined where that is one file, or none. */
  readonly size?: number;
  /**
   * Resolves when the whole result is written. `beforePlace`: called when it is complete on the disk.
   * @throws {EntsError} output; the errors of `chunks`.
   */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding, beforePlace?: BeforePlace): Promise<void>;
}

/** Where the description of a file stands. */
export function findDescriptor(output: string): string {
  return `${output}.datapackage.json`;
}
