/** Commands in this process leave it unchanged, and end like the real binary. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { POWER, refusal, TOKEN } from "../e2e/envelopes.ts";
import { some } from "./extent.ts";
import { TIMEOUT } from "./patience.ts";
import { createHome } from "./run-ents.ts";
import { type Answer, startService } from "./scripted-service.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d"];

const ENDS: readonly [name: string, answer: Answer, code: number][] = [
  ["a refusal", refusal(401, "Authentication failed"), 3],
  ["a failure that lasts", refusal(503, "Busy"), 5],
  ["a body that never ends", { ...POWER, end: "stall" }, 5],
];

// A quick run skips those that wait for a timeout.
test.concurrent.for(some(2, ENDS))("no connection is left open after %s", async ([, answer, code]) => {
  const service = await startService(() => answer);
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  expect(await createHome().run([...FETCH, "--retries", "1", "--timeout", TIMEOUT], { env })).toMatchObject({ code });
  while ((await service.countConnections()) > 0) await sleep(20);
});

test("a connection that a service would keep for minutes does not keep the real binary running", async () => {
  const service = await startService(() => POWER);
  const run = await createHome().spawn(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(service.requests).toHaveLength(1);
});

const SAME = [
  [["network", "NEM", "-m", "power", "--last", "1d"], true],
  [["network", "NEM", "-m", "power", "--last", "1d"], false],
  [["config", "path"], false],
  [["network", "NEM"], false],
  [["metrics", "-f", "csv"], false],
] as const;

test.concurrent.for(some(3, SAME))("%j ends like the real binary (served: %s)", async ([args, isServed]) => {
  const service = await startService(() => POWER);
  const env = { ENTS_TOKEN: isServed ? TOKEN : undefined, ENTS_BASE_URL: service.url };
  const home = createHome();
  expect(await home.run(args, { env })).toEqual(await home.spawn(args, { env }));
});

test("a virtual clock jumps over sleeps, the shortest first", async () => {
  const { now, sleep: skip } = createVirtualClock();
  const started = now();
  const order: number[] = [];
  const { signal } = new AbortController();
  await Promise.all([60_000, 20_000, 40_000].map((ms) => skip(ms, signal).then(() => order.push(ms))));
  expect(order).toEqual([20_000, 40_000, 60_000]);
  expect(now() - started).toBeGreaterThanOrEqual(60_000);
});
