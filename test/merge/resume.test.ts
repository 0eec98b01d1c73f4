/** The answers kept beside an output: whose they are, and that none is believed that is not whole. */
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Piece } from "../../src/job/checkpoint/stored-response.ts";
import { openPieceStore, type PieceStore } from "../../src/job/checkpoint/store.ts";
import { nastyTexts } from "../unit/generators.ts";
import { runs } from "../support/extent.ts";

let root: string;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ents-resume-"));
});

afterAll(() => rm(root, { recursive: true }));

function newOutput(): string {
  return join(root, `out-${count++}.csv`);
}

const me = { id: 4242, isRunning: () => true };

function open(output: string, identity: unknown, fresh = false): Promise<PieceStore> {
  return openPieceStore({ output, identity, fresh, process: me, cwd: "/" });
}

/** Reads a kept answer; only those that were kept before the store was opened are looked for. */
async function read(store: PieceStore, path: string): Promise<Piece | undefined> {
  return store.has(path) ? store.find(path) : undefined;
}

const pieces: fc.Arbitrary<Piece> = fc
  .record({ bytes: fc.uint8Array({ maxLength: 300 }), gzip: fc.boolean() })
  .map(({ bytes, gzip }) => ({ bytes: Buffer.from(bytes), gzip }));
const paths = nastyTexts.map((text) => `/v4/data/network/NEM?metrics=${text}`);
const kept = fc.uniqueArray(fc.tuple(paths, pieces), { minLength: 1, maxLength: 4, selector: ([path]) => path });
const identities = fc.jsonValue();

describe("kept answers", () => {
  test("are found by the same command, as they were", async () => {
    const check = async (all: [string, Piece][], identity: unknown) => {
      const output = newOutput();
      const first = await open(output, identity);
      expect(first.found).toEqual({ pieces: 0, other: false });
      for (const [path, piece] of all) await first.keep(path, piece);
      await first.close(false);
      const again = await open(output, JSON.parse(JSON.stringify(identity)) as unknown);
      expect(again.found).toEqual({ pieces: all.length, other: false });
      for (const [path, { bytes, gzip }] of all) expect(await read(again, path)).toEqual({ bytes, gzip });
      expect(await read(again, "/v4/data/network/WEM?metrics=power")).toBeUndefined();
      await again.close(true);
      await expect(stat(again.folder)).rejects.toMatchObject({ code: "ENOENT" });
    };
    await fc.assert(fc.asyncProperty(kept, identities, check), { numRuns: runs(15, 40) });
  });

  test("of another command are told, and cleared away", async () => {
    const check = async (all: [string, Piece][], [one, other]: [unknown, unknown]) => {
      const output = newOutput();
      const first = await open(output, one);
      for (const [path, piece] of all) await first.keep(path, piece);
      await first.close(false);
      const second = await open(output, other);
      expect(second.found).toEqual({ pieces: 0, other: true });
      for (const [path] of all) expect(await second.find(path)).toBeUndefined();
      await second.keep("/mine", { bytes: Buffer.from("{}"), gzip: false });
      await second.close(false);
      const third = await open(output, one);
      expect(third.found).toEqual({ pieces: 0, other: true });
      await third.close(true);
    };
    const two = fc.tuple(identities, identities).filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b));
    await fc.assert(fc.asyncProperty(kept, two, check), { numRuns: runs(10, 30) });
  });

  test("are not heeded, and none are kept, where the user wants a fresh start", async () => {
    const output = newOutput();
    const first = await open(output, "same");
    await first.keep("/one", { bytes: Buffer.from("{}"), gzip: false });
    await first.close(false);
    const second = await open(output, "same", true);
    expect(second.found).toEqual({ pieces: 0, other: false });
    expect(await second.find("/one")).toBeUndefined();
    await second.keep("/two", { bytes: Buffer.from("{}"), gzip: false });
    expect(await second.find("/two")).toBeUndefined();
    await second.close(false);
    await expect(stat(second.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("leave no folder behind where nothing was kept", async () => {
    const store = await open(newOutput(), "same");
    await store.close(false);
    await expect(stat(store.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a damaged answer", () => {
  const PATH = "/v4/data/network/NEM?metrics=power";

  async function keepOne(piece: Piece): Promise<{ store: PieceStore; file: string }> {
    const store = await open(newOutput(), "same");
    await store.keep(PATH, piece);
    const names = await readdir(store.folder);
    const file = names.find((name) => name !== "lock" && name !== "command.json");
    return { store, file: join(store.folder, file as string) };
  }

  /** Changes a byte of a kept answer, and looks for it. */
  async function findChanged(piece: Piece, change: number, place: (content: Buffer) => number): Promise<Piece | undefined> {
    const { store, file } = await keepOne(piece);
    const content = await readFile(file);
    const at = place(content);
    content[at] = (content[at] as number) ^ change;
    await writeFile(file, content);
    const found = await store.find(PATH);
    await store.close(true);
    return found;
  }

  const changes = fc.integer({ min: 1, max: 255 });

  test("is not found: any byte of it changed", async () => {
    const check = async (piece: Piece, place: number, change: number) => {
      const found = await findChanged(piece, change, (content) => content.length - 1 - (place % piece.bytes.length));
      expect(found).toBeUndefined();
    };
    const filled = pieces.filter(({ bytes }) => bytes.length > 0);
    await fc.assert(fc.asyncProperty(filled, fc.nat(), changes, check), { numRuns: runs(15, 40) });
  });

  test("is not found, or is found as it was: any byte before it changed", async () => {
    const check = async (piece: Piece, place: number, change: number) => {
      const found = await findChanged(piece, change, (content) => place % (content.length - piece.bytes.length));
      expect(found?.bytes ?? piece.bytes).toEqual(piece.bytes);
    };
    await fc.assert(fc.asyncProperty(pieces, fc.nat(), changes, check), { numRuns: runs(15, 40) });
  });

  test("is not found: cut short at any byte, or longer than it was", async () => {
    const check = async (piece: Piece, place: number, more: Uint8Array) => {
      const { store, file } = await keepOne(piece);
      const content = await readFile(file);
      await truncate(file, place % content.length);
      expect(await store.find(PATH)).toBeUndefined();
      await writeFile(file, Buffer.concat([content, more]));
      expect(await store.find(PATH)).toBeUndefined();
      await writeFile(file, content);
      expect(await store.find(PATH)).toEqual(piece);
      await store.close(true);
    };
    await fc.assert(fc.asyncProperty(pieces, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }), check), { numRuns: runs(15, 40) });
  });

  test("is not found under the name of another", async () => {
    const { store, file } = await keepOne({ bytes: Buffer.from("{}"), gzip: false });
    const content = await readFile(file);
    await store.keep("/other", { bytes: Buffer.from("[]"), gzip: false });
    const names = (await readdir(store.folder)).map((name) => join(store.folder, name));
    const other = names.find((name) => name.endsWith(".piece") && name !== file) as string;
    await writeFile(other, content);
    expect(await store.find("/other")).toBeUndefined();
    expect(await store.find(PATH)).toBeDefined();
    await store.close(true);
  });

  test("is kept anew, and then found", async () => {
    const { store, file } = await keepOne({ bytes: Buffer.from("old"), gzip: false });
    await writeFile(file, "");
    expect(await store.find(PATH)).toBeUndefined();
    await store.keep(PATH, { bytes: Buffer.from("new"), gzip: false });
    expect(await store.find(PATH)).toEqual({ bytes: Buffer.from("new"), gzip: false });
    await store.close(true);
  });
});
