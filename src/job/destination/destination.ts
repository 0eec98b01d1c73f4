/** Where a result is written: in full or not at all. */
import type { Context } from "../../base/context.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Parts } from "../../format/format.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import type { Output } from "../output.ts";
import { type Sink, writeAll } from "./sink.ts";
import { createStreamSink } from "./stream.ts";
import type { Target } from "./target.ts";

export interface Destination {
  /** What is missing of the query: for a new file, all of it. */
  readonly query: Query;
  /** Whether writing can start over: nothing is visible before the end. */
  readonly rewritable: boolean;
  /** Resolves when the whole result is written. @throws {EntsError} output; the errors of `chunks`. */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding): Promise<void>;
}

/** The file or stream that the output flags name, or standard output. */
export function openDestination({ query, output: { target } }: Wanted, context: Context, note?: Note): Destination {
  return {
    query,
    rewritable: target?.kind === "file",
    put: async (chunks, encoding) => writeAll(await openSink(target, context, note), encodeChunks(chunks, encoding)),
  };
}

/** Tells what a destination waits for. */
export type Note = (text: string) => void;

interface Wanted {
  readonly query: Query;
  readonly output: Pick<Output, "target">;
}

/** Writes output other than a query's, such as the list of metrics. */
export async function writeParts(target: Target | undefined, parts: Parts, context: Context): Promise<void> {
  await writeAll(await openSink(target, context), parts);
}

/** A sink that rejects writes once the command is interrupted. */
async function openSink(target: Target | undefined, context: Context, note?: Note): Promise<Sink> {
  if (!target) return createStreamSink(context.stdout.stream, "standard output", context.signal);
  if (target.kind !== "file") return (await import("./device.ts")).openDeviceSink(target, context, note);
  const { openFileSink } = await import("./file.ts");
  const sink = await openFileSink(target, context.process);
  return {
    ...sink,
    write: async (part) => {
      context.signal.throwIfAborted();
      await sink.write(part);
    },
  };
}
