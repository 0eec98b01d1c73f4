import type { Encoded, Parts } from "../../format/format.ts";

/** Nothing written is visible before `commit`, where the target allows that. */
export interface Sink {
  /** Resolves when the part's memory may be reused. @throws {EntsError} output; {BrokenPipe}. */
  write(part: Encoded): Promise<void>;
  commit(): Promise<void>;
  /** Undoes the writes, where possible. */
  discard(): Promise<void>;
}

/** Writes all parts and commits, or discards them. */
export async function writeAll(sink: Sink, parts: Parts): Promise<void> {
  try {
    for await (const part of parts) await sink.write(part);
    await sink.commit();
  } catch (error) {
    // Report the first error.
    await sink.discard().catch(() => {});
    throw error;
  }
}
