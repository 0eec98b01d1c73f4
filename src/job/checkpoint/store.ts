/** `<output>.ents-partial/`: the finished answers of an export, so that the same command can go on from them. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError, messageOf } from "../../base/errors.ts";
import { takeLock } from "./lock.ts";
import { nameOfPiece, PIECE_ENDING, type Piece, readPiece, writePiece } from "./stored-response.ts";

export interface PieceStore {
  readonly folder: string;
  /** What was found of an earlier run: how many answers of the same command, or that it was another's. */
  readonly found: { readonly pieces: number; readonly other: boolean };
  /** Whether an answer to a request is kept, by this run or an earlier one. */
  readonly has: (path: string) => boolean;
  find(path: string): Promise<Piece | undefined>;
  /** @throws {EntsError} output: it cannot be written. */
  keep(path: string, piece: Piece): Promise<void>;
  /** Lets another run have the folder; removes it when `done`, or when nothing is kept in it. */
  close(done: boolean): Promise<void>;
}

export interface PieceStoreOptions {
  /** The output's path. */
  readonly output: string;
  /** What makes a command the same: its requests, format and shape. */
  readonly identity: unknown;
  /** Keeps nothing and goes on from nothing. */
  readonly fresh: boolean;
  readonly process: Context["process"];
  /** The directory that a relative `output` starts from. */
  readonly cwd: string;
}

const MANIFEST = "command.json";
const LOCK = "lock";

/** @throws {EntsError} output: another run has the folder, or it cannot be made. */
export async function openPieceStore(options: PieceStoreOptions): Promise<PieceStore> {
  const { output, fresh, process, cwd } = options;
  const shown = `${output}.ents-partial`;
  const folder = resolve(cwd, shown);
  const guard = <T>(work: () => Promise<T>) =>
    work().catch((error: unknown) => {
      throw toStoreError(error, shown);
    });
  const release = await guard(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return takeLock({ path: join(folder, LOCK), guards: output, process });
  });
  const { names, other } = await guard(() => prepare(folder, options));
  return {
    folder: shown,
    found: { pieces: names.size, other },
    has: (path) => names.has(nameOfPiece(path)),
    find: (path) => readPiece(folder, path),
    keep: (path, piece) =>
      guard(async () => {
        if (fresh) return;
        await writePiece(folder, path, piece);
        names.add(nameOfPiece(path));
      }),
    close: async (done) => {
      const empty = done || (await listPieces(folder)).length === 0;
      if (empty) await removeAnswers(folder);
      await release();
      // Another run may have come meanwhile.
      if (empty) await rmdir(folder).catch(() => {});
    },
  };
}

interface Found {
  /** Files of the answers that are kept. */
  readonly names: Set<string>;
  readonly other: boolean;
}

/** Leaves in the folder only what belongs to this command. */
async function prepare(folder: string, { identity, fresh, process }: PieceStoreOptions): Promise<Found> {
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  const manifest = join(folder, MANIFEST);
  const earlier = await readFile(manifest, "utf8").catch(() => undefined);
  await removeScraps(folder, process);
  const pieces = await listPieces(folder);
  const same = earlier?.trim() === digest;
  if (same && !fresh) return { names: new Set(pieces), other: false };
  for (const name of pieces) await rm(join(folder, name), { force: true });
  await writeFile(`${manifest}.part`, `${digest}\n`, { mode: 0o600 });
  await rename(`${manifest}.part`, manifest);
  return { names: new Set(), other: earlier !== undefined && !same && pieces.length > 0 };
}

/** What a killed run was in the middle of writing. */
async function removeScraps(folder: string, { id, isRunning }: Context["process"]): Promise<void> {
  const isScrap = (name: string) => {
    const taker = Number(/^lock\.(\d+)\.\w+$/.exec(name)?.[1]);
    return name.endsWith(".part") || name.endsWith(".ents-tmp") || taker === id || (taker > 0 && !isRunning(taker));
  };
  const scraps = (await readdir(folder)).filter(isScrap);
  for (const name of scraps) await rm(join(folder, name), { force: true });
}

/** Pieces first: should this be cut short, what is left still says whose it is. The lock stays until all is gone. */
async function removeAnswers(folder: string): Promise<void> {
  for (const name of await listPieces(folder)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) if (!name.startsWith(LOCK)) await rm(join(folder, name), { recursive: true, force: true });
}

async function listPieces(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(PIECE_ENDING));
}

function toStoreError(error: unknown, folder: string): EntsError {
  if (error instanceof EntsError) return error;
  return new EntsError("output", `cannot keep finished answers in ${folder}: ${messageOf(error)}`, {
    cause: error,
    hint: "what is kept stays; make room, or write elsewhere with -o",
  });
}
