/** Where a result is written: in full or not at all. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError } from "../../base/errors.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Provenance, EncodedParts } from "../../format/format.ts";
import { isCompressed } from "../../format/registry.ts";
import { UPKEEP_FLAGS, type UpkeepValues } from "../../options/upkeep-options.ts";
import type { Report } from "../../base/report.ts";
import type { Query } from "../../query/query.ts";
import { countPoints } from "../../series/overlap.ts";
import { explainNoData } from "../no-data.ts";
import type { Output } from "../output.ts";
import type { Describer } from "../package/describe.ts";
import type { Describe, FileSinkOptions } from "./file.ts";
import { type BeforePlace, type Destination, findDescriptor, type Sink, writeAll } from "./interface.ts";
import { createStreamSink } from "./stream.ts";
import type { Target } from "./target.ts";

export type { Destination } from "./interface.ts";

/** The file or stream that the output flags name, or standard output. */
export async function openDestination(wanted: Wanted, context: Context, report: Teller): Promise<Destination> {
  const { target } = wanted.output;
  if (target?.kind === "folder") {
    const { openDataset } = await import("./dataset/open-dataset.ts");
    return openDataset({ ...wanted, target }, context);
  }
  const describer = await loadDescriber(wanted, context);
  return {
    put: async (chunks, encoding, { beforePlace } = {}) => {
      const guard = createGuard(wanted);
      const watched = guard.watch(describer?.watch(encoding) ?? encoding);
      const describe = joinHooks(describer?.describe, beforePlace);
      await writeAll(await openSink(target, context, { report, describe, check: guard.check }), encodeChunks(chunks, watched));
    },
  };
}

/** Keeps an export without a row from replacing a file that has some. */
function createGuard({ query, output: { target }, options }: Wanted) {
  let isEmpty = true;
  return {
    watch: (encoding: Encoding): Encoding => ({
      ...encoding,
      onChunk: (chunk) => {
        isEmpty &&= chunk.unknown === undefined && countPoints(chunk.timeSeries) === 0;
        encoding.onChunk?.(chunk);
      },
    }),
    /** `bytes`: an output without rows. Of another size, the old file is no such output. @throws {EntsError} incomplete. */
    check: (bytes: number): void => {
      const old = target?.kind === "file" ? target.old : undefined;
      if (!isEmpty || options.overwrite || !old || old.size === 0 || old.size === bytes) return;
      const [problem, ...reasons] = explainNoData(query);
      const hint = [...reasons, `to replace it all the same, add ${UPKEEP_FLAGS.overwrite}`].join("\n");
      throw new EntsError("incomplete", `${target?.name} is unchanged: ${problem}`, { hint });
    },
  };
}

/** An existing description is updated, also without the flag. */
async function loadDescriber({ output, provenance, options }: Wanted, context: Context): Promise<Describer | undefined> {
  if (!options.datapackage && !options.update && !(await isDescribed(output, context))) return undefined;
  const { createDescriber } = await import("../package/describe.ts");
  return createDescriber({ output, provenance }, context);
}

/** What is done between the last byte of a file and its place. */
function joinHooks(describe: Describe | undefined, beforePlace: BeforePlace | undefined): Describe | undefined {
  if (!beforePlace) return describe;
  return async (file) => {
    const description = await describe?.(file);
    try {
      await beforePlace(file);
    } catch (error) {
      await description?.discard();
      throw error;
    }
    return description ?? { place: async () => {}, discard: async () => {} };
  };
}

/** Whether ents has described the file that is there. */
async function isDescribed({ target }: Output, { cwd }: Context): Promise<boolean> {
  const path = target?.kind === "file" ? resolve(cwd, findDescriptor(target.name)) : undefined;
  if (path === undefined || !existsSync(path)) return false;
  const { readDescriptor } = await import("../package/descriptor.ts");
  return (await readDescriptor(path)) !== undefined;
}

/** Reports what a destination waits for, and clears the progress line before its data. */
type Teller = Pick<Report, "note" | "warn" | "done" | "progress">;

interface Wanted {
  readonly query: Query;
  readonly output: Output;
  readonly options: Pick<UpkeepValues, "update" | "datapackage" | "overwrite">;
  readonly provenance: Provenance;
}

/** Writes output other than a query's, such as the list of metrics. */
export async function writeParts(target: Target | undefined, parts: EncodedParts, context: Context): Promise<void> {
  await writeAll(await openSink(target, context), parts);
}

interface SinkOptions {
  readonly report?: Teller;
  /** Writes the description of a file before it takes its place. */
  readonly describe?: Describe | undefined;
  readonly check?: FileSinkOptions["check"];
}

/** A sink that rejects writes once the command is interrupted. */
export async function openSink(target: Target | undefined, context: Context, { report, describe, check }: SinkOptions = {}): Promise<Sink> {
  const { stdout, signal } = context;
  if (!target) return giveWay(createStreamSink(stdout.stream, "standard output", signal), stdout.isTerminal ? report : undefined);
  if (target.kind === "folder") throw new EntsError("output", `cannot write ${target.name}: it is a directory`);
  if (target.kind !== "file") {
    const { openDeviceSink } = await import("./device.ts");
    return giveWay(await openDeviceSink(target, context, report?.note), target.kind === "pipe" ? undefined : report);
  }
  const { openFileSink } = await import("./file.ts");
  const file = await openFileSink(target, context.process, { describe, check });
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
