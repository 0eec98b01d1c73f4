/** Where a result is written: in full or not at all. */
import type { Encoding } from "../../format/encode.ts";
import type { Chunk } from "../../series/merge.ts";
import type { DescribedFile } from "../package/descriptor.ts";
import type { Encoded, EncodedParts } from "../../format/format.ts";

/** A complete output, or all files of one, that is not in its place yet. */
export interface CompleteOutput {
  readonly bytes: number;
  /** SHA-256. */
  readonly hash: string;
}

export type BeforePlace = (placed: CompleteOutput) => Promise<void>;

export interface PutOptions {
  /** Called when the result is complete on the disk. */
  readonly beforePlace?: BeforePlace | undefined;
  /** Files of a dataset that are as they would be written: they stay, and chunks may lack their points. */
  readonly current?: readonly DescribedFile[] | undefined;
}

export interface Destination {
  /** What was written, for the line that ends an update; undefined where that is one file. */
  readonly wrote?: string | undefined;
  /** Bytes of the files that it wrote, known when `put` is done; undefined where that is one file, or none. */
  readonly size?: number;
  /**
   * Resolves when the whole result is written.
   * @throws {EntsError} output; the errors of `chunks`.
   */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding, options?: PutOptions): Promise<void>;
}

/** Where the description of a file stands. */
export function findDescriptor(output: string): string {
  return `${output}.datapackage.json`;
}

/** Nothing written is visible before `commit`, where the target allows that. */
export interface Sink {
  /** Resolves when the part's memory may be reused. @throws {EntsError} output; {BrokenPipe}. */
  write(part: Encoded): Promise<void>;
  commit(): Promise<void>;
  /** Undoes the writes, where possible. */
  discard(): Promise<void>;
}

/** Writes all parts and commits, or discards them. */
export async function writeAll(sink: Sink, parts: EncodedParts): Promise<void> {
  try {
    for await (const part of parts) await sink.write(part);
    await sink.commit();
  } catch (error) {
    // Report the first error.
    await sink.discard().catch(() => {});
    throw error;
  }
}
