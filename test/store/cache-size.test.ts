/** The cache stays within its limit, however many runs fill it at once; the most recently used answers stay. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setImmediate } from "node:timers/promises";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { clearCache, describeCache, createEvictor, listCacheFiles, sumSizes } from "../../src/store/cache-folder.ts";
import { type ResponseCache, type CacheOptions, openCache } from "../../src/store/cache.ts";
import type { Duration } from "../../src/time/duration.ts";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import type { Response } from "../../src/source/response.ts";
import { processOf } from "../files/processes.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { contextWith } from "../support/context.ts";
import { FULL } from "../support/extent.ts";
const DAY: Duration = { amount: 1, unit: "days" };
const OPTIONS: CacheOptions = { age: DAY, service: "https://api.example.org/", token: "t0ken" };

interface Opened {
  readonly cache: ResponseCache;
  readonly folder: string;
  readonly context: Parameters<typeof clearCache>[0];
}

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "ents-cache-"));
  atEndOfFile(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function open(
  options: Partial<CacheOptions> = {},
  directory = createDirectory(),
  now = Date.now,
): Promise<Opened> {
  const context = contextWith({ env: { ENTS_CACHE_DIR: directory }, cwd: "/", now, process: processOf(1) });
  const cache = await openCache({ ...OPTIONS, ...options }, context, (text) => {
    throw new Error(text);
  });
  if (!cache) throw new Error("no cache");
  return { cache, folder: join(directory, "answers"), context };
}

function ask(name: number | string, endsBy?: number): PlannedRequest {
  return { method: "GET", path: `/v4/data/network/NEM?metrics=${name}`, points: undefined, endsBy };
}

function respond(bytes: number): Response {
  return { status: 200, gzip: true, bytes: Buffer.alloc(bytes, "x"), receivedAt: Date.now(), retryAfter: undefined };
}

function sizeOf(folder: string): number {
  return sumSizes(listCacheFiles(folder).filter(({ isWhole }) => isWhole));
}

const KB = 1024;

test("past its limit, the responses that were used longest ago go, and no more than must", async () => {
  const { cache, folder } = await open({ limit: 10 * KB });
  for (let name = 0; name < 4; name++) {
    await cache.keep(ask(name), respond(2 * KB));
    const [newest] = listCacheFiles(folder).toSorted((a, b) => b.usedAt - a.usedAt);
    utimesSync(newest?.path ?? "", name + 1, name + 1);
  }
  expect(await cache.find(ask(0))).toBeDefined();
  await cache.keep(ask(4), respond(2 * KB));
  const found = await Promise.all([0, 1, 2, 3, 4].map(async (name) => (await cache.find(ask(name))) !== undefined));
  expect(found).toEqual([true, false, true, true, true]);
  expect(sizeOf(folder)).toBeLessThanOrEqual(10 * KB);
});

test("the folder is looked at again after ten seconds, or a share of the room that was seen", async () => {
  const folder = createDirectory();
  const count = () => readdirSync(folder).length;
  const write = (name: number) =>
    writeFileSync(join(folder, `default.${String(name).padStart(8, "0")}.0.json.gz`), Buffer.alloc(60 * KB));
  const makeRoom = createEvictor(folder, 100 * KB);
  makeRoom(0, 0);
  for (const [size, now, left] of [
    [KB, 9000, 2],
    [0, 10_001, 1],
    [KB / 2, 10_002, 2],
    [KB / 2, 10_003, 1],
  ] as const) {
    for (const name of [1, 2]) write(name);
    makeRoom(size, now);
    expect(count()).toBe(left);
  }
});

test("a response that is larger than the limit is not kept, and no other goes for it", async () => {
  const { cache, folder } = await open({ limit: 10 * KB });
  await cache.keep(ask(1), respond(KB));
  await cache.keep(ask(2), respond(10 * KB));
  expect(await cache.countMissing([ask(1), ask(2)])).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("what a killed run left half written goes after an hour, when there is no room; until then it counts", async () => {
  const { cache, folder } = await open({ limit: 10 * KB });
  await cache.keep(ask(1), respond(KB));
  const part = join(folder, `.${readdirSync(folder)[0]}.0123abcd.1.1.0123abcd.ents-tmp`);
  writeFileSync(part, Buffer.alloc(9 * KB));
  await cache.keep(ask(2), respond(2 * KB));
  expect(await cache.countMissing([ask(1), ask(2)])).toBe(1);
  const longAgo = Date.now() / 1000 - 3700;
  utimesSync(part, longAgo, longAgo);
  await cache.keep(ask(2), respond(2 * KB));
  expect(await cache.countMissing([ask(1), ask(2)])).toBe(0);
  expect(readdirSync(folder)).toHaveLength(2);
});

test("files of others in the folder are neither counted nor deleted", async () => {
  const { cache, folder, context } = await open({ limit: 10 * KB });
  for (const name of ["holiday.jpg", "notes.json.gz"]) writeFileSync(join(folder, name), Buffer.alloc(20 * KB));
  await cache.keep(ask(1), respond(KB));
  expect(await clearCache(context)).toMatchObject({ responses: 1 });
  expect(readdirSync(folder).toSorted()).toEqual(["holiday.jpg", "notes.json.gz"]);
});

test("its content is told while others change it, and it can be cleared while they do", async () => {
  const { cache, folder, context } = await open();
  const received = Date.now();
  const fill = async () => {
    for (let name = 0; name < 40; name++) await cache.keep(ask(name), respond(KB));
  };
  const look = async () => {
    for (let round = 0; round < 10; round++) {
      const { oldest = received, responses } = await describeCache(context);
      expect(oldest).toBeGreaterThanOrEqual(received);
      expect(responses).toBeLessThanOrEqual(40);
      await clearCache(context);
    }
  };
  await Promise.all([fill(), look()]);
  await clearCache(context);
  expect(readdirSync(folder)).toEqual([]);
  expect(await describeCache(context)).toMatchObject({
    path: folder,
    responses: 0,
    bytes: 0,
    oldest: undefined,
    limit: 1024 ** 3,
  });
});

const RUNS = 20;
const LIMIT = 60 * KB;

/** The largest size until the work is done. */
async function watchSize(folder: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.then(() => (isDone = true)).catch(() => (isDone = true));
  let largest = 0;
  while (!isDone) {
    largest = Math.max(largest, sizeOf(folder));
    await setImmediate();
  }
  await work;
  return largest;
}

test.runIf(FULL)("twenty processes that fill it at once do, too", async () => {
  const directory = createDirectory();
  const { folder } = await open({}, directory);
  const module = join(createDirectory(), "fill-cache.mjs");
  const bundle = await rolldown({ input: fileURLToPath(new URL("fill-cache.ts", import.meta.url)), platform: "node" });
  await bundle.write({ file: module, format: "esm", codeSplitting: false });
  const ends = Array.from({ length: RUNS }, async (_, seed) => {
    const filling = JSON.stringify({ directory, limit: LIMIT, seed, rounds: 200 });
    const code = `import { fillCache } from ${JSON.stringify(module)}; await fillCache(${filling});`;
    const [end] = (await once(
      spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "inherit" }),
      "close",
    )) as [number];
    if (end !== 0) throw new Error(`exit ${end}`);
  });
  const largest = await watchSize(folder, Promise.all(ends));
  expect(largest).toBeGreaterThan(LIMIT / 2);
  // A response that is renamed or deleted during the listing may not be counted.
  expect(largest).toBeLessThanOrEqual(LIMIT + 6 * KB);
});
