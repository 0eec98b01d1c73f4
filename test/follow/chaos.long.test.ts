/**
 * The property of property.test.ts through the real binary, with a service that restarts and a process that is
 * suspended.
 */
import fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SEED } from "../support/random.ts";
import { createHome } from "../support/run-ents.ts";
import { at, type FastLive, startFastLive } from "./live-service.ts";
import { countAllowed, expectRows, FOLLOW, MINUTES, playWorld, type World, worlds } from "./worlds.ts";

/** An interval takes a second. */
const SPEED = 300;
/** Time for the process to start. */
const GRACE_MS = 8000;

const spans = fc.array(
  fc.record({ from: fc.integer({ min: 6, max: MINUTES - 60 }), length: fc.integer({ min: 1, max: 25 }) }),
  {
    maxLength: 2,
  },
);

const RUNS = fc.sample(fc.record({ world: worlds, stops: spans, restarts: spans }), { seed: SEED, numRuns: 24 });

interface Act {
  readonly at: number;
  readonly act: () => unknown;
}

test.concurrent.for(RUNS.map((run, index) => [index, run] as const))(`seed ${SEED}, run %i`, async ([, run]) => {
  const { world, stops, restarts } = run;
  const steps = world.steps.map(({ from, by }) => ({ from: at(from), by }));
  const live = await startFastLive(playWorld(world), { speed: SPEED, steps, graceMs: GRACE_MS });
  const { child, finished } = createHome().start(FOLLOW, { env: live.env });
  await play(live, [
    ...stops.flatMap(({ from, length }) => [
      { at: from, act: () => child.kill("SIGSTOP") },
      { at: from + length, act: () => child.kill("SIGCONT") },
    ]),
    ...restarts.flatMap(({ from, length }) => [
      { at: from, act: () => live.service.close() },
      { at: from + length, act: () => live.service.reopen().catch(() => {}) },
    ]),
    { at: MINUTES, act: () => child.kill("SIGINT") },
  ]);
  const { code, stdout, stderr } = await finished;
  try {
    expect(code).toBe(130);
    const outages = [...world.outages, ...[...stops, ...restarts].map((span) => ({ ...span, answer: {} }))];
    const whole: World = { ...world, outages };
    expectRows(stdout, whole);
    expect(live.asked.length).toBeLessThanOrEqual(countAllowed(whole));
  } catch (error) {
    console.error(JSON.stringify(run), stderr);
    throw error;
  }
});

/** Runs each act at its minute. */
async function play({ nowLocal }: FastLive, acts: readonly Act[]): Promise<void> {
  for (const one of acts.toSorted((a, b) => a.at - b.at)) {
    while (nowLocal() < at(one.at)) await sleep(20);
    await one.act();
  }
}
