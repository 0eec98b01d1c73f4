/** HTTP: compression, bodies too large to hold in memory, callers that hang up, and stopping the service. */
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/sandbox.ts";
import { createHome } from "../support/run-ents.ts";
import { runs } from "../support/extent.ts";
import { askRaw, type Query, startStill, urlOf } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

const DAY = { metrics: "price", date_start: "2025-01-01", date_end: "2025-01-02" };
const LONG = {
  metrics: ["price", "demand"],
  primary_grouping: "network_region",
  date_start: runs("2023-01-01", "2005-01-01"),
  date_end: "2025-01-01",
};

async function open(query: Query, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const url = urlOf(sandbox, "/market/network/NEM", query);
  const request = get(url, { agent: new Agent(), headers: { authorization: `Bearer ${sandbox.token}`, ...headers } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test.each([
  [undefined, false],
  ["identity", false],
  ["gzip;q=0", false],
  ["gzip;q=0.0, br", false],
  ["br", false],
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["GZIP", true],
  ["*", true],
])("accept-encoding %s: gzipped is %s, and the numbers are the same", async (accept, gzipped) => {
  const response = await open(DAY, accept === undefined ? {} : { "accept-encoding": accept });
  expect(response.headers["content-encoding"]).toBe(gzipped ? "gzip" : undefined);
  const body = await readAll(response);
  const plain = await readAll(await open(DAY));
  expect(gzipped ? gunzipSync(body) : body).toEqual(plain);
  expect(body.length < plain.length / 3).toBe(gzipped);
});

test("closing ends open requests, even if nobody reads them, and idle connections", async () => {
  const other = await startStill();
  await (await askRaw(other, "/me")).text();
  const response = await askRaw(other, "/market/network/NEM", LONG);
  await other.close();
  await expect(response.text()).rejects.toThrow("terminated");
  await expect(askRaw(other, "/me")).rejects.toThrow("fetch failed");
});

test("a port that is in use rejects with the system's error", async () => {
  const port = Number(new URL(sandbox.baseUrl).port);
  await expect(startSandbox({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("it listens on the loopback interface only", () => {
  expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test("pages of any origin may ask, with a token", async () => {
  const url = urlOf(sandbox, "/networks", {});
  const asked = await fetch(url, { method: "OPTIONS", headers: { "access-control-request-headers": "authorization" } });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, "authorization, *"]);
  const answered = await fetch(url, { headers: { origin: "https://example.org" } });
  expect([answered.status, answered.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  const refused = await fetch(urlOf(sandbox, "/facilities/", {}));
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, "*"]);
});

test("--host listens on another address, with a warning if others reach it", async () => {
  const home = createHome();
  for (const [host, warns] of [
    ["0.0.0.0", true],
    ["127.0.0.2", false],
  ] as const) {
    const { child, finished } = home.start(["sandbox", "--host", host]);
    child.stderr?.on("data", (text: string) => text.includes("stop with") && child.kill("SIGTERM"));
    const { stdout, stderr } = await finished;
    expect({ host, warns: stderr.includes("warning: other machines can reach this sandbox") }).toEqual({ host, warns });
    expect(stdout).toMatch(new RegExp(`^base address  http://${host}:\\d+\n`));
  }
});
