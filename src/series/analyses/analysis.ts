/** What is printed of merged series: some of their points, or what is computed from them. A new analysis is a file here. */
import type { EntsError } from "../../base/errors.ts";
import type { Column, Join, RowKeys, Shape } from "../layout/layout.ts";
import type { DecodedHead } from "../decoded-response.ts";
import type { Chunk } from "../merge.ts";
import type { TimeSeries } from "../time-series.ts";

export interface Analysis {
  readonly keys?: RowKeys | undefined;
  /** The value columns of the long shape, if there are others than `value`. */
  readonly figures?: readonly Column[] | undefined;
  /** The shape of its rows, whatever that of the format. */
  readonly shape?: Shape | undefined;
  /** Yields what is printed of chunks in order of time. */
  apply(chunks: AsyncIterable<Chunk>, options: ApplyOptions): AsyncGenerator<Chunk>;
}

export interface ApplyOptions {
  /** Columns about the series of each row. */
  readonly join?: Join | undefined;
  /**
   * True if the result is needed at once; otherwise it may come in several chunks, so that not all of it is in memory.
   */
  readonly isWhole: boolean;
}

/** Reads all chunks, and returns the heads of their responses. @throws {EntsError} as `checkChunk`. */
export async function readChunks(
  chunks: AsyncIterable<Chunk>,
  read: (timeSeries: readonly TimeSeries[]) => void,
): Promise<DecodedHead[]> {
  const heads: DecodedHead[] = [];
  for await (const chunk of chunks) {
    checkChunk(chunk);
    heads.push(...chunk.heads);
    read(chunk.timeSeries);
  }
  return heads;
}

/** @throws {EntsError} refused: series of an unknown shape, or missing rows. */
export function checkChunk({ unknown, incomplete }: Chunk): void {
  const problem: EntsError | undefined = unknown?.problem ?? incomplete;
  if (problem) throw problem;
}
