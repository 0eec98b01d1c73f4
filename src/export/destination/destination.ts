/** Opens the destination of a result, which is written completely or not at all. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError } from "../../base/errors.ts";
import { encodeChunks } from "../../format/encode.ts";
import type { EncodedParts } from "../../format/format.ts";
import { isCompressed } from "../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Report } from "../../base/report.ts";
import type { Chunk } from "../../series/merge.ts";
import { countPoints } from "../../series/overlap.ts";
import type { PlannedJob } from "../job.ts";
import { explainNoData } from "../failure.ts";
import type { Output } from "../output.ts";
import type { Describer } from "../package/describe.ts";
import { addObservers } from "../observe.ts";
import type { FileHooks } from "./file.ts";
import { type Destination, findDescriptor, type Sink, writeAll } from "./interface.ts";
import { createStreamSink } from "./stream.ts";
import type { Target } from "./target.ts";

/** Opens the file, folder or stream that the output flags name, or standard output. */
export async function openDestination(job: PlannedJob): Promise<Destination> {
  const { context, report, output } = job;
  const { target } = output;
  if (target?.kind === "folder") {
    const { openDataset } = await import("./dataset/open-dataset.ts");
    return openDataset(job, target);
  }
  const describer = await loadDescriber(job);
  return {
    put: async (chunks, encoding, { beforePlace } = {}) => {
      const guard = createGuard(job);
      const description = describer?.(encoding);
      const hooks = { check: guard.check, describe: description?.describe, beforePlace };
      const parts = encodeChunks(chunks, addObservers(encoding, guard, description?.log));
      await writeAll(await openSink(target, context, { report, ...hooks }), parts);
    },
  };
}

/** Prevents an export without rows from replacing a file that has some. */
function createGuard(job: PlannedJob) {
  const {
    output: { target, formatName },
    options,
  } = job;
  const isDelimited = formatName === "csv" || formatName === "tsv";
  let isEmpty = true;
  return {
    onChunk: ({ unknown, timeSeries }: Chunk): void => {
      isEmpty &&= unknown === undefined && countPoints(timeSeries) === 0;
    },
    /**
     * `bytes`: size of the new file. If that has no rows, an old csv or tsv has rows unless it is a header; another old
     * file, if it has another size. @throws {EntsError} incomplete.
     */
    check: (bytes: number): void => {
      const old = target?.kind === "file" ? target.old : undefined;
      if (!isEmpty || options.overwrite || target?.kind !== "file" || !old || old.size === 0) return;
      if (isDelimited && !isCompressed(target.name) ? isHeader(target.path, old.size, "timestamp") : old.size === bytes)
        return;
      const [problem, ...reasons] = explainNoData(job);
      const hint = [...reasons, `to replace it anyway, add ${UPKEEP_FLAGS.overwrite}`].join("\n");
      throw new EntsError("incomplete", `${target?.name} is unchanged: ${problem}`, { hint });
    },
  };
}

/** Bytes; a larger file has more than a header. */
const MAX_HEADER_SIZE = 64 * 1024;

/**
 * Whether a delimited file is one line that begins with the name of the first column. A single row of `--no-header` is
 * not.
 */
export function isHeader(path: string, size: number, firstColumn: string): boolean {
  if (size > MAX_HEADER_SIZE) return false;
  const text = readFileSync(path, "utf8");
  return text.startsWith(firstColumn) && !/\n./.test(text);
}

/** Undefined if no description is needed. An existing one is updated even without the flag. */
async function loadDescriber(job: PlannedJob): Promise<Describer | undefined> {
  const { output, options, context } = job;
  if (!options.datapackage && !options.update && !(await isDescribed(output, context))) return undefined;
  const { createDescriber } = await import("../package/describe.ts");
  return createDescriber(job);
}

/** True if ents has described the existing file. */
async function isDescribed({ target }: Output, { cwd }: Context): Promise<boolean> {
  const path = target?.kind === "file" ? resolve(cwd, findDescriptor(target.name)) : undefined;
  if (path === undefined || !existsSync(path)) return false;
  const { readDescriptor } = await import("../package/descriptor.ts");
  return (await readDescriptor(path).catch(() => path)) !== undefined;
}

/** Writes output that is not the result of a query, such as the list of metrics. */
export async function writeParts(target: Target | undefined, parts: EncodedParts, context: Context): Promise<void> {
  await writeAll(await openSink(target, context), parts);
}

/** Opens a sink that rejects writes once the command is interrupted. */
export async function openSink(
  target: Target | undefined,
  context: Context,
  { report, ...hooks }: FileHooks & { readonly report?: Report } = {},
): Promise<Sink> {
  const { stdout, signal } = context;
  if (!target)
    return clearProgressFirst(
      createStreamSink(stdout.stream, "standard output", signal),
      stdout.isTerminal ? report : undefined,
    );
  if (target.kind === "folder") throw new EntsError("output", `cannot write ${target.name}: it is a directory`);
  if (target.kind !== "file") {
    const { openDeviceSink } = await import("./device.ts");
    return clearProgressFirst(
      await openDeviceSink(target, context, report?.note),
      target.kind === "pipe" ? undefined : report,
    );
  }
  const { openFileSink } = await import("./file.ts");
  const file = await openFileSink(target, context.process, hooks);
  const sink = isCompressed(target.name) ? (await import("./gzip.ts")).createGzipSink(file) : file;
  return {
    ...sink,
    write: async (part) => {
      context.signal.throwIfAborted();
      await sink.write(part);
    },
  };
}

/** Clears the progress line before data are written, perhaps to the same terminal. */
function clearProgressFirst(sink: Sink, report: Report | undefined): Sink {
  if (!report) return sink;
  return {
    ...sink,
    write: (part) => {
      report.progress(undefined);
      return sink.write(part);
    },
  };
}
