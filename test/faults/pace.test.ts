/** `--concurrency`, `--rate` and a wait that the service asks for, as the service sees them. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { type Clock, createVirtualClock } from "../support/virtual-clock.ts";
import { createGate } from "../support/gate.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { CUT, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";

/** These tests measure time. */
const REALLY = { clock: "real" } as const;

test.concurrent.for([
  ["--concurrency 1", ["--concurrency", "1"], 1],
  ["--concurrency 2", ["--concurrency", "2"], 2],
  ["--concurrency 16, for seven requests", ["--concurrency", "16"], PIECES],
  ["four at once by default", [], 4],
] as const)("%s", async ([, flags, atOnce]) => {
  const gate = createGate();
  const service = await startWorldService({ play: ({ good }) => ({ ...good, after: gate.opened }) });
  const run = runIn({ service }, [...QUERY, ...CUT, ...flags]);
  await service.received(atOnce);
  await pause(100);
  expect(service.requests).toHaveLength(atOnce);
  gate.open();
  expect(await run).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(PIECES);
});

test.concurrent.for([
  ["--rate 10", ["--max-window", "1h", "--rate", "10"], 100],
  ["two a second by default", ["--max-window", "2h"], 500],
] as const)("%s", async ([, flags, gap]) => {
  const service = await startWorldService();
  expect(await runIn({ service }, [...QUERY, ...flags], REALLY)).toMatchObject({ code: 0 });
  const { length } = service.requests;
  expect(length).toBeGreaterThan(3);
  expect(lastOf(service)).toBeGreaterThanOrEqual((length - 1) * gap);
});

test.concurrent("retries respect the rate, too", async () => {
  const service = await startWorldService({
    play: ({ attempt }) => (attempt < 3 ? refusal(503, "Busy", { "retry-after": "0" }) : undefined),
  });
  expect(await runIn({ service }, [...QUERY, "--max-window", "2h", "--rate", "10"], REALLY)).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(12);
  expect(lastOf(service)).toBeGreaterThanOrEqual(11 * 100);
});

test.concurrent("redirects respect the rate, too", async () => {
  const isOld = (url: string) => !url.includes("&moved");
  const service = await startWorldService({
    play: ({ request: { url } }) => (isOld(url) ? { status: 307, headers: { location: `${url}&moved` } } : undefined),
  });
  expect(await runIn({ service }, [...QUERY, "--max-window", "2h", "--rate", "10"], REALLY)).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(8);
  expect(lastOf(service)).toBeGreaterThanOrEqual(7 * 100);
});

test.concurrent("Retry-After of one request applies to all", async () => {
  const [waiting, waited] = [createGate(), createGate()];
  const service = await startWorldService({
    play: ({ piece, attempt, good }) =>
      piece === 0 && attempt === 1
        ? refusal(429, "Slow down", { "retry-after": "3" })
        : { ...good, after: waiting.opened },
  });
  let time = 0;
  const sleep: Clock["sleep"] = async (ms) => {
    if (ms < 1000) return void (time += ms);
    waiting.open();
    await waited.opened;
  };
  const args = [...QUERY, "--max-window", "1h", "--rate", "1000", "--concurrency", "2"];
  const run = runIn({ service }, args, { clock: { now: Date.now, monotonic: () => time, sleep } });
  await waiting.opened;
  // The second request has its response, and the third is due.
  await pause(100);
  expect(service.requests).toHaveLength(2);
  time += 3000;
  waited.open();
  expect(await run).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(PIECES + 1);
});

test.concurrent("a clock that is set back stalls nothing", async () => {
  const service = await startWorldService({
    play: ({ piece, attempt }) =>
      piece === 0 && attempt === 1 ? refusal(429, "Slow down", { "retry-after": "1" }) : undefined,
  });
  const waits: number[] = [];
  const virtual = createVirtualClock(Date.UTC(2025, 0, 2), () => 0);
  const clock: Clock = {
    // The clock goes back an hour with every request.
    now: () => virtual.now() - service.requests.length * 3_600_000,
    monotonic: () => virtual.monotonic(),
    sleep: async (ms, signal) => {
      waits.push(ms);
      await virtual.sleep(ms, signal);
    },
  };
  const args = [...QUERY, "--max-window", "1h", "--rate", "10", "--concurrency", "1"];
  expect(await runIn({ service }, args, { clock })).toMatchObject({ code: 0 });
  expect(Math.max(...waits)).toBe(1000);
});

/** Milliseconds until the last request; the first may arrive late. */
function lastOf({ requests }: ScriptedService): number {
  return requests.at(-1)?.at ?? 0;
}
