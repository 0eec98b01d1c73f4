import { createGzip } from "node:zlib";
import type { Encoded } from "../../format/format.ts";
import type { Sink } from "./interface.ts";

/** Compresses the data written to a sink. The output is reproducible, as the header has neither time nor name. */
export function createGzipSink(sink: Sink): Sink {
  const gzip = createGzip();
  const pumped = pump(gzip, sink);
  // Writes and `commit` report the error.
  pumped.catch(() => {});
  return {
    write: (part) =>
      new Promise<void>((resolve, reject) => {
        gzip.write(part, (error) => (error ? reject(error) : resolve()));
      }).catch(async (error: unknown) => {
        // Throws the sink's own error, if that has ended the stream.
        await pumped;
        throw error;
      }),
    commit: async () => {
      gzip.end();
      await pumped;
      await sink.commit();
    },
    discard: async () => {
      gzip.destroy();
      await pumped.catch(() => {});
      await sink.discard();
    },
  };
}

async function pump(compressed: AsyncIterable<Encoded>, sink: Sink): Promise<void> {
  for await (const part of compressed) await sink.write(part);
}
