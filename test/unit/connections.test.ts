/** When connections end. */
import "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import "node:http";
import { expect, test } from "vitest";
import { openConnections } from "../../src/source/connections.ts";
import { toFailure } from "../../src/source/failure.ts";
import { startRawServer } from "../support/raw-server.ts";
import { startService } from "../support/scripted-service.ts";

const GET = { path: "/", method: "GET" } as const;
const MINUTES = 600_000;
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
