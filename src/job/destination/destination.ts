/** Where a result goes, and how it appears there: whole or not at all. */
import type { Context } from "../../base/context.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Parts } from "../../format/format.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import { type Sink, writeAll } from "./sink.ts";
import { createStreamSink } from "./stream.ts";

export interface Destination {
  /** What it needs to be complete: for a new file, all that was asked. */
  readonly query: Query;
  /** Whether a result that was begun can be begun anew, as nobody has seen any of it. */
  readonly rewritable: boolean;
  /** Writes the result, which is there whole when this resolves. @throws {EntsError} output; whatever chunks fail with. */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding): Promise<void>;
}

/** The file at `path`, as the user gave it, or standard output where there is none. */
export function chooseDestination(query: Query, path: string | undefined, context: Context): Destination {
  return {
    query,
    rewritable: path !== undefined,
    put: async (chunks, encoding) => writeAll(await openSink(path, context), encodeChunks(chunks, encoding)),
  };
}

/** Writes what is no result of a query, such as the list of metrics. */
export async function writeParts(path: string | undefined, parts: Parts, context: Context): Promise<void> {
  await writeAll(await openSink(path, context), parts);
}

/** A sink that takes no more once the command is to stop. */
async function openSink(path: string | undefined, context: Context): Promise<Sink> {
  const sink = path === undefined ? createStreamSink(context.stdout.stream, "standard output") : await openFile(path, context);
  return {
    ...sink,
    write: async (part) => {
      context.signal.throwIfAborted();
      await sink.write(part);
    },
  };
}

async function openFile(path: string, context: Context): Promise<Sink> {
  const { openFileSink } = await import("./file.ts");
  return openFileSink(path, context);
}
