/** `<output>.ents-partial/`: the answers of an unfinished export, by request. */
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import type { Response } from "../../source/response.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { takeLock } from "../../files/lock.ts";
import { type Heading, isStored, isUnfinished, nameOf, readHeading, readStored, type RequestKey, writeStored } from "./stored-response.ts";

export interface Checkpoint {
  /** The path shown in messages. */
  readonly folder: string;
  /** Creates the folder, or opens that of an earlier run. Before this, nothing is kept or found. @throws {EntsError} output. */
  open(): Promise<void>;
  /** Whether a usable answer to the request is kept. */
  has(request: PlannedRequest): boolean;
  /** Kept answers to requests other than these. */
  countOthers(requests: readonly PlannedRequest[]): number;
  find(request: PlannedRequest): Promise<Response | undefined>;
  /** @throws {EntsError} output: it cannot be written. */
  keep(request: PlannedRequest, response: Response): Promise<void>;
  /** Removes a broken answer. */
  drop(request: PlannedRequest): Promise<void>;
  /** Unlocks the folder. Removes all answers when `done`, and the folder when it is empty. @throws {EntsError} output. */
  close(done: boolean): Promise<void>;
}

export interface CheckpointOptions {
  /** The output's path. */
  readonly output: string;
  /** The base address. */
  readonly service: string;
}

type CheckpointContext = Pick<Context, "process" | "cwd" | "now">;

export function createCheckpoint({ output, service }: CheckpointOptions, { process, cwd, now }: CheckpointContext): Checkpoint {
  const shown = `${output}.ents-partial`;
  const folder = resolve(cwd, shown);
  const keyOf = ({ path }: PlannedRequest) => ({ service, path });
  const headings = new Map<string, Heading>();
  const keptByThisRun = new Set<string>();
  let release: (() => Promise<void>) | undefined;
  return {
    folder: shown,
    open: () => explain(shown, open),
    has,
    countOthers: (requests) => {
      const names = new Set(requests.map((request) => nameOf(keyOf(request))));
      return [...headings.keys()].filter((name) => !names.has(name)).length;
    },
    find: async (request) => (has(request) ? readStored(folder, keyOf(request)) : undefined),
    keep: (request, response) => explain(shown, () => keep(keyOf(request), response)),
    drop: (request) => explain(shown, () => drop(keyOf(request))),
    close: (done) => explain(shown, () => close(done)),
  };

  async function open(): Promise<void> {
    if (release) return;
    // Not its parents: a missing one is an error of the output.
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    release = await takeLock({ path: join(folder, LOCK), guards: output, process });
    for (const [name, heading] of await readHeadings(folder)) headings.set(name, heading);
  }

  function has(request: PlannedRequest): boolean {
    const name = nameOf(keyOf(request));
    const heading = headings.get(name);
    return release !== undefined && heading !== undefined && (keptByThisRun.has(name) || isFinal(heading, request, now()));
  }

  async function keep(key: RequestKey, response: Response): Promise<void> {
    if (!release) return;
    headings.set(nameOf(key), await writeStored(folder, key, response));
    keptByThisRun.add(nameOf(key));
  }

  async function drop(key: RequestKey): Promise<void> {
    if (headings.delete(nameOf(key))) await rm(join(folder, nameOf(key)), { force: true });
  }

  async function close(done: boolean): Promise<void> {
    const unlock = release;
    release = undefined;
    if (!unlock) return;
    try {
      if (done) await removeStored(folder);
    } finally {
      await unlock();
    }
    // Fails where answers are kept, or another run has started.
    await rmdir(folder).catch(() => {});
  }
}

const LOCK = "lock";

/**
 * Whether a later run may use an answer: its window had ended when it was received. What a service says of a window
 * under way, also that it has no data, changes. A clock that was ahead must not make a window end.
 */
function isFinal({ receivedAt }: Heading, { endsBy }: PlannedRequest, now: number): boolean {
  return endsBy !== undefined && endsBy <= receivedAt && receivedAt <= now;
}

async function readHeadings(folder: string): Promise<Map<string, Heading>> {
  const headings = new Map<string, Heading>();
  for (const name of await readdir(folder)) {
    if (isUnfinished(name)) await rm(join(folder, name), { force: true });
    const heading = isStored(name) ? await readHeading(join(folder, name)) : undefined;
    if (heading) headings.set(name, heading);
  }
  return headings;
}

async function removeStored(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (isStored(name) || isUnfinished(name)) await rm(join(folder, name), { force: true });
}

async function explain<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntsError) throw error;
    throw new EntsError("output", `cannot keep finished requests in ${folder}: ${describeSystemError(error)}`, {
      cause: error,
      hint: `${codeOf(error) === "ENOSPC" ? "free some space, or " : ""}choose another file with ${OUTPUT_OPTIONS.output.short}`,
    });
  }
}
