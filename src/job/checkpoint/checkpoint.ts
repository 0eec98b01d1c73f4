/** `<output>.ents-partial/`: the answers of an unfinished export, by request. */
import { lstat, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import type { Response } from "../../source/response.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { type Release, takeLock } from "../../files/lock.ts";
import { findExposure } from "../../files/own-folder.ts";
import type { AnswerStore } from "../../source/kept/keep-answers.ts";
import {
  type Heading,
  isFinal,
  isStored,
  isUnfinished,
  nameOf,
  readHeading,
  readStored,
  type RequestKey,
  writeStored,
} from "../../source/kept/stored-response.ts";
import { findUsable, isNews, type Reason } from "./news.ts";

export interface Checkpoint extends AnswerStore {
  /** The path shown in messages. */
  readonly folder: string;
  /**
   * Creates the folder, or opens that of an earlier run. Before this, nothing is kept or found.
   * @throws {EntsError} output: another run uses it, or other users may have written to it.
   */
  open(): Promise<void>;
  /** Whether a usable answer to the request is kept. */
  has(request: PlannedRequest): boolean;
  /** Kept answers to requests other than these. */
  countOthers(requests: readonly PlannedRequest[]): number;
  /** What the news led to is of no use: a later run that finds the same starts anew. */
  forgetNews(): Promise<void>;
  /** Unlocks the folder. Removes all answers when `done`, and the folder when it is empty. @throws {EntsError} output. */
  close(done: boolean): Promise<void>;
  /** Removes the answers of an earlier run, if there is a folder. @throws {EntsError} output. */
  clear(): Promise<void>;
}

export interface CheckpointOptions {
  /** The output's path. */
  readonly output: string;
  /** The base address. */
  readonly service: string;
  /** As of `Destination`. */
  readonly settlesAfter?: number | undefined;
  /** The names of requests that were answered since the command was started: their answers are good. */
  readonly answered?: Set<string>;
  /** What this run has found out; undefined as yet, or for nothing. */
  readonly reason?: Reason | undefined;
  /** Answers that earlier runs received before this instant are not used, in milliseconds since 1970 UTC. By default, all are. */
  readonly usesFrom?: number | undefined;
}

type CheckpointContext = Pick<Context, "process" | "cwd" | "now">;

export function createCheckpoint(options: CheckpointOptions, { process, cwd, now }: CheckpointContext): Checkpoint {
  const { output, service, settlesAfter, answered = new Set(), reason, usesFrom = 0 } = options;
  const shown = `${output}.ents-partial`;
  const folder = resolve(cwd, shown);
  const keyOf = ({ path }: PlannedRequest) => ({ service, path });
  const headings = new Map<string, Heading>();
  /** The folder's, and so that of all answers in it. */
  let owner: number | undefined;
  let release: (() => Promise<void>) | undefined;
  return {
    folder: shown,
    open: () => explain(shown, open),
    has,
    countOthers: (requests) => headings.size - requests.filter((request) => headings.has(nameOf(keyOf(request)))).length,
    find: async (request) => (has(request) ? readStored(folder, keyOf(request), owner) : undefined),
    keep: (request, response) => explain(shown, () => keep(keyOf(request), response)),
    drop: (request) => explain(shown, () => drop(keyOf(request))),
    forgetNews: () => removeFiles(folder, isNews).catch(() => {}),
    close: (done) => explain(shown, () => close(done)),
    clear: () => explain(shown, clear),
  };

  async function open(): Promise<void> {
    if (release) return;
    ({ owner, release } = await lockFolder(folder, { shown, output, process }));
    await removeFiles(folder, isUnfinished).catch(() => {});
    const since = Math.max(usesFrom, await findUsable(folder, reason, now()));
    for (const [name, heading] of await readHeadings(folder, owner))
      if (heading.receivedAt >= since || answered.has(name)) headings.set(name, heading);
  }

  function has(request: PlannedRequest): boolean {
    const name = nameOf(keyOf(request));
    const heading = release && headings.get(name);
    return heading !== undefined && (answered.has(name) || isFinal(heading, request, { now: now(), settlesAfter }));
  }

  async function keep(key: RequestKey, response: Response): Promise<void> {
    if (!release) return;
    headings.set(nameOf(key), await writeStored(folder, { key, response }));
    answered.add(nameOf(key));
  }

  async function drop(key: RequestKey): Promise<void> {
    if (headings.delete(nameOf(key))) await rm(join(folder, nameOf(key)), { force: true });
  }

  async function close(done: boolean): Promise<void> {
    const unlock = release;
    release = undefined;
    if (unlock) await closeFolder(folder, done, unlock);
  }

  async function clear(): Promise<void> {
    if (!(await lstat(folder).catch(() => undefined))) return;
    await open();
    await close(true);
  }
}

const LOCK = "lock";

interface Guard extends Pick<Context, "process"> {
  readonly shown: string;
  readonly output: string;
}

/** Tries again where another run ends and removes the folder. */
async function lockFolder(folder: string, guard: Guard, tries = 10): Promise<{ owner: number; release: Release }> {
  const { output, process } = guard;
  try {
    const owner = await openFolder(folder, guard);
    return { owner, release: await takeLock({ path: join(folder, LOCK), guards: output, process }) };
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || tries === 1) throw error;
    return lockFolder(folder, guard, tries - 1);
  }
}

