/** Finds the outputs that `ents update` brings up to date: by name, in folders, and by pattern. */
import { lstat, readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import type { Context } from "../../base/context.ts";
import { EntsError, usageError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { EMPTY_JOURNAL, JOURNAL, readJournal } from "../../store/journal.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { DESCRIPTOR } from "../destination/dataset/partition.ts";
import { findDescriptor } from "../destination/interface.ts";
import { nameOutput } from "../look-back/open-stored.ts";
import { readDescriptor } from "../package/descriptor.ts";

/** An output that `--update` made. */
export interface Updatable {
  readonly name: string;
  /** The command line that made it. */
  readonly command: string;
  /** Base URL of the service, or what is said of the sandbox. */
  readonly service: string;
  /** When it was made, in milliseconds since 1970 UTC. */
  readonly at: number;
}

/** A name that stands for no such output. */
interface NotUpdatable {
  readonly name: string;
  readonly problem: EntsError;
}

export type FoundOutput = Updatable | NotUpdatable;

type SearchContext = Pick<Context, "cwd" | "process"> & Pick<Report, "warn">;

/** Each output once: first those that cannot be updated, then the others, the one that was made longest ago first. */
export async function findOutputs(words: readonly string[], place: SearchContext): Promise<FoundOutput[]> {
  const found = new Map<string, FoundOutput>();
  for (const word of words)
    for (const output of await findByWord(word, place)) found.set(resolve(place.cwd, output.name), output);
  const timeOf = (output: FoundOutput) => ("at" in output ? output.at : 0);
  return [...found.values()].toSorted((a, b) => timeOf(a) - timeOf(b));
}

async function findByWord(word: string, place: SearchContext): Promise<FoundOutput[]> {
  const name = nameOutput(word);
  try {
    const own = await readOutput(name, place);
    if (own) return [own];
    const status = await lstat(resolve(place.cwd, name)).catch(() => undefined);
    if (status?.isDirectory()) return requireSome(await findInside(name, place), word);
    const pattern = toPattern(word);
    if (!status && isDynamicPattern(pattern)) {
      const paths = await glob([pattern, pattern + STORED], {
        cwd: place.cwd,
        onlyFiles: false,
        expandDirectories: false,
      });
      return requireSome(await findAmong(paths.map(nameOutput), place), word);
    }
    throw usageError(
      status
        ? `${name} was not made with ${UPKEEP_FLAGS.update}, or its description is lost`
        : `${name} does not exist`,
      `run the command that makes it once, with ${UPKEEP_FLAGS.update}`,
    );
  } catch (error) {
    return [toProblem(name, error)];
  }
}

/** In a pattern a backslash is no separator, even on Windows. */
export function toPattern(word: string, separator = sep): string {
  return word.replaceAll(separator, "/");
}

/** @throws {EntsError} usage: nothing was found. */
function requireSome(found: readonly FoundOutput[], word: string): FoundOutput[] {
  if (found.length === 0) throw usageError(`${word} has no output that was made with ${UPKEEP_FLAGS.update}`);
  return [...found];
}

/** Those that `--update` made; others are passed over. */
async function findAmong(names: readonly string[], place: SearchContext): Promise<FoundOutput[]> {
  const found: FoundOutput[] = [];
  for (const name of new Set(names)) {
    const own = await readOutput(name, place).catch((error: unknown) => toProblem(name, error));
    if (own) found.push(own);
  }
  return found;
}

/** Outputs in a folder and below; folders that cannot be read are passed over with a warning. */
async function findInside(folder: string, place: SearchContext): Promise<FoundOutput[]> {
  const entries = await readdir(resolve(place.cwd, folder), { withFileTypes: true }).catch((cause: unknown) => {
    throw new EntsError("output", `cannot read ${folder}: ${describeSystemError(cause)}`, { cause });
  });
  const own = entries.filter(
    ({ name }) => name.endsWith(findDescriptor("")) || (name.endsWith(STORED) && name !== STORED),
  );
  const found = await findAmong(
    own.map(({ name }) => nameOutput(join(folder, name))),
    place,
  );
  for (const entry of entries) {
    const name = join(folder, entry.name);
    if (!entry.isDirectory() || PASSED_OVER.test(entry.name)) continue;
    const dataset = await findAmong([name], place);
    found.push(
      ...(dataset.length > 0
        ? dataset
        : await findInside(name, place).catch((error: unknown) => passOver(error, place))),
    );
  }
  return found;
}

/** Hidden folders, those of stored responses, and that of a file system. */
const PASSED_OVER = /^\.|\.ents$|^lost\+found$/;

function passOver(error: unknown, { warn }: SearchContext): FoundOutput[] {
  if (!(error instanceof EntsError)) throw error;
  warn(error.message);
  return [];
}

function toProblem(name: string, error: unknown): NotUpdatable {
  if (error instanceof EntsError) return { name, problem: error };
  throw error;
}

/**
 * Undefined for what no update has made.
 * @throws {EntsError} usage: another user wrote its description; output: that is lost or damaged, while its responses
 * are there.
 */
async function readOutput(name: string, { cwd, process: { uid } }: SearchContext): Promise<Updatable | undefined> {
  for (const path of [findDescriptor(name), join(name, DESCRIPTOR)]) {
    const status = await lstat(resolve(cwd, path)).catch(() => undefined);
    const described = status?.isFile() ? await readDescriptor(resolve(cwd, path)) : undefined;
    if (!status || described === undefined) continue;
    // An export of another kind has replaced it.
    if (described.command === undefined || !IS_UPDATE.test(described.command)) return undefined;
    // Its command could send a token elsewhere.
    if (uid !== undefined && status.uid !== uid && status.uid !== ROOT)
      throw usageError(
        `${path} belongs to another user, so its command is not run`,
        "make it your own, or run ents as that user",
      );
    return { name, command: described.command, service: described.query["service"] as string, at: status.mtimeMs };
  }
  for (const folder of [name + STORED, join(name, STORED)]) {
    if (!existsSync(resolve(cwd, folder, JOURNAL))) continue;
    const { made } = await readJournal(resolve(cwd, folder)).catch(() => EMPTY_JOURNAL);
    const lost = `cannot update ${name}: its description is missing or damaged, but ${folder} is there`;
    throw new EntsError("output", lost, {
      hint: made ? `to write it again, run:\n${made.command}` : "run the command that made it again",
    });
  }
  return undefined;
}

/** The end of the name of a folder of stored responses. */
const STORED = ".ents";
const IS_UPDATE = new RegExp(` ${UPKEEP_FLAGS.update}(?: |$)`);
const ROOT = 0;
