/** When connections end. */
import diagnostics from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import http from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { openConnections } from "../../src/source/connections.ts";
import { toFailure } from "../../src/source/failure.ts";
import { createCertificate, hasOpenssl } from "../support/certificate.ts";
import { isDue } from "../support/extent.ts";
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

test("one that has ended is not remembered", async () => {
  const server = await startRawServer((socket) => void socket.destroy());
  const sockets: WeakRef<object>[] = [];
  const remember = (message: unknown) => void sockets.push(new WeakRef((message as { socket: object }).socket));
  const connections = openConnections(new URL(server.url), { env: {}, dispatcher: undefined }, MINUTES);
  diagnostics.subscribe("net.client.socket", remember);
  for (let request = 0; request < 20; request++)
    await expect(connections.dispatcher.request(GET)).rejects.toThrow("other side closed");
  diagnostics.unsubscribe("net.client.socket", remember);
  expect(sockets).toHaveLength(20);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // undici may keep the last one.
  await expect.poll(() => (collect(), sockets.filter((socket) => socket.deref()).length)).toBeLessThan(3);
  await connections.close();
});

test.skipIf(!isDue(hasOpenssl))("consecutive ones in TLS resume the session (needs openssl)", async () => {
  const server = createServer(createCertificate("localhost"), (request, response) => {
    reused.push((request.socket as TLSSocket).isSessionReused());
    response.setHeader("connection", "close").end("{}");
  });
  const reused: boolean[] = [];
  await once(server.listen(0, "127.0.0.1"), "listening");
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  const connections = openConnections(url, { env: {}, dispatcher: undefined }, MINUTES);
  for (let request = 0; request < 2; request++) await (await connections.dispatcher.request(GET)).body.dump();
  expect(reused).toEqual([false, true]);
  await connections.close();
  server.close();
  vi.unstubAllEnvs();
});

test("responses have heads of up to 64 KB; with a longer one, no retry is of use", async () => {
  const service = await startService(
    [40, 70].map((kilobytes) => ({ headers: { "x-long": "x".repeat(kilobytes * 1024) }, body: "{}" })),
  );
  const connections = openConnections(new URL(service.url), { env: {}, dispatcher: undefined }, MINUTES);
  await (await connections.dispatcher.request(GET)).body.dump();
  const error: unknown = await connections.dispatcher.request(GET).catch((thrown: unknown) => thrown);
  expect(toFailure(error, connections, { timeoutMs: MINUTES })).toMatchObject({
    message: `cannot reach ${service.url} (the headers of its response are longer than 64 KB)`,
    options: { attempts: 1 },
  });
  await connections.close();
});

test("an error of ents or of Node is not the network's", () => {
  const route = { route: "the service", check: "check the address", env: {} };
  const explain = (error: Error) => toFailure(error, route, { timeoutMs: MINUTES });
  for (const error of [new RangeError("x"), new ReferenceError("x"), new TypeError("x is not a function")])
    expect(explain(error)).toBe(error);
  const coded = Object.assign(new RangeError("too short"), { code: "ERR_OUT_OF_RANGE" });
  expect(explain(coded).message).toBe("cannot reach the service (too short)");
});

test("such an error ends a request through a proxy, too", async () => {
  const broken = new TypeError("broken");
  const spy = vi.spyOn(http, "request").mockImplementation(() => {
    throw broken;
  });
  const env = { HTTPS_PROXY: "http://127.0.0.1:9" };
  const connections = openConnections(new URL("https://v4.example.org"), { env, dispatcher: undefined }, MINUTES);
  await expect(connections.dispatcher.request(GET)).rejects.toBe(broken);
  spy.mockRestore();
  await connections.close();
});

test.each([
  ["in the middle of TLS", (url: string) => ({ url: url.replace("http:", "https:"), env: {} })],
  ["by way of a proxy", (url: string) => ({ url: "https://v4.example.org", env: { HTTPS_PROXY: url } })],
])("one that is being opened %s, for a request that is over, is closed", async (_, reach) => {
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
