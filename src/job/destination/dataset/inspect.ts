/** What is in the folder of a dataset before a run, and whether the run may write there. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, EntsError, usageError } from "../../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { describeFormat, formatOfFile } from "../../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import { type Descriptor, parseDescriptor } from "../../package/descriptor.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { isPartition } from "./partition.ts";
import { DESCRIPTOR } from "./place.ts";

export interface InspectedFolder {
  /** The text of the description. */
  readonly text: string | undefined;
  /** Undefined for a folder without data. */
  readonly descriptor: Descriptor | undefined;
}

const ANOTHER = `choose another folder with ${OUTPUT_OPTIONS.output.short}`;

/** @throws {EntsError} usage: it has data that ents has not described; output: it cannot be read. */
export async function inspect(target: FolderTarget): Promise<InspectedFolder> {
  const text = await readDescription(target);
  const parsed = text === undefined ? undefined : parseDescriptor(text);
  // Listed files without rows are removed later: so a description that lists files elsewhere is not used.
  const descriptor = parsed?.files.every(({ path }) => isPartition(path)) ? parsed : undefined;
  const data = descriptor ? undefined : (await listEntries(target)).find(isData);
  if (data === undefined) return { text, descriptor };
  const problem = text === undefined ? `has data (${data}), but no ${DESCRIPTOR}` : `has a ${DESCRIPTOR} that ents cannot continue`;
  throw usageError(`${target.name} ${problem}`, `restore the ${DESCRIPTOR} that ents wrote there, or ${ANOTHER}`);
}

export async function readDescription({ name, path }: FolderTarget): Promise<string | undefined> {
  try {
    return await readFile(join(path, DESCRIPTOR), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw toFileError(error, `${name}/${DESCRIPTOR}`);
  }
}

async function listEntries({ name, path }: FolderTarget): Promise<string[]> {
  return readdir(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw toFileError(error, name);
  });
}

/** Whether programs that read a dataset would read this file as a part of it. They skip hidden files. */
function isData(name: string): boolean {
  const format = formatOfFile(name);
  return (
    name === DESCRIPTOR || /^\w+=/.test(name) || (!name.startsWith(".") && format !== undefined && describeFormat(format).dataset === true)
  );
}

/** Without --update, only a run that was not finished may be repeated. @throws {EntsError} usage: there is data. */
export function checkFree(name: string, { descriptor }: InspectedFolder): void {
  if (descriptor && !descriptor.unfinished) throw usageError(`${name} has data already`, `add ${UPKEEP_FLAGS.update}, or ${ANOTHER}`);
}

/** @throws {EntsError} output: another run has changed the description since. */
export async function checkUnchanged(target: FolderTarget, { text }: InspectedFolder): Promise<void> {
  if ((await readDescription(target)) === text) return;
  throw new EntsError("output", `another ents has written ${target.name} in the meantime`, { hint: "run the command again" });
}
