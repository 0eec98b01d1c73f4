/**
 * File exports of several requests, each with one fault: in the service, the proxy, the file system or the process. The
 * export must end with the right exit code; the output is the old file or the complete new one; files of others are
 * untouched; and once the fault is gone, the same command finishes and leaves nothing behind. A full run plays each kind
 * of fault that needs no exact moment once. A long run plays random ones.
 *
 *     ENTS_TEST_SEED=<seed> ENTS_TEST_RUNS=1 npx vitest run --mode long test/chaos
 *
 * plays only the fault of that seed.
 */
import { beforeAll, expect, test } from "vitest";
import { SEED } from "../support/random.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { LONG } from "../support/extent.ts";
import { type Exports, fetchExports } from "./exports.ts";
import type { Fault, MakeFault } from "./fault.ts";
import { FILE_FAULTS } from "./file-faults.ts";
import { play } from "./play.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { PROXY_FAULTS } from "./proxy-faults.ts";
import { SERVICE_FAULTS } from "./service-faults.ts";

const RUNS = Number(process.env["ENTS_TEST_RUNS"] ?? 500);
/** Concurrent processes. */
const SLOTS = 4;
const KINDS: readonly (readonly MakeFault[])[] = [SERVICE_FAULTS, PROXY_FAULTS, FILE_FAULTS, PROCESS_FAULTS];

let exports: Exports;

beforeAll(async () => {
  exports = await fetchExports();
});

function drawFaults(): Drawn[] {
  return Array.from({ length: RUNS }, (_, index) => {
    const chance = createChance(SEED + index);
    return { seed: SEED + index, chance, fault: chance.pick(chance.pick(KINDS))(chance) };
  });
}

function listFaults(): Drawn[] {
  const all = KINDS.flat().map((make, seed) => {
    const chance = createChance(seed);
    return { seed, chance, fault: make(chance) };
  });
  return all.filter(({ fault }) => fault.act === undefined);
}

interface Drawn {
  readonly seed: number;
  readonly chance: Chance;
  readonly fault: Fault;
}

for (const { seed, chance, fault } of LONG ? drawFaults() : listFaults())
  test.concurrent(`seed ${seed}: ${fault.name}`, async () => {
    expect(await takeSlot(() => play(fault, { seed, chance, exports }))).toEqual([]);
  });

let free = SLOTS;
const waiting: (() => void)[] = [];

async function takeSlot<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
  else free--;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}
