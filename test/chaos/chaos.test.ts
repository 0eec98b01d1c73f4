/**
 * Exports of several requests to a file, each with a fault at random: of the service, the proxy, the file system or the
 * process. It ends in time, with the code of who must act; the output is the old one or the whole new one; what is not ents'
 * own is as it was; and when all is well again, the same command finishes and leaves nothing behind.
 *
 *     ENTS_TEST_SEED=<seed> ENTS_TEST_RUNS=1 npx vitest run test/chaos
 *
 * plays the fault of that seed alone.
 */
import { beforeAll, expect, test } from "vitest";
import { SEED } from "../resume/random.ts";
import { createChance } from "../support/chance.ts";
import { runs } from "../support/extent.ts";
import { type Exports, fetchExports } from "./exports.ts";
import type { MakeFault } from "./fault.ts";
import { FILE_FAULTS } from "./file-faults.ts";
import { play } from "./play.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { PROXY_FAULTS } from "./proxy-faults.ts";
import { SERVICE_FAULTS } from "./service-faults.ts";

const RUNS = Number(process.env["ENTS_TEST_RUNS"] ?? runs(2, 500));
/** Processes at once. */
const SLOTS = 4;
const KINDS: readonly (readonly MakeFault[])[] = [SERVICE_FAULTS, PROXY_FAULTS, FILE_FAULTS, PROCESS_FAULTS];

let exports: Exports;

beforeAll(async () => {
  exports = await fetchExports();
});

for (let seed = SEED; seed < SEED + RUNS; seed++) {
  const chance = createChance(seed);
  const fault = chance.pick(chance.pick(KINDS))(chance);
  test.concurrent(`seed ${seed}: ${fault.name}`, async () => {
    expect(await takeSlot(() => play(fault, { seed, chance, exports }))).toEqual([]);
  });
}

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