/** Creates the folder where it is missing. Resolves to its owner. */
async function openFolder(folder: string, { shown, output, process }: Guard): Promise<number> {
  // Not its parents: a missing one is an error of the output.
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    const code = codeOf(error) ?? "";
    if (NOT_WRITABLE.includes(code)) throw notWritable(error, { output, parent: dirname(folder) });
    if (code !== "EEXIST") throw error;
  });
  const exposure = await findExposure(folder, process.uid);
  if (exposure === undefined) return (await lstat(folder)).uid;
  throw new EntsError("output", `cannot keep finished requests in ${shown}: ${exposure}`, {
    hint: `move or delete it, ${CHOOSE_ANOTHER}, or use ${FETCH_FLAGS.resume}`,
  });
}

const NOT_WRITABLE: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/** The output has its place beside the folder, where nothing can be made. */
function notWritable(cause: unknown, { output, parent }: { readonly output: string; readonly parent: string }): EntsError {
  return new EntsError("output", `cannot write ${output}: the folder ${parent} is not writable (${describeSystemError(cause)})`, {
    cause,
    hint: CHOOSE_ANOTHER,
  });
}

const CHOOSE_ANOTHER = `choose another file with ${OUTPUT_OPTIONS.output.short}`;

async function closeFolder(folder: string, done: boolean, unlock: () => Promise<void>): Promise<void> {
  try {
    if (done) await removeFiles(folder, (name) => isStored(name) || isUnfinished(name) || isNews(name));
  } finally {
    await unlock();
  }
  // Fails where answers are kept, or another run has started.
  await rmdir(folder).catch(() => {});
}

async function readHeadings(folder: string, owner: number) {
  const headings = new Map<string, Heading>();
  for (const name of await readdir(folder)) {
    const heading = isStored(name) ? await readHeading(join(folder, name), owner) : undefined;
    if (heading) headings.set(name, heading);
  }
  return headings;
}

/** Removes as many as it can. @throws the first error. */
async function removeFiles(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isOurs);
  const removals = await Promise.allSettled(names.map((name) => rm(join(folder, name), { force: true })));
  for (const removal of removals) if (removal.status === "rejected") throw removal.reason;
}

async function explain<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntsError) throw error;
    throw new EntsError("output", `cannot keep finished requests in ${folder}: ${describeSystemError(error)}`, {
      cause: error,
      hint: `${codeOf(error) === "ENOSPC" ? "free some space, or " : ""}${CHOOSE_ANOTHER}`,
    });
  }
}
