/** When connections end. */
import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { openConnections } from "../../src/source/connections.ts";
import { startRawServer } from "../support/raw-server.ts";
import { startService } from "../support/scripted-service.ts";

const GET = { path: "/", method: "GET" } as const;
const MINUTES = 600_000;

test("an idle one may stay", async () => {
  const service = await startService(() => ({ body: "{}" }));
  const connections = openConnections(new URL(service.url), { env: {}, dispatcher: undefined }, MINUTES);
  const { body } = await connections.dispatcher.request(GET);
  await body.dump();
  await connections.close(true);
  expect(await service.countConnections()).toBe(1);
  await connections.close();
  await expect.poll(() => service.countConnections()).toBe(0);
});

test.each([
  ["in the middle of TLS", (url: string) => ({ url: url.replace("http:", "https:"), env: {} })],
  ["by way of a proxy", (url: string) => ({ url: "https://v4.example.org", env: { HTTPS_PROXY: url } })],
])("one that is being made %s, for a request that is over, never stays", async (_, reach) => {
  const closed = new EventEmitter();
  const server = await startRawServer((socket) => void socket.on("close", () => closed.emit("close")).resume());
  const { url, env } = reach(server.url);
  const connections = openConnections(new URL(url), { env, dispatcher: undefined }, MINUTES);
  const [connected, ended, stop] = [server.connected(), once(closed, "close"), new AbortController()];
  const asked = connections.dispatcher.request({ ...GET, signal: stop.signal });
  await connected;
  stop.abort(new Error("enough"));
  await Promise.all([expect(asked).rejects.toThrow(/aborted|destroyed|enough/), connections.close(true), ended]);
  expect(server.connections).toBe(1);
});
