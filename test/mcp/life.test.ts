/** How long a server and its calls live: no longer than their client, and no longer than a client waits. */
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { envelope, TOKEN } from "../e2e/envelopes.ts";
import { draws, FULL } from "../support/extent.ts";
import { createGate } from "../support/gate.ts";
import { RawServer, serve } from "../support/mcp-client.ts";
import { createRandom, SEED } from "../support/random.ts";
import { createHome } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";

const INPUT = { network: "NEM", metrics: ["power"], interval: "1h", date_start: "2025-01-01", date_end: "2025-04-30" };

function powerAt(start: string): Answer {
  return { body: envelope([{ series: [{ points: [[start, 1]] }] }]) };
}

/** One point at the start of each window, and one at its end. */
function answerWindow(url: string): Answer {
  const { searchParams } = new URL(url, "http://x");
  const points = ["date_start", "date_end"].map((name) => [`${searchParams.get(name)}+10:00`, 1] as const);
  return { body: envelope([{ series: [{ points }] }]) };
}

describe("a client that is gone", () => {
  test.each(["standard input ends", "all ends"])("%s: no request more, and no process", async (how) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const service = await startService(({ url }) => ({ ...answerWindow(url), after: held }));
    const server = new RawServer(createHome(), ["--base-url", service.url]);
    server.initialize();
    server.call(1, "get_network", INPUT);
    await service.received(1);
    if (how !== "standard output is closed") server.child.stdin?.end();
    if (how !== "standard input ends") server.child.stdout?.destroy();
    expect(await server.ended()).toBe(0);
    const asked = service.requests.length;
    release();
    await wait(50);
    expect(service.requests).toHaveLength(asked);
  });

  test("killed at a random instant, it leaves no process and asks for no more", async () => {
    const random = createRandom(SEED);
    for (let run = 0; run < draws(9, 60); run += 1) {
      const service = await startService(({ url }) => ({ ...answerWindow(url), delayMs: 20 }));
      const server = new RawServer(createHome(), ["--base-url", service.url]);
      server.initialize();
      server.call(1, "get_network", INPUT);
      await wait(random() * 500);
      server.child.stdin?.end();
      server.child.stdout?.destroy();
      // 0, or a signal that came before the server was ready.
      expect(await server.ended()).toBe(0);
      const asked = service.requests.length;
      await wait(100);
      expect(service.requests).toHaveLength(asked);
    }
  });
});

test("a call that is cancelled asks for no more, and the server goes on", async () => {
  let isHeld = true;
  const service = await startService(({ url }) => (isHeld ? { instead: "stall" } : answerWindow(url)));
  const { client, call } = await serve(createHome(), ["--base-url", service.url]);
  const cancel = new AbortController();
  const cancelled = client.callTool({ name: "get_network", arguments: INPUT }, { signal: cancel.signal });
  const failed = cancelled.catch((error: unknown) => error);
  await service.received(1);
  cancel.abort();
  expect(await failed).toBeInstanceOf(Error);
  isHeld = false;
  const countData = () => service.requests.filter(({ url }) => url.includes("/data/")).length;
  const asked = countData();
  expect((await call("get_network", { ...INPUT, date_end: "2025-01-01" })).isError).toBe(false);
  expect(countData()).toBe(asked + 1);
});

test("where the service asks for a long pause, a call answers at once: what came, what is missing, and when to try again", async () => {
  // Rows are final once the next response has come, so that the pause begins when both are there.
  const gate = createGate();
  const service = await startService(({ url }) => {
    if (/date_start=2025-01-0/.test(url)) return answerWindow(url);
    return { status: 429, headers: { "retry-after": "45" }, body: { detail: "slow down" }, after: gate.opened };
  });
  const { call } = await serve(createHome(), ["--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  const { isError, result } = await call("get_network", INPUT, ({ progress }) => {
    if (progress === 2) gate.open();
  });
  expect(isError).toBe(true);
  expect(result["total_rows"]).toBe(1);
  const seconds = Number(result["retry_after_seconds"]);
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(45);
  expect(result["incomplete"]).toBe("the rows end at 2025-01-01T00:00:00+10:00: what comes after is missing");
  expect(result.messages.at(-1)).toMatchObject({
    kind: "unavailable",
    next_step: expect.stringContaining(`try again in ${seconds} s`) as string,
  });
  // The next call finds the pause, and does not wait for it either.
  expect((await call("get_network", { ...INPUT, metrics: ["energy"] })).isError).toBe(true);
});

test.runIf(FULL)("where the service is silent, a call answers after half a minute with what came", async () => {
  const service = await startService(({ url }) =>
    /date_start=2025-01-0/.test(url) ? answerWindow(url) : { instead: "stall" },
  );
  const { call } = await serve(createHome(), ["--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  const { isError, result } = await call("get_network", INPUT);
  expect(isError).toBe(true);
  expect(result).toMatchObject({ total_rows: 1, messages: [{ kind: "unavailable", message: "not done within 30 s" }] });
  const asked = service.requests.length;
  // The same call goes on: what came is in the cache.
  const rest = call("get_network", INPUT);
  await service.received(asked + 1);
  expect(service.requests[asked]?.url).not.toContain("date_start=2025-01-0");
  await rest;
});

test("each request is progress for a client that asks for it", async () => {
  const service = await startService(({ url }) => answerWindow(url));
  const { call } = await serve(createHome(), ["--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  const heard: object[] = [];
  const { isError } = await call("get_network", INPUT, (progress) => heard.push(progress));
  expect(isError).toBe(false);
  const { length } = service.requests.filter(({ url }) => url.includes("/data/"));
  expect(heard).toMatchObject(Array.from({ length }, (_, index) => ({ progress: index + 1 })));
  expect(heard.at(-1)).toMatchObject({ total: length });
});

test("lines that no client should send are answered, and end nothing", async () => {
  const service = await startService(() => powerAt("2025-01-01T00:00:00+10:00"));
  const server = new RawServer(createHome(), ["--base-url", service.url]);
  server.initialize();
  expect(await server.next()).toMatchObject({ id: 0 });
  server.send("{not json", { jsonrpc: "2.0", id: 1, method: "tools/list", params: null });
  expect(await server.next()).toMatchObject({ id: null, error: { code: -32700 } });
  expect(await server.next()).toMatchObject({ id: 1, result: { tools: expect.any(Array) as object } });
  server.send({ jsonrpc: "2.0", id: 2, method: "no/such" });
  expect(await server.next()).toMatchObject({ id: 2, error: { code: -32601 } });
  server.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "list_metrics", arguments: null } });
  expect(await server.next()).toMatchObject({ id: 3 });
  server.child.stdin?.end();
  expect(await server.ended()).toBe(0);
});
