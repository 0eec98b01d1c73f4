/**
 * Exports of several requests to a file, each with a fault: of the service, the proxy, the file system or the process. It
 * ends, with the code of who must act; the output is the old one or the whole new one; what is not ents' own is as it was; and
 * when all is well again, the same command finishes and leaves nothing behind. A full run plays each kind once that does not
 * come at an instant of its own. A long run plays any, drawn by chance.
 *
 *     ENTS_TEST_SEED=<seed> ENTS_TEST_RUNS=1 npx vitest run --mode long test/chaos
 *
 * plays the fault of that seed alone.
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
/** Processes at once. */
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
