import type { Context } from "../../base/context.ts";
import type { Sink } from "./sink.ts";
import { createStreamSink } from "./stream.ts";

type SinkContext = Pick<Context, "stdout" | "process" | "signal" | "cwd">;

/**
 * A sink on the file at `path`, or on standard output where there is none. It takes no more once the command is to stop.
 * `workshop`: as of `openFileSink`.
 */
export async function openSink(path: string | undefined, { stdout, process, signal, cwd }: SinkContext, workshop?: string): Promise<Sink> {
  const sink = path === undefined ? createStreamSink(stdout.stream, "standard output") : await openFile(path);
  return {
    ...sink,
    write: async (text) => {
      signal.throwIfAborted();
      await sink.write(text);
    },
  };

  async function openFile(file: string): Promise<Sink> {
    const { openFileSink } = await import("./file.ts");
    return openFileSink(file, { process, cwd }, workshop);
  }
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
