/** Proxy faults: every connection fails, whether the client asks for a page or a tunnel. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { atEndOfFile } from "../support/cleanup.ts";
import type { Chance } from "../support/chance.ts";
import type { Fault, MakeFault } from "./fault.ts";
import type { Scene } from "./scene.ts";

type Treat = (client: Socket, scene: Scene, chance: Chance) => unknown;

const page = "<!doctype html><title>Log in to the portal</title>";
const say = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
/** Runs once the client has sent its request. */
const answer =
  (text: string, after: (client: Socket) => unknown = () => {}): Treat =>
  (client) =>
    client.once("data", () => {
      client.write(text);
      after(client);
    });

const TREATMENTS: readonly [name: string, treat: Treat][] = [
  ["hangs up at once", (client) => client.destroy()],
  ["hangs up when asked", (client) => client.once("data", () => client.destroy())],
  ["resets", (client) => client.once("data", () => client.resetAndDestroy())],
  ["says nothing", () => {}],
  ["answers a page", answer(say("200 OK", page), (client) => client.end())],
  ["answers a page and stays", answer(say("200 OK", page))],
  ["answers 407", answer(say("407 Proxy Authentication Required", page))],
  ["answers 502", answer(say("502 Bad Gateway", page))],
  ["answers 403", answer(say("403 Forbidden", page), (client) => client.end())],
  ["redirects", answer("HTTP/1.1 302 Found\r\nlocation: http://localhost:1/\r\ncontent-length: 0\r\n\r\n")],
  ["answers garbage", answer("\u0000\u0001\u0002\r\n\r\n", (client) => client.end())],
  ["opens a tunnel into nothing", answer("HTTP/1.1 200 Connected\r\n\r\n")],
  ["opens a tunnel and hangs up", answer("HTTP/1.1 200 Connected\r\n\r\n", (client) => setTimeout(() => client.destroy(), 20))],
  ["opens a tunnel of garbage", answer("HTTP/1.1 200 Connected\r\n\r\n\u0015\u0003\u0001garbage garbage garbage")],
  ["says 103 for ever", answer("HTTP/1.1 103 Early Hints\r\n\r\n", (client) => trickle(client, "HTTP/1.1 103 Early Hints\r\n\r\n"))],
  ["trickles", answer("HTTP/1.1 200 OK\r\nx:", (client) => trickle(client, "y"))],
];

/** Works for a while, then cuts every connection. */
const CUTS: [name: string, treat: Treat] = [
  "cuts connections at random",
  (client, { service }, chance) => {
    const target = connect(Number(new URL(service.url).port), "127.0.0.1");
    const left = chance.below(20_000);
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy()).on("error", () => {});
    target.on("data", () => void (target.bytesRead > left && client.destroy()));
    client.once("data", (first: Buffer) => {
      if (first.toString("latin1", 0, 8) === "CONNECT ") client.write("HTTP/1.1 200 Connected\r\n\r\n");
      else target.write(first);
      client.pipe(target).pipe(client);
    });
  },
];

function trickle(client: Socket, text: string): void {
  const timer = setInterval(() => client.write(text), 100);
  client.on("close", () => clearInterval(timer));
}

/** More connections than all requests, attempts and redirects need; beyond that, ents is in a loop. */
const MAX_CONNECTIONS = 60;

function make([name, treat]: readonly [string, Treat], chance: Chance): Fault {
  const isTunnel = treat !== CUTS[1] && chance.oneIn(2);
  let [port, connections] = [0, 0];
  return {
    name: `${isTunnel ? "https" : "http"} proxy: ${name}`,
    ends: treat === CUTS[1] ? [0, 4, 5] : isTunnel ? [5] : [4, 5],
    asks: "the service",
    plant: async (scene) => {
      const server = createServer((client) => {
        connections++;
        client.on("error", () => client.destroy());
        treat(client, scene, chance);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      atEndOfFile(() => void server.close());
      port = (server.address() as AddressInfo).port;
    },
    env: () => {
      const proxy = `http://127.0.0.1:${port}`;
      return isTunnel ? { HTTPS_PROXY: proxy, ENTS_BASE_URL: "https://v4.example.org" } : { HTTP_PROXY: proxy };
    },
    check: () => {
      if (connections > MAX_CONNECTIONS) throw new Error(`${connections} connections to the proxy`);
    },
  };
}

const WRONG: MakeFault = (chance) => {
  const proxy = chance.pick([
    "ftp://127.0.0.1:1",
    "socks5://127.0.0.1:1",
    "file:///etc/passwd",
    "http://",
    "://",
    "http://127.0.0.1:99999",
  ]);
  const name = chance.pick(["HTTP_PROXY", "http_proxy"]);
  return { name: `${name}=${proxy}`, ends: [2], asks: "the service", env: () => ({ [name]: proxy }) };
};

export const PROXY_FAULTS: readonly MakeFault[] = [
  ...[...TREATMENTS, CUTS].map((treatment) => (chance: Chance) => make(treatment, chance)),
  WRONG,
];
