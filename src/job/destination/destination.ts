/** Where a result is written: in full or not at all. */
import type { Context } from "../../base/context.ts";
import { EntsError } from "../../base/errors.ts";
import { encodeChunks } from "../../format/encode.ts";
import type { About, Parts } from "../../format/format.ts";
import { isCompressed } from "../../format/registry.ts";
import type { UpkeepValues } from "../../options/upkeep-options.ts";
import type { Report } from "../../base/report.ts";
import type { Query } from "../../query/query.ts";
import type { Output } from "../output.ts";
import type { Destination } from "./interface.ts";
import { type Sink, writeAll } from "./sink.ts";
import { createStreamSink } from "./stream.ts";
import type { Target } from "./target.ts";

export type { Destination } from "./interface.ts";

/** The file or stream that the output flags name, or standard output. */
export async function openDestination(wanted: Wanted, context: Context, report: Teller): Promise<Destination> {
  const { query, output, options } = wanted;
  const { target } = output;
  if (target?.kind === "folder") {
    const { openDataset } = await import("./dataset/open-dataset.ts");
    return openDataset({ ...wanted, target }, context, report);
  }
  if (options.update) {
    const { openUpdate } = await import("./update/open-update.ts");
    return openUpdate(wanted, { context, report });
  }
  return {
    query,
    rewritable: target?.kind === "file",
    put: async (chunks, encoding) => writeAll(await openSink(target, context, report), encodeChunks(chunks, encoding)),
  };
}

/** Tells what a destination waits for, and gives way to its data. */
type Teller = Pick<Report, "note" | "warn" | "done" | "progress">;

interface Wanted {
  readonly query: Query;
  readonly output: Output;
  readonly options: Pick<UpkeepValues, "update" | "revise" | "changes">;
  readonly about: About;
  /** Whether an update fetches and writes all of the output. */
  readonly whole: boolean;
}

/** Writes output other than a query's, such as the list of metrics. */
export async function writeParts(target: Target | undefined, parts: Parts, context: Context): Promise<void> {
  await writeAll(await openSink(target, context), parts);
}

/** A sink that rejects writes once the command is interrupted. */
export async function openSink(target: Target | undefined, context: Context, report?: Teller): Promise<Sink> {
  const { stdout, signal } = context;
  if (!target) return giveWay(createStreamSink(stdout.stream, "standard output", signal), stdout.isTerminal ? report : undefined);
  if (target.kind === "folder") throw new EntsError("output", `cannot write ${target.name}: it is a directory`);
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
