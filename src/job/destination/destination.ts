/** Where a result is written: in full or not at all. */
import type { Context } from "../../base/context.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Parts } from "../../format/format.ts";
import { isCompressed } from "../../format/registry.ts";
import type { Report } from "../../base/report.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import type { Output } from "../output.ts";
import type { Kept } from "../package/kept.ts";
import { type Sink, writeAll } from "./sink.ts";
import { createStreamSink } from "./stream.ts";
import type { Target } from "./target.ts";

export interface Destination {
  /** What is missing of the query: for a new file, all of it. */
  readonly query: Query;
  /** Whether writing can start over: nothing is visible before the end. */
  readonly rewritable: boolean;
  /**
   * For so long after its end, in milliseconds, what a window holds may be restated: an answer that was fetched before is
   * asked for again. Default 0.
   */
  readonly settlesAfter?: number;
  /** What it keeps of an earlier run, known when `put` is done; undefined for an output that is written anew. */
  readonly kept?: Kept | undefined;
  /** Resolves when the whole result is written. @throws {EntsError} output; the errors of `chunks`. */
  put(chunks: AsyncIterable<Chunk>, encoding: Encoding): Promise<void>;
}

/** The file or stream that the output flags name, or standard output. */
export async function openDestination({ query, output: { target } }: Wanted, context: Context, report: Teller): Promise<Destination> {
  return {
    query,
    rewritable: target?.kind === "file",
    put: async (chunks, encoding) => writeAll(await openSink(target, context, report), encodeChunks(chunks, encoding)),
  };
}

/** Tells what a destination waits for, and gives way to its data. */
export type Teller = Pick<Report, "note" | "progress">;

interface Wanted {
  readonly query: Query;
  readonly output: Pick<Output, "target">;
}

/** Writes output other than a query's, such as the list of metrics. */
export async function writeParts(target: Target | undefined, parts: Parts, context: Context): Promise<void> {
  await writeAll(await openSink(target, context), parts);
}

/** A sink that rejects writes once the command is interrupted. */
export async function openSink(target: Target | undefined, context: Context, report?: Teller): Promise<Sink> {
  const { stdout, signal } = context;
  if (!target) return giveWay(createStreamSink(stdout.stream, "standard output", signal), stdout.isTerminal ? report : undefined);
  if (target.kind !== "file") {
    const { openDeviceSink } = await import("./device.ts");
    return giveWay(await openDeviceSink(target, context, report?.note), target.kind === "pipe" ? undefined : report);
  }
  const { openFileSink } = await import("./file.ts");
  const file = await openFileSink(target, context.process);
  const sink = isCompressed(target.name) ? (await import("./gzip.ts")).createGzipSink(file) : file;
  return {
    ...sink,
    write: async (part) => {
      context.signal.throwIfAborted();
      await sink.write(part);
    },
  };
}

/** Clears the progress line before data goes to what may be the same terminal. */
function giveWay(sink: Sink, report: Teller | undefined): Sink {
  if (!report) return sink;
  return {
    ...sink,
    write: (part) => {
      report.progress(undefined);
      return sink.write(part);
    },
  };
}
