import type { Encoded, Parts } from "../../format/format.ts";

/** The narrowest way to write: nothing of it counts until `commit`. */
export interface Sink {
  /** Resolves when a part is taken: its memory may be used again. @throws {EntsError} output; {BrokenPipe} when nobody reads on. */
  write(part: Encoded): Promise<void>;
  commit(): Promise<void>;
  /** Leaves everything as it was before, as far as that can be. */
  discard(): Promise<void>;
}

/** Writes all parts and commits, or leaves the place as it was. */
export async function writeAll(sink: Sink, parts: Parts): Promise<void> {
  try {
    for await (const part of parts) await sink.write(part);
    await sink.commit();
  } catch (error) {
    // The first error is the one to tell.
    await sink.discard().catch(() => {});
    throw error;
  }
}
