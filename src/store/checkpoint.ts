/** The finished requests of a file export, stored until it is done: the same command continues from there. */
import type { PlannedRequest } from "../plan/plan.ts";
import type { Response } from "../source/response.ts";
import type { StoredResponse } from "./response-file.ts";
import type { ResponseFolder } from "./response-folder.ts";
import type { ResponseStore } from "./store-responses.ts";

/** Until the folder is opened, responses are held in memory. */
export class Checkpoint implements ResponseStore {
  readonly folder: ResponseFolder;
  readonly #now: number;
  readonly #inMemory = new Map<string, Response>();
  /** The newest stored response to each request. */
  #stored: Map<string, StoredResponse> | undefined;

  /** `now`: milliseconds since 1970 UTC. */
  constructor(folder: ResponseFolder, now: number) {
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
  #get({ path, endsBy = Number.POSITIVE_INFINITY }: PlannedRequest): StoredResponse | undefined {
    this.#stored ??= new Map(
      this.folder.responses.toSorted((a, b) => a.run - b.run).map((stored) => [stored.path, stored]),
    );
    const stored = this.#stored.get(path);
    const isUsable =
      stored && (stored.run === this.folder.run || (endsBy <= stored.receivedAt && stored.receivedAt <= this.#now));
    return isUsable ? stored : undefined;
  }

  async find(request: PlannedRequest): Promise<Response | undefined> {
    const stored = this.#get(request);
    return (stored && (await this.folder.read(stored))) ?? this.#inMemory.get(request.path);
  }

  async keep({ path }: Pick<PlannedRequest, "path">, response: Response): Promise<void> {
    if (this.folder.isOpen) this.#stored?.set(path, await this.folder.keep({ path, response }));
    // A copy, since the source frees its own.
    else this.#inMemory.set(path, { ...response, bytes: Buffer.from(response.bytes) });
  }

  /** Deletes a response from disk; this run keeps it in memory. */
  async drop(request: PlannedRequest): Promise<void> {
    const stored = this.#get(request);
    const response = stored && (await this.folder.read(stored));
    this.#stored?.delete(request.path);
    if (stored) await this.folder.remove(({ name }) => name === stored.name);
    if (response) this.#inMemory.set(request.path, response);
  }
}
