/** The finished answers of an export of several requests, kept beside its output. */
import { type Client, type ReadAnswer, readKept } from "../source/client.ts";
import type { Context } from "../base/context.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import type { Report } from "../base/report.ts";
import type { PieceStore, PieceStoreOptions } from "./checkpoint/store.ts";
import type { Envelope } from "../decode/envelope.ts";
import { readTimeSeries } from "../decode/time-series.ts";
import type { Progress } from "./progress.ts";

export interface Keeper {
  /** Keeps answers from now on, where the output is a file; `requests` are those to come. @throws {EntsError} output. */
  readonly open: (requests: readonly PlannedRequest[]) => Promise<void>;
  readonly send: (request: PlannedRequest, signal: AbortSignal, turn: Promise<void>) => Promise<Envelope>;
  /** A folder beside the output that goes when it is done; undefined when there is none. */
  readonly workshop: string | undefined;
  /** Where answers are kept; undefined when none are. */
  readonly folder: string | undefined;
  readonly close: (done: boolean) => Promise<void>;
}

export interface KeeperOptions extends Pick<PieceStoreOptions, "identity" | "fresh"> {
  /** The output's path; undefined where there is no file to keep answers beside. */
  readonly output: string | undefined;
  readonly client: Client;
  readonly progress: Progress;
}

export function createKeeper({ client, progress, output, ...options }: KeeperOptions, context: Context, report: Report): Keeper {
  let store: PieceStore | undefined;
  // When an output is written anew its answers come a second time, and are the same ones.
  const counted = new Set<string>();
  return {
    open: async (requests) => {
      if (store || output === undefined) return;
      const { openPieceStore } = await import("./checkpoint/store.ts");
      store = await openPieceStore({ ...options, output, process: context.process, cwd: context.cwd });
      tellFound(store, requests, report);
    },
    send: async (request, signal, turn) => {
      signal.throwIfAborted();
      const kept = await findKept(store, request, turn);
      const { envelope, body } = kept ?? (await fetchInTurn(request, signal, turn));
      if (!kept) await store?.keep(request.path, body);
      if (!counted.has(request.path)) progress.answer(kept !== undefined);
      counted.add(request.path);
      return envelope;
    },
    get workshop() {
      return store?.folder;
    },
    get folder() {
      return options.fresh ? undefined : store?.folder;
    },
    close: async (done) => store?.close(done),
  };

  async function fetchInTurn(request: PlannedRequest, signal: AbortSignal, turn: Promise<void>): Promise<ReadAnswer> {
    const answer = await client.send(request, signal);
    await turn;
    return answer.read();
  }
}

async function findKept(store: PieceStore | undefined, { path }: PlannedRequest, turn: Promise<void>): Promise<ReadAnswer | undefined> {
  if (!store?.has(path)) return undefined;
  await turn;
  const body = await store.find(path);
  const envelope = body && (await readWhole(body).catch(() => undefined));
  return body && envelope && { body, envelope };
}

/** An answer that is damaged, or whose series nobody can read, is asked for again: it would end every later run as it ended the first. */
async function readWhole(body: ReadAnswer["body"]): Promise<Envelope> {
  const envelope = await readKept(body);
  readTimeSeries(envelope);
  return envelope;
}

function tellFound({ has, found, folder }: PieceStore, requests: readonly PlannedRequest[], report: Report): void {
  const useful = requests.filter(({ path }) => has(path)).length;
  if (useful > 0) report.note(`going on from ${useful} finished ${useful === 1 ? "request" : "requests"} kept in ${folder}`);
  if (found.other) report.warn(`${folder} held the finished requests of another command; this one starts afresh`);
}
