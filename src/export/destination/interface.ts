/** Interfaces of destinations, to which a result is written completely or not at all. */
import type { Encoding } from "../../format/encode.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Chunk } from "../../series/merge.ts";
import type { Encoded, EncodedParts } from "../../format/format.ts";
import type { LoggedSeries } from "../package/series-log.ts";
import type { DescribedFile } from "../package/descriptor.ts";

/** A complete output of one or more files that is not in place yet. */
export interface CompleteOutput {
  readonly bytes: number;
  /** SHA-256; of a dataset, that of its description. */
  readonly hash: string;
}

/** What a dataset keeps of the last run, where a run reads only what may have changed. */
export interface KeptFiles {
  /** By their paths: chunks may have some of their rows. */
  readonly files: ReadonlyMap<string, DescribedFile>;
  /** The series of the whole dataset. */
  readonly series: readonly LoggedSeries[];
  /** The requests of the whole dataset. `now`: those of this run. */
  readonly listRequests: (now: readonly JsonObject[]) => readonly JsonObject[];
}

export interface PutOptions {
  /** True if this run holds the lock of the output already. */
  readonly isLocked?: boolean;
  readonly kept?: KeptFiles | undefined;
  /**
   * Called when the result is complete on disk, before it is moved into place. Returns what undoes this if that fails.
   */
  readonly beforePlace?: ((complete: CompleteOutput) => Promise<() => Promise<void>>) | undefined;
}

export interface Destination {
  /** Describes the files written, for the last line of an update; undefined for a single file. */
  readonly wrote?: string | undefined;
  /** Total size of the files of a dataset in bytes, known when `put` is done; undefined for other destinations. */
  readonly size?: number;
  /**
   * Resolves when the complete result is written.
   * @throws {EntsError} output; the errors of `chunks`.
   */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding, options?: PutOptions): Promise<void>;
}

/** The path of the description of a file. */
export function findDescriptor(output: string): string {
  return `${output}.datapackage.json`;
}

/** Written data are not visible before `commit`, if the target allows that. */
export interface Sink {
  /** Resolves when the part's memory may be reused. @throws {EntsError} output; {BrokenPipe}. */
  write(part: Encoded): Promise<void>;
  commit(): Promise<void>;
  /** Undoes the writes, if possible. */
  discard(): Promise<void>;
}

/** Moves a complete result into place; if that fails, what was done before is undone. */
export async function placeAfter(undo: (() => Promise<void>) | undefined, place: () => Promise<void>): Promise<void> {
  try {
    await place();
  } catch (error) {
    await undo?.();
    throw error;
  }
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
