/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are respected, and a proxy never sees the token of an https service. */
import { EventEmitter, once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { connect, type ConnectOptions } from "../../src/index.ts";
import { FULL } from "../support/extent.ts";
import { PATIENCE_MS, TIMEOUT } from "../support/patience.ts";
import { drip, reply, startRawServer } from "../support/raw-server.ts";
import { createHome, type Run, type RunOptions, runEnts } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { startStoppable } from "../support/stoppable.ts";
import { POWER, TOKEN } from "./envelopes.ts";
import { HAS_SIGNALS } from "../support/platform.ts";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d", "--retries", "0"];
const REMOTE = "https://v4.example.org";

test.concurrent.for(["HTTP_PROXY", "http_proxy"])("%s is used", async (name) => {
  const [proxy, service] = [await startService(() => POWER), await startService(() => POWER)];
  const run = await runEnts(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, [name]: proxy.url } });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(proxy.requests).toHaveLength(1);
  expect(proxy.requests[0]?.url).toContain(new URL(service.url).host);
});

test.concurrent.for(["127.0.0.1", "*", "127.0.0.0/8", "10.0.0.0/8,127.0.0.1/32", "fd00::/8 0.0.0.0/0"])(
  "NO_PROXY=%s bypasses it",
  async (value) => {
    const [proxy, service] = [await startService([]), await startService(() => POWER)];
    const run = await runEnts(FETCH, {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, HTTP_PROXY: proxy.url, NO_PROXY: value },
    });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(proxy.requests).toEqual([]);
  },
);

test.concurrent.for([
  "10.0.0.0/8",
  "128.0.0.0/8",
  "127.0.0.1/33",
  "127.0.0.0/x",
  "::/0",
  "localhost/8",
  "/",
  "127.0.0.1/",
])("NO_PROXY=%s does not", async (value) => {
  const [proxy, service] = [await startService(() => POWER), await startService(() => POWER)];
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, HTTP_PROXY: proxy.url, NO_PROXY: value };
  expect(await runEnts(FETCH, { env })).toMatchObject({ code: 0 });
  expect(proxy.requests.map(({ method }) => method)).toEqual(["CONNECT"]);
});

test.concurrent.for(["HTTPS_PROXY", "https_proxy"])(
  "%s is asked for a tunnel to an https service, without the token",
  async (name) => {
    const proxy = await startService(() => ({ status: 502 }));
    const run = await runEnts(FETCH, {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.example.org", [name]: proxy.url },
    });
    expect(run).toMatchObject({ code: 5, stdout: "", stderr: expect.stringMatching(/^ents: /) as string });
    expect(proxy.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["CONNECT v4.example.org:443"]);
    expect(JSON.stringify(proxy.requests)).not.toContain(TOKEN);
  },
);

test.concurrent.for([
  [{ ALL_PROXY: "socks5://127.0.0.1:9" }, true],
  [{ all_proxy: "http://127.0.0.1:9", https_proxy: "" }, true],
  [{ ALL_PROXY: "socks5://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" }, false],
  [{ ALL_PROXY: "socks5://127.0.0.1:9", NO_PROXY: "*.localhost" }, false],
] as const)("ALL_PROXY alone is not used, and a note says so: %j", async ([proxies, isNoted]) => {
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.localhost:9", ...proxies };
  const { stderr } = await runEnts([...FETCH, "--retries", "0"], { env });
  expect(stderr.includes("ents: note: ALL_PROXY is not used; to use a proxy, set HTTPS_PROXY=")).toBe(isNoted);
});

test.concurrent("a missing proxy is exit 5", async () => {
  const run = await runEnts(FETCH, {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.example.org", HTTPS_PROXY: "http://127.0.0.1:9" },
  });
  expect(run).toMatchObject({ code: 5, stdout: "" });
});

