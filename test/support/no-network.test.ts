import { execFile } from "node:child_process";
import { promises as dns, lookup } from "node:dns";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { request } from "undici";
import { expect, test } from "vitest";
import { noNetworkEnv, takeStrayConnections } from "./no-network.ts";

const run = promisify(execFile);
const UNREACHABLE = { code: "ENETUNREACH" };

const strays: [name: string, connection: () => Promise<unknown>, record: string][] = [
  ["an address", () => once(connect(80, "192.0.2.1"), "connect"), "192.0.2.1:80"],
  ["an IPv6 address", () => once(connect({ host: "2001:db8::1", port: 80 }), "connect"), "2001:db8::1:80"],
  ["TLS", () => once(connectTls({ host: "192.0.2.1", port: 443 }), "secureConnect"), "192.0.2.1:443"],
  ["a host name", () => once(get("http://example.org/"), "response"), "example.org:80"],
  ["undici", () => request("https://example.org/"), "example.org:443"],
  ["a look-up", () => promisify(lookup)("example.org"), "dns example.org"],
  ["a promised look-up", () => dns.resolve4("example.org"), "dns example.org"],
  ["a resolver of its own", () => new dns.Resolver().resolve4("example.org"), "dns example.org"],
];

test.each(strays)("%s fails and is recorded", async (_name, connection, record) => {
  await expect(connection()).rejects.toMatchObject(UNREACHABLE);
  expect(takeStrayConnections()).toEqual([record]);
});

test("fetch fails and is recorded", async () => {
  await expect(fetch("https://example.org/")).rejects.toMatchObject({ cause: UNREACHABLE });
  expect(takeStrayConnections()).toEqual(["example.org:443"]);
});

test.each(["127.0.0.1", "localhost"])("loopback works: %s", async (host) => {
  const server = createServer((_request, response) => response.end("here")).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await request(`http://${host}:${port}/`);
  expect(await response.body.text()).toBe("here");
  server.close();
  expect(takeStrayConnections()).toEqual([]);
});

test("a child process is cut off too", async () => {
  const program = 'require("net").connect(80, "192.0.2.1").on("error", (error) => console.log(error.code))';
  const { stdout } = await run(process.execPath, ["-e", program], { env: noNetworkEnv() });
  expect(stdout).toBe("ENETUNREACH\n");
  expect(takeStrayConnections()).toEqual(["192.0.2.1:80"]);
});

test("a child process that inherits the environment is cut off too", async () => {
  await run(process.execPath, ["-e", 'fetch("http://example.org/").catch(() => {})']);
  expect(takeStrayConnections()).toEqual(["example.org:80"]);
});
