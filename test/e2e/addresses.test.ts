/** Hosts with several addresses, of which some are dead or slow, and names that do not exist. */
import dns from "node:dns";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { type Failure, toFailure } from "../../src/source/failure.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { runEnts } from "../support/run-ents.ts";
import { TOKEN } from "./envelopes.ts";

const PORT = 9;

/** What the names of these tests are looked up to. At addresses other than 127.0.0.1, nobody listens. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "slow.localhost": ["127.0.0.1", "127.0.0.2"],
  "dead.localhost": ["127.0.0.2", "127.0.0.3"],
  "none.localhost": [],
};

let lookUps = 0;
const { lookup } = dns;
type Look = (host: string, options: object, callback: (...result: readonly unknown[]) => void) => void;
const look: Look = (host, options, callback) => {
  const addresses = ADDRESSES[host];
  if (!addresses) return (lookup as Look)(host, options, callback);
  lookUps++;
  if (host === "slow.localhost") setTimeout(() => Atomics.notify(held, 0), 500);
  if (addresses.length > 0)
    return callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  callback(Object.assign(new Error("none"), { code: "ENOTFOUND", hostname: host }));
};
const spy = vi.spyOn(dns, "lookup").mockImplementation(look as typeof lookup);
atEndOfFile(() => spy.mockRestore());

function fetchFrom(host: string, port = PORT, ...flags: readonly string[]) {
  return runEnts(["network", "NEM", "-m", "power", ...flags], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: `https://${host}:${port}` },
  });
}

/** Holds the slow server until half a second after its name was looked up. */
const held = new Int32Array(new SharedArrayBuffer(4));

/**
 * A server that accepts no connection while it is held, and whose queue is full: the next one has to knock again after
 * a second.
 */
async function startSlowServer(): Promise<number> {
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const server = require("node:net").createServer((socket) => socket.on("error", () => {}).end("no TLS"));
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(workerData, 0, 0);
    });`,
    { eval: true, workerData: held },
  );
  atEndOfFile(() => void worker.terminate());
  const [port] = (await once(worker, "message")) as [number];
  for (let count = 0; count < 4; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    atEndOfFile(() => socket.destroy());
  }
  await wait(50);
  return port;
}

test.skipIf(process.platform !== "linux")(
  "an address that needs a second to connect is waited for, though the other one is dead",
  async () => {
    const { code, stderr } = await fetchFrom("slow.localhost", await startSlowServer(), "--retries", "0");
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringMatching(/it does not speak TLS/) as string });
  },
);

test("why each address cannot be reached is said, and how much time has passed", async () => {
  const { code, stderr } = await fetchFrom("dead.localhost");
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringMatching(
      /\(connection refused by 127\.0\.0\.2:9, connection refused by 127\.0\.0\.3:9\) after 5 attempts/,
    ) as string,
  });
  const timeout = (address: string) =>
    Object.assign(new Error("connect ETIMEDOUT"), { code: "ETIMEDOUT", address, port: 443 });
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", address: "::1", port: 443 });
  const thrown = Object.assign(new AggregateError([timeout("10.0.0.1"), refused]), { code: "ETIMEDOUT" });
  const route = { route: "https://v4.example.org", check: "check the address", env: {} };
  const failure = toFailure(thrown, route, { timeoutMs: 120_000, ms: 3012 }) as Failure;
  expect(failure.toError(1)).toMatchObject({
    message:
      "cannot reach https://v4.example.org (no connection to 10.0.0.1:443, connection refused by ::1:443 after 3 s)",
    hint: "check the address and the network, or try again later",
  });
});

test("a name that does not exist is looked up twice, as a network may be just coming up", async () => {
  const before = lookUps;
  const { code, stderr } = await fetchFrom("none.localhost");
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringMatching(/unknown host none\.localhost\) after 2 attempts\n +check the base/) as string,
  });
  expect(lookUps - before).toBe(2);
});

test("a proxy whose name does not exist is named, and not the service", async () => {
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.example.org", HTTPS_PROXY: "http://none.localhost:3128" };
  expect(await runEnts(["network", "NEM", "-m", "power"], { env })).toMatchObject({
    code: 5,
    stderr:
      "ents: cannot reach the proxy http://none.localhost:3128 (unknown host none.localhost) after 2 attempts\n" +
      "      check the address of the proxy (HTTPS_PROXY, HTTP_PROXY) and the network\n",
  });
});
