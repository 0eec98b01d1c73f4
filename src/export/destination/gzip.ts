import { createGzip, type Gzip } from "node:zlib";
import type { Sink } from "./interface.ts";

/**
 * Compresses the data written to a sink. The output is reproducible, as the header has neither time, name nor platform.
 */
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

/**
 * The field of the header for the platform that compressed the data (RFC 1952), which would differ from one to another.
 */
const OPERATING_SYSTEM = 9;
const UNKNOWN = 255;

async function pump(compressed: Gzip, sink: Sink): Promise<void> {
  let isHeader = true;
  for await (const part of compressed as AsyncIterable<Buffer>) {
    if (isHeader) part[OPERATING_SYSTEM] = UNKNOWN;
    isHeader = false;
    await sink.write(part);
  }
}
