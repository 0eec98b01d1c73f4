import type { Context } from "../context.ts";
import { openFileSink } from "./file.ts";
import type { Sink } from "./sink.ts";
import { createStreamSink } from "./stream.ts";

/** A sink on the file at `path`, or on standard output where there is none. */
export async function openSink(path: string | undefined, { stdout, process }: Pick<Context, "stdout" | "process">): Promise<Sink> {
  return path === undefined ? createStreamSink(stdout.stream, "standard output") : openFileSink(path, process);
}

/** Writes all texts and commits, or leaves the place as it was. */
export async function writeAll(sink: Sink, texts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    for await (const text of texts) await sink.write(text);
    await sink.commit();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