test.concurrent("the sandbox needs no proxy", async () => {
  const args = ["network", "NEM", "-m", "power", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-01", "--sandbox", "-q"];
  expect(
    await runEnts(args, { env: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" } }),
  ).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test.concurrent("a loopback service is not reached through a proxy elsewhere", async () => {
  const service = await startService(() => POWER);
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, HTTP_PROXY: "http://192.0.2.1:3128" };
  expect(await runEnts(FETCH, { env })).toMatchObject({ code: 0, stderr: "" });
});

test.concurrent.for(["HTTP_PROXY", "HTTPS_PROXY"])(
  "plain http to another machine is exit 3 before any connection, %s or not",
  async (name) => {
    const proxy = await startRawServer((socket) => socket.end());
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "http://v4.example.org", [name]: proxy.url };
    expect(await runEnts(FETCH, { env })).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining("http is not encrypted") as string,
    });
    expect(() => connect({ token: TOKEN, baseUrl: "http://v4.example.org" })).toThrow(/http is not encrypted/);
    expect(proxy.connections).toBe(0);
  },
);

const SECRET = "pass-word-of-a-proxy";
const INVALID = [
  "socks5://127.0.0.1:1080",
  "ftp://127.0.0.1",
  "http://",
  "not a proxy",
  "http://127.0.0.1:65536",
  "http://100%:0@127.0.0.1",
];

test.concurrent.for(INVALID.flatMap((value) => ["HTTPS_PROXY", "http_proxy"].map((name) => [name, value] as const)))(
  "%s=%s is exit 2, and names the variable",
  async ([name, value]) => {
    const withPassword = value.replace("://", `://user:${SECRET}@`);
    for (const text of [value, withPassword]) {
      const { code, stdout, stderr } = await runEnts(FETCH, {
        env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: REMOTE, [name]: text },
      });
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(`ents: ${name} is not`) as string,
      });
      expect(stderr).not.toContain(SECRET);
    }
  },
);

test.concurrent.for(["user", "CORP\\user"])(
  "a proxy gets the password of %s, and no message shows it",
  async (user) => {
    const proxy = await startService(() => ({ status: 407 }));
    const address = proxy.url.replace("://", `://${user}:${SECRET}%21@`);
    const { code, stderr } = await runEnts([...FETCH, "-v"], { env: remoteBy(address) });
    expect(code).toBe(5);
    expect(stderr).toContain(`the proxy ${proxy.url} refused`);
    expect(stderr).not.toContain(SECRET);
    const [, credentials = ""] = proxy.requests[0]?.headers["proxy-authorization"]?.split(" ") ?? [];
    expect(Buffer.from(credentials, "base64").toString()).toBe(`${user}:${SECRET}!`);
  },
);

const silent = () => {};
const closes = (socket: Socket) => void socket.once("data", () => socket.end());
const PAGE = "<html>log in to the network</html>";
const HEAD = `Content-Length: ${PAGE.length}\r\n\r\n${PAGE}`;

const TIMED_OUT = /no connection to .*timeout: 10 s/;

/** The number of connections with `--retries 1`: 1 if a retry cannot help. */
const BAD_PROXIES: readonly [
  name: string,
  onConnection: (socket: Socket) => void,
  connections: number,
  says: RegExp,
][] = [
  ["closes at once", (socket) => socket.end(), 2, /cannot reach/],
  ["closes on CONNECT", closes, 2, /cannot reach/],
  ["resets on CONNECT", (socket) => void socket.once("data", () => socket.resetAndDestroy()), 2, /cannot reach/],
  ["never answers CONNECT", silent, 2, TIMED_OUT],
  ["answers CONNECT with half a head", reply("HTTP/1.1 200 OK\r\nServer: a"), 2, TIMED_OUT],
  ["answers CONNECT with 103 for ever", drip("HTTP/1.1 103 Early Hints\r\n\r\n"), 1, /refused.*HTTP 103/],
  ["answers CONNECT with a head for ever", drip("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), 2, TIMED_OUT],
  ["answers CONNECT with a page", reply(`HTTP/1.1 200 OK\r\n${HEAD}`), 2, /cannot reach/],
  ["answers CONNECT with a page and no head", reply(PAGE), 2, /cannot reach/],
  ["opens a tunnel to silence", reply("HTTP/1.1 200 OK\r\n\r\n"), 2, TIMED_OUT],
  ["asks for a password", reply("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"), 1, /refused.*HTTP 407/],
  ["forbids the tunnel with a page", reply(`HTTP/1.1 403 Forbidden\r\n${HEAD}`), 1, /refused.*HTTP 403/],
  ["is out of order", reply("HTTP/1.1 503 Busy\r\n\r\n"), 2, /refused.*HTTP 503/],
];

// A quick run has none that waits for its timeout twice.
test.concurrent.for(BAD_PROXIES.filter(([, , , says]) => FULL || says !== TIMED_OUT))(
  "a proxy that %s is exit 5, and named",
  async ([, onConnection, connections, says]) => {
    const proxy = await startRawServer(onConnection);
    const run = await askTwice(remoteBy(proxy.url), { isReal: FULL || onConnection === closes });
    expect(run).toMatchObject({ code: 5, stdout: "", stderr: expect.stringMatching(says) as string });
    expect(run.stderr).toContain(`the proxy ${proxy.url}`);
    expect(run.stderr).not.toContain(TOKEN);
    expect(proxy.connections).toBe(connections);
  },
);

test.concurrent.for(["https://v4.example.org", "http://127.0.0.1:9"])(
  "a proxy that talks inside the tunnel to %s is tried twice",
  async (service) => {
    const proxy = await startRawServer(reply(`HTTP/1.1 200 OK\r\n\r\n${PAGE}`));
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service, HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const run = await askTwice(env);
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining("sent data of its own") as string });
    expect(proxy.connections).toBe(2);
  },
);

