/**
 * `--partition`: a folder with one file per period. A file is never half-written, and is replaced only if its rows have
 * changed.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import type { Destination } from "../interface.ts";
import type { PlannedJob } from "../../job.ts";
import { nameData, DESCRIPTOR, isPartition } from "./partition.ts";
import { type Done, putFiles } from "./put-files.ts";
import { formatCount, formatNumber } from "../../../base/phrases.ts";
import { type DescribedFile, type Descriptor, parseDescriptor } from "../../package/descriptor.ts";
import { ResponseFolder } from "../../../store/response-folder.ts";
import { hasFinishedRun } from "../../../store/journal.ts";
import { removeLeftovers } from "../../../files/temporary.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { codeOf, EntsError, usageError } from "../../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { describeFormat, formatOfFile } from "../../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";

/** @throws {EntsError} usage: the folder has data that this run would not replace; output: it cannot be read. */
export async function openDataset(job: PlannedJob, target: FolderTarget): Promise<Destination> {
  const { output, options, context } = job;
  const fileName = nameData(output.formatName);
  const { text, descriptor, old } = await inspectFolder(target, options.update ? fileName : undefined);
  // Without --update, only an unfinished run may be repeated.
  if (!options.update && descriptor && !descriptor.unfinished)
    throw usageError(`${target.name} has data already`, `add ${UPKEEP_FLAGS.update}, or ${ANOTHER}`);
  let done: Done | undefined;
  return {
    get wrote() {
      return done && describeWritten(done);
    },
    get size() {
      return done?.bytes ?? 0;
    },
    put: async (chunks, encoding, { isLocked, ...put } = {}) => {
      // Two runs must not write one dataset at once.
      const lock = isLocked
        ? undefined
        : new ResponseFolder({ output: target.name, isDataset: true, service: "", startedAt: 0 }, context);
      await lock?.open();
      try {
        if ((await readDescription(target)) !== text)
          throw new EntsError("output", `another ents has written ${target.name} in the meantime`, {
            hint: "run the command again",
          });
        await removeLeftovers(join(target.path, fileName), context.process);
        done = await putFiles(job, { ...put, target, chunks, encoding, old, fileName });
      } finally {
        await lock?.close(false).catch(() => {});
      }
    },
  };
}

/** Describes in one line which partitions a run has written. */
function describeWritten({ written, unchanged, withdrawn }: Done): string {
  const rows = [...written, ...unchanged].reduce((sum, file) => sum + file.rows, 0);
  const paths = written.map(({ path }) => path);
  const others = unchanged.length === 0 ? "" : `, ${formatNumber(unchanged.length)} unchanged`;
  const removed = withdrawn.length === 0 ? "" : `; removed ${describeFiles(withdrawn, "old file")}`;
  return `wrote ${describeFiles(paths, "partition")}${others}: ${formatCount(rows, "row")}${removed}`;
}

function describeFiles(paths: readonly string[], what: string): string {
  const folders = paths.map((path) => dirname(path));
  const names = [...new Set([folders[0], folders.at(-1)])].join(" to ");
  return `${formatCount(folders.length, what)}${names === "" ? "" : ` (${names})`}`;
}

const ANOTHER = `choose another folder with ${OUTPUT_OPTIONS.output.short}`;

interface Inspected {
  /** The description. */
  readonly text: string | undefined;
  readonly descriptor?: Descriptor | undefined;
  /** The files of the dataset. */
  readonly old: readonly DescribedFile[];
}

/**
 * `fileName`: of the files that an update may take for its own if their description is lost, and its journal is not.
 * @throws {EntsError} usage: the folder has data that ents has not described; output: it cannot be read.
 */
async function inspectFolder(target: FolderTarget, fileName: string | undefined): Promise<Inspected> {
  const text = await readDescription(target);
  const descriptor = text === undefined ? undefined : parseDescriptor(text);
  // A description that lists files elsewhere is not used, because listed files that have no rows any more are deleted.
  if (descriptor?.files.every(({ path }) => isPartition(path))) return { text, descriptor, old: descriptor.files };
  const list = (recursive: boolean) =>
    readdir(target.path, { recursive }).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw toFileError(error, target.name);
    });
  const data = (await list(false)).find(isData);
  if (data === undefined) return { text, old: [] };
  if (fileName !== undefined && (await hasFinishedRun(join(target.path, ".ents")))) {
    const paths = (await list(true)).map((path) => path.replaceAll("\\", "/"));
    const own = paths.filter((path) => isPartition(path) && path.endsWith(`/${fileName}`));
    return { text, old: own.map((path) => ({ path, bytes: 0, rows: 0, hash: "" })) };
  }
  const problem =
    text === undefined ? `has data (${data}), but no ${DESCRIPTOR}` : `has a ${DESCRIPTOR} that ents cannot continue`;
  throw usageError(`${target.name} ${problem}`, `restore the ${DESCRIPTOR} that ents wrote there, or ${ANOTHER}`);
}

async function readDescription({ name, path }: FolderTarget): Promise<string | undefined> {
  try {
    return await readFile(join(path, DESCRIPTOR), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw toFileError(error, `${name}/${DESCRIPTOR}`);
  }
}

/** True if programs that read a dataset would take this file or folder for a part of it. They skip hidden files. */
function isData(name: string): boolean {
  const format = formatOfFile(name);
  return (
    name === DESCRIPTOR ||
    /^\w+=/.test(name) ||
    (!name.startsWith(".") && format !== undefined && describeFormat(format).dataset === true)
  );
}
