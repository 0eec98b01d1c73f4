/** The answers kept beside an output: which request they belong to, and that none is used that is damaged or not final. */
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Checkpoint, createCheckpoint } from "../../src/job/checkpoint/checkpoint.ts";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import type { Response } from "../../src/source/response.ts";
import { nastyTexts } from "../unit/generators.ts";
import { watchFileCalls } from "../files/file-calls.ts";
import { processOf } from "../files/processes.ts";
import { runs } from "../support/extent.ts";

const SERVICE = "https://api.example.org/";
const MONDAY = Date.parse("2026-01-05T00:00:00Z");
const DAY = 86_400_000;

let root: string;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ents-checkpoint-"));
});

afterAll(() => rm(root, { recursive: true }));

function newOutput(): string {
  return join(root, `out-${count++}.csv`);
}

interface Opening {
  readonly service?: string;
  /** Milliseconds since 1970 UTC. */
  readonly now?: number;
}

async function open(output: string, { service = SERVICE, now = MONDAY }: Opening = {}): Promise<Checkpoint> {
  const checkpoint = createCheckpoint({ output, service }, { process: processOf(4242), cwd: "/", now: () => now });
  await checkpoint.open();
  return checkpoint;
}

/** A request whose window ended long ago, unless told otherwise. */
function ask(path: string, endsBy: number | undefined = 0): PlannedRequest {
  return { method: "GET", path, points: undefined, endsBy };
}

function respond(text: string, more: Partial<Response> = {}): Response {
  return { status: 200, gzip: false, bytes: Buffer.from(text), receivedAt: MONDAY, retryAfter: undefined, ...more };
}

const responses: fc.Arbitrary<Response> = fc
  .record({ bytes: fc.uint8Array({ maxLength: 300 }), gzip: fc.boolean(), status: fc.constantFrom(200, 404, 416) })
  .map(({ bytes, ...rest }) => respond("", { ...rest, bytes: Buffer.from(bytes) }));
const paths = nastyTexts.map((text) => `/v4/data/network/NEM?metrics=${text}`);
const kept = fc.uniqueArray(fc.tuple(paths, responses), { minLength: 1, maxLength: 4, selector: ([path]) => path });

