/** `<output>.ents/`: the stored responses that an output is made from. */
import { lstat, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import type { Release } from "../files/lock.ts";
import { describeSystemError, isMissing } from "../files/system-error.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { readWindow } from "../plan/request-path.ts";
import type { AnswerStore } from "./keep-answers.ts";
import type { Response } from "../source/response.ts";
import { type Heading, isAnswer, isUnfinished, readAnswer, readHeading, writeAnswer } from "./answer-file.ts";
import { appendLine, EMPTY_JOURNAL, hasFinishedRun, JOURNAL, type Journal, type JournalLine, readJournal } from "./journal.ts";
import type { Usable } from "./lay-plan.ts";
import { CHOOSE_ANOTHER, lockFolder } from "../files/own-folder.ts";

export interface KeptAnswer extends Heading, Readonly<Usable> {
  /** Its file name; undefined while it is only in memory. */
  readonly name: string | undefined;
  /** Size and modification time of its file, to detect changes. */
  readonly state: string | undefined;
}

export interface FolderOptions {
  /** The output's path. */
  readonly output: string;
  /** True if the output is a folder of files. */
  readonly isDataset: boolean;
  /** Base URL of the service, or `sandbox`. */
  readonly service: string;
  /** In milliseconds since 1970 UTC. */
  readonly startedAt: number;
  /** True if a response received by an earlier run must be fetched again. */
  readonly isDue: (answer: KeptAnswer, journal: Journal) => boolean;
}

/** Maximum number of files open at once, well below the limit of a process. */
const AT_ONCE = 64;

/** Until the folder is opened, responses of this run are held in memory. */
export class AnswerFolder implements AnswerStore {
  /** The path shown in messages. */
  readonly shown: string;
  readonly isDataset: boolean;
  /** Number of this run, higher than those of all earlier runs. */
  run: number;
  readonly #options: FolderOptions;
  readonly #context: Pick<Context, "process" | "cwd">;
  readonly #path: string;
  /** The newest usable response to each request, by path. */
  readonly #usable = new Map<string, KeptAnswer>();
  readonly #inMemory = new Map<string, Response>();
  #found: readonly KeptAnswer[] = [];
  #journal = EMPTY_JOURNAL;
  #owner = 0;
  #release: Release | undefined;
  #hasMadeParent = false;

  constructor(options: FolderOptions, context: Pick<Context, "process" | "cwd">) {
    const { output, isDataset, startedAt } = options;
    this.shown = isDataset ? join(output, ".ents") : `${output}.ents`;
    this.isDataset = isDataset;
    this.run = startedAt;
    this.#options = options;
    this.#context = context;
    this.#path = resolve(context.cwd, this.shown);
  }

  /** Stored responses that need not be fetched again. */
  get usable(): readonly KeptAnswer[] {
    return [...this.#usable.values()];
  }

  /** All responses stored by earlier runs, including those of other services. */
  get found(): readonly KeptAnswer[] {
    return this.#found;
  }

  /** Base URL of the service, or `sandbox`. */
  get service(): string {
    return this.#options.service;
  }

  get journal(): Journal {
    return this.#journal;
  }

  /**
   * Creates the folder, or opens the one that an earlier run left.
   * @throws {EntsError} output: another run uses it, or other users may have written to it.
   */
  async open(): Promise<void> {
    if (!this.#release) await explain(this.shown, () => this.#open());
  }

  async #open(): Promise<void> {
    const { output, isDataset } = this.#options;
    if (isDataset) this.#hasMadeParent ||= await createFolder(dirname(this.#path));
    this.#release = await lockFolder(this.#path, { shown: this.shown, output, process: this.#context.process });
    await removeFiles(this.#path, isUnfinished).catch(() => {});
    await this.#look();
    for (const [path, response] of this.#inMemory) await this.#keep(path, response);
    this.#inMemory.clear();
  }

  /** Reads the journal and finds the stored responses. @throws {EntsError} output: the folder cannot be read. */
  look(): Promise<void> {
    return explain(this.shown, () => this.#look());
  }

  async #look(): Promise<void> {
    const { service, isDue } = this.#options;
    this.#owner = (await lstat(this.#path).catch(() => undefined))?.uid ?? 0;
    this.#journal = await readJournal(join(this.#path, JOURNAL));
    // The file of a response never changes.
    const known = new Map(this.#found.map((answer) => [answer.name, answer]));
    const found: KeptAnswer[] = [];
    const names = await listAnswers(this.#path);
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const some = names.slice(start, start + AT_ONCE);
      const answers = await Promise.all(some.map(async (name) => known.get(name) ?? (await this.#readHeading(name))));
      for (const answer of answers) if (answer) found.push(answer);
    }
    for (const answer of found) if (answer.service === service && !isDue(answer, this.#journal)) this.#add(answer);
    this.#found = found;
    this.run = [...found, ...this.#journal.runs].reduce((most, { run }) => Math.max(most, run + 1), this.run);
  }

  /** True if `--update` has made the output before. */
  isUpdated(): Promise<boolean> {
    return explain(this.shown, () => hasFinishedRun(this.#path));
  }

  async #readHeading(name: string): Promise<KeptAnswer | undefined> {
    const found = await readHeading(join(this.#path, name), this.#owner);
    return found && { ...found.heading, name, state: found.state, window: readWindow(found.heading.path) };
  }

  #add(answer: KeptAnswer): void {
    const known = this.#usable.get(answer.path);
    if (!known || known.run <= answer.run) this.#usable.set(answer.path, answer);
  }

  async find({ path }: Pick<PlannedRequest, "path">): Promise<Response | undefined> {
    const answer = this.#usable.get(path);
    return answer?.name === undefined ? this.#inMemory.get(path) : this.read(answer);
  }

  /** Reads the file of a response that this run or an earlier one stored. */
  async read({ name }: KeptAnswer): Promise<Response | undefined> {
    return name === undefined ? undefined : explain(this.shown, () => readAnswer(join(this.#path, name), this.#owner));
  }

  keep({ path }: Pick<PlannedRequest, "path">, response: Response): Promise<void> {
    return explain(this.shown, () => this.#keep(path, response));
  }

  async #keep(path: string, response: Response): Promise<void> {
    const { status, receivedAt } = response;
    const { run } = this;
    const { service } = this.#options;
    const written = this.#release && (await writeAnswer(this.#path, { service, path, run, response }));
    if (!written) this.#inMemory.set(path, response);
    const heading = written?.heading ?? { service, path, run, status, receivedAt, hash: "" };
    this.#usable.set(path, { ...heading, name: written?.name, state: written?.state, window: readWindow(path) });
  }

  /** Deletes a response from disk; this run keeps it in memory. */
  drop({ path }: Pick<PlannedRequest, "path">): Promise<void> {
    return explain(this.shown, async () => {
      const answer = this.#usable.get(path);
      const response = await this.find({ path });
      if (answer) await this.#remove([answer]);
      if (!answer || !response) return void this.#usable.delete(path);
      this.#inMemory.set(path, response);
      this.#usable.set(path, { ...answer, name: undefined });
    });
  }

  /** Makes responses unusable, so that they are fetched again. */
  expire(isExpired: (answer: KeptAnswer) => boolean): void {
    for (const [path, answer] of this.#usable) if (isExpired(answer)) this.#usable.delete(path);
  }

  /** Goes back to an older response, because the one of this run is not trusted. */
  async restore(answer: KeptAnswer): Promise<void> {
    const newer = this.#usable.get(answer.path);
    if (newer && newer.name !== answer.name) await this.#remove([newer]);
    this.#usable.set(answer.path, answer);
  }

  /** The newest usable response to a request. */
  get({ path }: Pick<PlannedRequest, "path">): KeptAnswer | undefined {
    return this.#usable.get(path);
  }

  /** Path of another file in this folder. */
  locate(name: string): string {
    return join(this.#path, name);
  }

  append(line: JournalLine): Promise<void> {
    return explain(this.shown, () => appendLine(join(this.#path, JOURNAL), line));
  }

  /** Deletes stored responses. */
  retire(isOver: (answer: KeptAnswer) => boolean): Promise<void> {
    return explain(this.shown, () => this.#remove(this.#found.filter(isOver)));
  }

  async #remove(answers: readonly KeptAnswer[]): Promise<void> {
    for (const { name } of answers) if (name !== undefined) await rm(join(this.#path, name), { force: true });
  }

  /** Whether this run has locked the folder. */
  get isOpen(): boolean {
    return this.#release !== undefined;
  }

  /** Unlocks the folder; removes it if empty. `done`: deletes its responses first, unless it has a journal. @throws {EntsError} output. */
  close(done: boolean): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    return explain(this.shown, async () => {
      if (release) await closeFolder(this.#path, done && this.#journal.runs.length === 0, release);
      if (this.#hasMadeParent) await rmdir(dirname(this.#path)).catch(() => {});
    });
  }

  /** Deletes the responses of an earlier run, if the folder exists. @throws {EntsError} output. */
  async clear(): Promise<void> {
    if (!(await lstat(this.#path).catch(() => undefined))) return;
    await this.open();
    await this.close(true);
  }
}

/** Creates a folder in an existing one. False if it was there already. */
export async function createFolder(path: string): Promise<boolean> {
  return mkdir(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    },
  );
}

async function closeFolder(folder: string, done: boolean, release: Release): Promise<void> {
  try {
    if (done) await removeFiles(folder, (name) => isAnswer(name) || isUnfinished(name));
  } finally {
    await release();
  }
  // Fails if responses are left in it or another run has started.
  await rmdir(folder).catch(() => {});
}

async function listAnswers(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter(isAnswer);
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
    throw new EntsError("output", `cannot store responses in ${folder}: ${describeSystemError(error)}`, {
      cause: error,
      hint: `${codeOf(error) === "ENOSPC" ? "free some space, or " : ""}${CHOOSE_ANOTHER}`,
    });
  }
}