test.concurrent.for([
  ["closes on CONNECT", closes],
  ["never answers CONNECT", silent],
  ["opens a tunnel to silence", reply("HTTP/1.1 200 OK\r\n\r\n")],
] as const)("SIGTERM ends a run whose proxy %s: 143", async ([, onConnection]) => {
  const proxy = await startRawServer(onConnection);
  const connected = proxy.connected();
  const { stop } = startStoppable(createHome(), ["network", "NEM", "-m", "power"], { env: remoteBy(proxy.url) });
  await connected;
  expect(await stop("SIGTERM")).toMatchObject({ code: 143, stdout: "" });
});

test.skipIf(!HAS_SIGNALS)("SIGTERM ends a run in the middle of TLS through a proxy: 143", async () => {
  const greetings = new EventEmitter();
  const proxy = await startRawServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.once("data", () => greetings.emit("hello"));
    });
  });
  const greeted = once(greetings, "hello");
  const { stop } = startStoppable(createHome(), ["network", "NEM", "-m", "power"], {
    env: remoteBy(proxy.url),
    isReal: true,
  });
  await greeted;
  expect(await stop("SIGTERM")).toMatchObject({ code: 143, stdout: "" });
});

test("SIGTERM ends a run in the middle of TLS without a proxy: 143", async () => {
  const greetings = new EventEmitter();
  const service = await startRawServer((socket) => void socket.once("data", () => greetings.emit("hello")));
  const greeted = once(greetings, "hello");
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url.replace("http:", "https:") };
  const { stop } = startStoppable(createHome(), ["network", "NEM", "-m", "power"], { env });
  await greeted;
  expect(await stop("SIGTERM")).toMatchObject({ code: 143, stdout: "" });
});

test("the library connects through the same proxies, with the same limits", async () => {
  const proxy = await startRawServer(closes);
  const client = connectBy(proxy.url, { retries: 1 });
  const error = await client.getJson("/v4/me").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining(`the proxy ${proxy.url}`) as string,
  });
  expect(proxy.connections).toBe(2);
  await client.close();

  const stuck = await startRawServer(silent);
  const stop = new AbortController();
  const connected = stuck.connected();
  const stopped = connectBy(stuck.url, { signal: stop.signal });
  const asked = stopped.getJson("/v4/me").catch((thrown: unknown) => thrown);
  await connected;
  stop.abort(new Error("enough"));
  expect(await asked).toMatchObject({ message: "enough" });
  await stopped.close();
  expect(() => connectBy("socks5://127.0.0.1:1080", {})).toThrow(
    /^HTTPS_PROXY is not the address of an http\(s\) proxy/i,
  );
});

function connectBy(proxy: string, options: Partial<ConnectOptions>) {
  const { HTTPS_PROXY: before } = process.env;
  process.env["HTTPS_PROXY"] = proxy;
  try {
    return connect({ token: TOKEN, baseUrl: REMOTE, ...options });
  } finally {
    if (before === undefined) delete process.env["HTTPS_PROXY"];
    else process.env["HTTPS_PROXY"] = before;
  }
}

/** Allows one retry. Runs as a process in a full run or on request, so that endless retries can be killed. */
async function askTwice(env: NonNullable<RunOptions["env"]>, { isReal = FULL } = {}): Promise<Run> {
  const args = ["network", "NEM", "-m", "power", "--retries", "1", "--timeout", TIMEOUT];
  if (!isReal) return runEnts(args, { env });
  const { child, finished } = createHome().start(args, { env });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const run = await finished;
  clearTimeout(giveUp);
  return run;
}

function remoteBy(proxy: string) {
  return { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: REMOTE, HTTPS_PROXY: proxy };
}
