/** The finished requests of a file export, stored until it is done: the same command continues from there. */
import type { PlannedRequest } from "../plan/plan.ts";
import type { Response } from "../source/response.ts";
import type { AnswerFolder, KeptAnswer } from "./answer-folder.ts";
import type { AnswerStore } from "./keep-answers.ts";

/** Until the folder is opened, responses are held in memory. */
export class Checkpoint implements AnswerStore {
  readonly folder: AnswerFolder;
  readonly #now: number;
  readonly #inMemory = new Map<string, Response>();
  /** The newest stored response to each request. */
  #stored: Map<string, KeptAnswer> | undefined;

  /** `now`: milliseconds since 1970 UTC. */
  constructor(folder: AnswerFolder, now: number) {
    this.folder = folder;
    this.#now = now;
  }

  async open(): Promise<void> {
    await this.folder.open();
    this.#stored = undefined;
    for (const [path, response] of this.#inMemory) await this.keep({ path }, response);
    this.#inMemory.clear();
  }

  /** True if the response to exactly this request is stored. */
  has(request: PlannedRequest): boolean {
    return this.#get(request) !== undefined || this.#inMemory.has(request.path);
  }

  /** One whose window was not over when it was received is asked for again, and one from the future. */
  #get({ path, endsBy = Number.POSITIVE_INFINITY }: PlannedRequest): KeptAnswer | undefined {
    this.#stored ??= new Map(this.folder.answers.toSorted((a, b) => a.run - b.run).map((answer) => [answer.path, answer]));
    const answer = this.#stored.get(path);
    const isUsable = answer && (answer.run === this.folder.run || (endsBy <= answer.receivedAt && answer.receivedAt <= this.#now));
    return isUsable ? answer : undefined;
  }

  async find(request: PlannedRequest): Promise<Response | undefined> {
    const answer = this.#get(request);
    return (answer && (await this.folder.read(answer))) ?? this.#inMemory.get(request.path);
  }

  async keep({ path }: Pick<PlannedRequest, "path">, response: Response): Promise<void> {
    if (this.folder.isOpen) this.#stored?.set(path, await this.folder.keep({ path, response }));
    else this.#inMemory.set(path, response);
  }

  /** Deletes a response from disk; this run keeps it in memory. */
  async drop(request: PlannedRequest): Promise<void> {
    const answer = this.#get(request);
    const response = answer && (await this.folder.read(answer));
    this.#stored?.delete(request.path);
    if (answer) await this.folder.remove(({ name }) => name === answer.name);
    if (response) this.#inMemory.set(request.path, response);
  }
}