describe("kept answers", () => {
  test("are found by the same requests of a later run, as they were", async () => {
    const check = async (all: [string, Response][]) => {
      const output = newOutput();
      const first = await open(output);
      for (const [path] of all) expect(first.has(ask(path))).toBe(false);
      for (const [path, response] of all) await first.keep(ask(path), response);
      await first.close(false);
      const again = await open(output, { now: MONDAY + 30 * DAY });
      for (const [path, response] of all) {
        expect(again.has(ask(path))).toBe(true);
        expect(await again.find(ask(path))).toEqual(response);
      }
      expect(await again.find(ask("/v4/data/network/WEM?metrics=power"))).toBeUndefined();
      await again.close(true);
      await expect(stat(again.folder)).rejects.toMatchObject({ code: "ENOENT" });
    };
    await fc.assert(fc.asyncProperty(kept, check), { numRuns: runs(15, 80) });
  });

  test("of one service are not another's, and stay where they are", async () => {
    const output = newOutput();
    const first = await open(output);
    await first.keep(ask("/one"), respond("mine"));
    await first.close(false);
    const other = await open(output, { service: "https://other.example.org/" });
    expect(other.has(ask("/one"))).toBe(false);
    await other.keep(ask("/one"), respond("theirs"));
    await other.close(false);
    const again = await open(output);
    expect(await again.find(ask("/one"))).toEqual(respond("mine"));
    await again.close(true);
  });

  test("that a later run does not need stay until an export is done", async () => {
    const output = newOutput();
    const first = await open(output);
    await first.keep(ask("/one"), respond("1"));
    await first.close(false);
    const second = await open(output);
    await second.keep(ask("/two"), respond("2"));
    await second.close(false);
    const third = await open(output);
    expect([third.has(ask("/one")), third.has(ask("/two"))]).toEqual([true, true]);
    await third.close(true);
    await expect(stat(third.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each([
    ["had ended when it came", MONDAY, true],
    ["had not ended when it came", MONDAY + 1, false],
    ["has no end", undefined, false],
  ])("of a window that %s: used by a later run: %3$s", async (_, endsBy, used) => {
    const output = newOutput();
    const request = { ...ask("/one"), endsBy };
    const first = await open(output);
    await first.keep(request, respond("", { status: 404 }));
    // The run that it came in asks no second time.
    expect(await first.find(request)).toBeDefined();
    await first.close(false);
    const later = await open(output, { now: MONDAY + DAY });
    expect(later.has(request)).toBe(used);
    expect((await later.find(request)) !== undefined).toBe(used);
    await later.close(true);
  });

  test("that came while the clock was ahead are not used by a later run: their windows may not have ended", async () => {
    const output = newOutput();
    const request = { ...ask("/one"), endsBy: MONDAY + DAY };
    const first = await open(output, { now: MONDAY + 2 * DAY });
    await first.keep(request, respond("", { receivedAt: MONDAY + 2 * DAY }));
    expect(first.has(request)).toBe(true);
    await first.close(false);
    const later = await open(output, { now: MONDAY });
    expect(later.has(request)).toBe(false);
    await later.close(true);
  });

  test("leave no folder behind where nothing was kept", async () => {
    const checkpoint = await open(newOutput());
    await checkpoint.close(false);
    await expect(stat(checkpoint.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("are neither kept nor found before it is opened, and nothing is made", async () => {
    const checkpoint = createCheckpoint({ output: newOutput(), service: SERVICE }, { process: processOf(1), cwd: "/", now: () => MONDAY });
    await checkpoint.keep(ask("/one"), respond("1"));
    expect(await checkpoint.find(ask("/one"))).toBeUndefined();
    await checkpoint.close(true);
    await expect(stat(checkpoint.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("that were dropped are gone, from the disk too", async () => {
    const checkpoint = await open(newOutput());
    await checkpoint.keep(ask("/one"), respond("1"));
    await checkpoint.drop(ask("/one"));
    expect([checkpoint.has(ask("/one")), await readdir(checkpoint.folder)]).toEqual([false, ["lock"]]);
    await checkpoint.close(false);
    await expect(stat(checkpoint.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("are removed alone: what ents did not put into the folder stays", async () => {
    const checkpoint = await open(newOutput());
    await checkpoint.keep(ask("/one"), respond("1"));
    await writeFile(join(checkpoint.folder, "holiday.jpg"), "mine");
    await checkpoint.close(true);
    expect(await readdir(checkpoint.folder)).toEqual(["holiday.jpg"]);
  });

  test("of a run that was killed while it wrote are cleared away, half as they are", async () => {
    const output = newOutput();
    const first = await open(output);
    await first.keep(ask("/one"), respond("1"));
    const [name] = (await readdir(first.folder)).filter((one) => one.endsWith(".response"));
    await writeFile(join(first.folder, `${name}.0123abcd.part`), "{");
    await first.close(false);
    const again = await open(output);
    expect((await readdir(again.folder)).toSorted()).toEqual([name, "lock"]);
    await again.close(true);
  });
});

test("a second export to the same output stops, and leaves the answers of the first", async () => {
  const output = newOutput();
  const first = await open(output);
  await first.keep(ask("/one"), respond("{}"));
  const second = createCheckpoint({ output, service: SERVICE }, { process: processOf(2), cwd: "/", now: () => MONDAY });
  await expect(second.open()).rejects.toMatchObject({ kind: "output", message: `another ents (process 4242) is writing ${output}` });
  await second.close(false);
  await first.close(false);
  const third = await open(output);
  expect(third.has(ask("/one"))).toBe(true);
  await third.close(true);
});

describe("a damaged answer", () => {
  const REQUEST = ask("/v4/data/network/NEM?metrics=power");

  async function keepOne(response: Response): Promise<{ checkpoint: Checkpoint; file: string }> {
    const checkpoint = await open(newOutput());
    await checkpoint.keep(REQUEST, response);
    const names = await readdir(checkpoint.folder);
    return { checkpoint, file: join(checkpoint.folder, names.find((name) => name !== "lock") as string) };
  }

  /** Changes a byte of a kept answer, and looks for it. */
  async function findChanged(response: Response, change: number, place: (content: Buffer) => number): Promise<Response | undefined> {
    const { checkpoint, file } = await keepOne(response);
    const content = await readFile(file);
    const at = place(content);
    content[at] = (content[at] as number) ^ change;
    await writeFile(file, content);
    const found = await checkpoint.find(REQUEST);
    await checkpoint.close(true);
    return found;
  }

  const changes = fc.integer({ min: 1, max: 255 });

  test("is not found: any byte of it changed", async () => {
    const check = async (response: Response, place: number, change: number) => {
      const found = await findChanged(response, change, (content) => content.length - 1 - (place % response.bytes.length));
      expect(found).toBeUndefined();
    };
    const filled = responses.filter(({ bytes }) => bytes.length > 0);
    await fc.assert(fc.asyncProperty(filled, fc.nat(), changes, check), { numRuns: runs(15, 80) });
  });

  test("is not found, or its bytes are as they were: any byte before them changed", async () => {
    const check = async (response: Response, place: number, change: number) => {
      const found = await findChanged(response, change, (content) => place % (content.length - response.bytes.length));
      expect(found?.bytes ?? response.bytes).toEqual(response.bytes);
    };
    await fc.assert(fc.asyncProperty(responses, fc.nat(), changes, check), { numRuns: runs(15, 80) });
  });

  test("is not found: cut short at any byte, or longer than it was", async () => {
    const check = async (response: Response, place: number, more: Uint8Array) => {
      const { checkpoint, file } = await keepOne(response);
      const content = await readFile(file);
      await truncate(file, place % content.length);
      expect(await checkpoint.find(REQUEST)).toBeUndefined();
      await writeFile(file, Buffer.concat([content, more]));
      expect(await checkpoint.find(REQUEST)).toBeUndefined();
      await writeFile(file, content);
      expect(await checkpoint.find(REQUEST)).toEqual(response);
      await checkpoint.close(true);
    };
    await fc.assert(fc.asyncProperty(responses, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }), check), { numRuns: runs(15, 80) });
  });

  test("is not found under the name of another", async () => {
    const { checkpoint, file } = await keepOne(respond("{}"));
    const content = await readFile(file);
    await checkpoint.keep(ask("/other"), respond("[]"));
    const names = (await readdir(checkpoint.folder)).map((name) => join(checkpoint.folder, name));
    const other = names.find((name) => name.endsWith(".response") && name !== file) as string;
    await writeFile(other, content);
    expect(await checkpoint.find(ask("/other"))).toBeUndefined();
    expect(await checkpoint.find(REQUEST)).toBeDefined();
    await checkpoint.close(true);
  });

  test("is kept anew, and then found", async () => {
    const { checkpoint, file } = await keepOne(respond("old"));
    await writeFile(file, "");
    expect(await checkpoint.find(REQUEST)).toBeUndefined();
    await checkpoint.keep(REQUEST, respond("new"));
    expect(await checkpoint.find(REQUEST)).toEqual(respond("new"));
    await checkpoint.close(true);
  });
});

test.each([
  ["EACCES", "permission denied"],
  ["EROFS", "the file system is read-only"],
])("where nothing can be made beside the output, the folder is named: %s", async (code, why) => {
  const output = newOutput();
  await watchFileCalls(({ name, path }) => {
    if (name === "mkdir" && path === `${output}.ents-partial`) throw Object.assign(new Error(code), { code });
  });
  await expect(open(output)).rejects.toMatchObject({
    kind: "output",
    message: `cannot write ${output}: the folder ${root} is not writable (${why})`,
    hint: "choose another file with -o",
  });
});
