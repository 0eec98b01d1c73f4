/** Where a result is written: in full or not at all. */
import type { Context } from "../../base/context.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Parts } from "../../format/format.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import type { Output } from "../output.ts";
import { type Sink, writeAll } from "./sink.ts";
import { createStreamSink } from "./stream.ts";

export interface Destination {
  /** What is missing of the query: for a new file, all of it. */
  readonly query: Query;
  /** Whether writing can start over: nothing is visible before the end. */
  readonly rewritable: boolean;
  /** Resolves when the whole result is written. @throws {EntsError} output; the errors of `chunks`. */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding): Promise<void>;
}

/** The file that the output flags name, or standard output. */
export async function openDestination({ query, output: { path } }: Wanted, context: Context): Promise<Destination> {
  return {
    query,
    rewritable: path !== undefined,
    put: async (chunks, encoding) => writeAll(await openSink(path, context), encodeChunks(chunks, encoding)),
  };
}

interface Wanted {
  readonly query: Query;
  readonly output: Pick<Output, "path">;
}

/** Writes output other than a query's, such as the list of metrics. */
export async function writeParts(path: string | undefined, parts: Parts, context: Context): Promise<void> {
  await writeAll(await openSink(path, context), parts);
}

/** A sink that rejects writes once the command is interrupted. */
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
