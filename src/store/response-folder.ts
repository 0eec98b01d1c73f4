/** `<output>.ents/`: the stored responses of an output, and its journal. */
import { lstat, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import type { Release } from "../files/lock.ts";
import { replaceFile, retryHeld, isTemporary } from "../files/temporary.ts";
import { describeSystemError, ignoreMissing } from "../files/system-error.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { readWindow } from "../plan/request-path.ts";
import type { Response } from "../source/response.ts";
import {
  isResponseFile,
  listResponses,
  readHeading,
  readResponseFile,
  type StoredResponse,
  writeResponseFile,
} from "./response-file.ts";
import type { SegmentResponse } from "./segments.ts";
import type { Change } from "./compare.ts";
import {
  HISTORY,
  appendRun,
  EMPTY_JOURNAL,
  findRunOfChanges,
  type FinishedRun,
  foldRuns,
  hasFinishedRun,
  readJournal,
} from "./journal.ts";
import { createFolder, lockFolder, removeFiles } from "../files/own-folder.ts";
/** One that `--update` has stored. */
export type StoredSegmentResponse = StoredResponse & SegmentResponse;

interface FolderOptions {
  /** The output's path. */
  readonly output: string;
  /** True if the output is a folder of files. */
  readonly isDataset: boolean;
  /** Base URL of the service, or `sandbox`. */
  readonly service: string;
  /** In milliseconds since 1970 UTC. */
  readonly startedAt: number;
}

type ToStore = Pick<StoredResponse, "path" | "grid" | "reason" | "facts"> & { readonly response: Response };

const CHOOSE_ANOTHER = `choose another file with ${OUTPUT_OPTIONS.output.short}`;

/** Maximum number of files open at once, well below the limit of a process. */
const AT_ONCE = 64;

export class ResponseFolder {
  /** The path shown in messages. */
  readonly shown: string;
  readonly isDataset: boolean;
  /** Base URL of the service, or `sandbox`. */
  readonly service: string;
  /** Number of this run, higher than those of all earlier runs. */
  run: number;
  readonly #output: string;
  readonly #context: Pick<Context, "process" | "cwd">;
  readonly #path: string;
  /** Changes whenever a response comes or goes. */
  revision = 0;
  /** By file name. */
  readonly #responses = new Map<string, StoredResponse>();
  #journal = EMPTY_JOURNAL;
  #owner = 0;
  #release: Release | undefined;
  #hasMadeParent = false;

  constructor({ output, isDataset, service, startedAt }: FolderOptions, context: Pick<Context, "process" | "cwd">) {
    this.shown = isDataset ? join(output, ".ents") : `${output}.ents`;
    this.isDataset = isDataset;
    this.service = service;
    this.run = startedAt;
    this.#output = output;
    this.#context = context;
    this.#path = resolve(context.cwd, this.shown);
  }

  /** The number of all stored responses. */
  get size(): number {
    return this.#responses.size;
  }

  /** Those of the service. */
  get responses(): readonly StoredResponse[] {
    return [...this.#responses.values()].filter(({ service }) => service === this.service);
  }

  /** Those of an output that is updated. */
  get segments(): readonly StoredSegmentResponse[] {
    return this.responses.filter(
      (stored) => stored.grid !== undefined && stored.facts !== undefined,
    ) as StoredSegmentResponse[];
  }

  get journal() {
    return this.#journal;
  }

  /** Whether this run has locked the folder. */
  get isOpen(): boolean {
    return this.#release !== undefined;
  }

  /**
   * Creates the folder, or opens the one that an earlier run left.
   * @throws {EntsError} output: another run uses it, or other users may have written to it.
   */
  async open(): Promise<void> {
    if (this.#release) return;
    await explainStoring(this.shown, async () => {
      if (this.isDataset) this.#hasMadeParent ||= await createFolder(dirname(this.#path));
      this.#release = await lockFolder(this.#path, {
        shown: this.shown,
        output: this.#output,
        advice: CHOOSE_ANOTHER,
        process: this.#context.process,
      });
      await removeFiles(this.#path, isTemporary).catch(() => {});
      await this.look();
      const { last } = this.#journal;
      if (!last) return;
      // Changes of a run that was killed before it finished, and what it was killed over after that.
      await removeFiles(this.#path, (name) => findRunOfChanges(name) > last.run).catch(() => {});
      const superseded = new Set(last.superseded);
      await this.remove(({ name }) => superseded.has(name), last.history ? superseded : undefined);
    });
  }

  /** Reads the journal and finds the stored responses. @throws {EntsError} output: the folder cannot be read. */
  look(): Promise<void> {
    return explainStoring(this.shown, async () => {
      this.#owner = (await lstat(this.#path).catch(() => undefined))?.uid ?? 0;
      this.#journal = await readJournal(this.#path);
      await this.#load(await listResponses(this.#path));
      const runs = [...this.#responses.values(), this.#journal.last ?? { run: 0 }];
      this.run = runs.reduce((most, { run }) => Math.max(most, run + 1), this.run);
    });
  }

  /**
   * The paths of all stored responses in the folder, superseded ones too. @throws {EntsError} output: it cannot be
   * read.
   */
  listAll(): Promise<string[]> {
    return explainStoring(this.shown, async () => {
      const past = await listResponses(join(this.#path, HISTORY));
      return [...(await listResponses(this.#path)), ...past.map((name) => `${HISTORY}/${name}`)];
    });
  }

  /** Goes back to when a run had finished, with what was stored then (history.ts). @throws {EntsError} output. */
  lookBack({ run }: FinishedRun, stored: readonly string[]): Promise<void> {
    return explainStoring(this.shown, async () => {
      await this.#load(stored);
      this.#journal = foldRuns(this.#journal.runs.filter((earlier) => earlier.run <= run));
    });
  }

  /** Reads the headings of stored responses, in place of those before. */
  async #load(names: readonly string[]): Promise<void> {
    // The file of a response never changes.
    const known = new Map(this.#responses);
    this.#responses.clear();
    this.revision++;
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const some = names.slice(start, start + AT_ONCE);
      const responses = await Promise.all(some.map(async (name) => known.get(name) ?? (await this.#readHeading(name))));
      for (const stored of responses) if (stored) this.#responses.set(stored.name, stored);
    }
  }

  /** True if `--update` has made the output before. */
  isUpdated(): Promise<boolean> {
    return explainStoring(this.shown, () => hasFinishedRun(this.#path));
  }

  /** True if an earlier run has left the folder. */
  async exists(): Promise<boolean> {
    return (await lstat(this.#path).catch(() => undefined)) !== undefined;
  }

  async #readHeading(name: string): Promise<StoredResponse | undefined> {
    const heading = await readHeading(join(this.#path, name), this.#owner);
    return heading && { ...heading, name, window: readWindow(heading.path) };
  }

  /** Undefined if the file is gone or damaged. */
  read({ name }: Pick<StoredResponse, "name">): Promise<Response | undefined> {
    return explainStoring(this.shown, () => readResponseFile(join(this.#path, name), this.#owner));
  }

  keep(received: ToStore): Promise<StoredResponse> {
    return explainStoring(this.shown, async () => {
      const { run, service } = this;
      const { name, heading } = await writeResponseFile(this.#path, { ...received, service, run }, this.#context);
      const stored = { ...heading, name, window: readWindow(heading.path) };
      this.#responses.set(name, stored);
      this.revision++;
      return stored;
    });
  }

  /** Deletes stored responses, or moves those with the names `past` to the history. */
  remove(isOver: (stored: StoredResponse) => boolean, past: ReadonlySet<string> = new Set()): Promise<void> {
    return explainStoring(this.shown, async () => {
      const history = join(this.#path, HISTORY);
      if (past.size > 0) await createFolder(history, 0o700);
      for (const { name } of [...this.#responses.values()].filter(isOver)) {
        const path = join(this.#path, name);
        // An earlier run may have moved it.
        if (past.has(name)) await replaceFile(path, join(history, name)).catch(ignoreMissing);
        else await retryHeld(() => rm(path, { force: true }));
        this.#responses.delete(name);
      }
      this.revision++;
    });
  }

  /**
   * Notes that this run has made the output, and what it has restated or withdrawn, if anything. Returns what takes
   * that back.
   */
  finish(run: FinishedRun, changes?: AsyncIterable<Change>): Promise<() => Promise<void>> {
    return explainStoring(this.shown, () => appendRun(this.#path, run, changes));
  }

  /**
   * Unlocks the folder; removes it if empty. `done`: deletes its responses first, unless it has a journal. @throws
   * {EntsError} output.
   */
  close(done: boolean): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    return explainStoring(this.shown, async () => {
      if (release) await closeFolder(this.#path, done && this.#journal.last === undefined, release);
      if (this.#hasMadeParent) await rmdir(dirname(this.#path)).catch(() => {});
    });
  }

  /** Deletes the responses of an earlier run, if the folder exists. @throws {EntsError} output. */
  async clear(): Promise<void> {
    if (!(await this.exists())) return;
    await this.open();
    await this.close(true);
  }
}

async function closeFolder(folder: string, done: boolean, release: Release): Promise<void> {
  try {
    if (done) await removeFiles(folder, (name) => isResponseFile(name) || isTemporary(name));
  } finally {
    await release();
  }
  // Fails if responses are left in it or another run has started.
  await rmdir(folder).catch(() => {});
}

async function explainStoring<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntsError) throw error;
    throw new EntsError("output", `cannot store responses in ${folder}: ${describeSystemError(error)}`, {
      cause: error,
      hint: `${codeOf(error) === "ENOSPC" ? "free some space, or " : ""}${CHOOSE_ANOTHER}`,
    });
  }
}
