/** Service faults: one request of the export fails, once or always. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { TOKEN } from "../e2e/envelopes.ts";
import { PIECES } from "../faults/world-service.ts";
import type { Chance } from "../support/chance.ts";
import type { End, Fault, MakeFault } from "./fault.ts";
import type { Started } from "../support/run-ents.ts";
import type { Scene } from "./scene.ts";
import type { Exchange } from "./service.ts";

interface Failing {
  readonly name: string;
  /** The allowed ends if it always fails; and if it fails once, unless that is 0. */
  readonly always: readonly End[];
  readonly ifOnce?: readonly End[];
  readonly answer: (exchange: Exchange) => unknown;
}

function make({ name, always, ifOnce = [0], answer }: Failing, chance: Chance): Fault {
  const [piece, isOnce] = [chance.below(PIECES), chance.oneIn(2)];
  return {
    name: `service: ${name}, ${isOnce ? "once" : "always"}, at request ${piece}`,
    ends: isOnce ? ifOnce : always,
    asks: "the service",
    trouble: (exchange) => {
      if (exchange.piece !== piece || (isOnce && exchange.attempt > 1)) return undefined;
      answer(exchange);
      return "answered";
    },
  };
}

const type = { "content-type": "application/json" };
interface Reply {
  readonly status?: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}
const send = (response: ServerResponse, { status = 200, body = "", headers = {} }: Reply) =>
  response.writeHead(status, { ...type, ...headers, "content-length": String(Buffer.byteLength(body)) }).end(body);
const refuse = (response: ServerResponse, status: number, error: string) =>
  send(response, { status, body: JSON.stringify({ version: "4", response_status: "ERROR", error, success: false }) });
/** Repeats the work until the connection closes. */
const repeat = (response: ServerResponse, ms: number, work: () => unknown) => {
  const timer = setInterval(work, ms);
  response.on("close", () => clearInterval(timer));
};
/** Sends the start of a valid body. */
const startBody = ({ response, body }: Exchange, bytes: number) => {
  response.writeHead(200, { ...type, "content-length": String(Buffer.byteLength(body)) });
  response.write(body.slice(0, bytes));
};

const FAILINGS: readonly Failing[] = [
  { name: "resets the connection", always: [5], answer: ({ response }) => response.socket?.resetAndDestroy() },
  { name: "hangs up", always: [5], answer: ({ response }) => response.socket?.destroy() },
  { name: "says nothing", always: [5], answer: () => {} },
  { name: "stops in the body", always: [5], answer: (exchange) => startBody(exchange, 100) },
  {
    name: "hangs up in the body",
    always: [5],
    answer: (exchange) => {
      startBody(exchange, 700);
      setTimeout(() => exchange.response.destroy(), 20);
    },
  },
  { name: "ends its body early", always: [5], answer: ({ response, body }) => send(response, { body: body.slice(0, -50) }) },
  {
    name: "announces less than it sends",
    always: [4, 5],
    answer: ({ response, body }) =>
      response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length - 60}\r\n\r\n${body}`),
  },
  { name: "answers 500", always: [5], answer: ({ response }) => refuse(response, 500, "Error executing query") },
  { name: "answers 503", always: [5], answer: ({ response }) => send(response, { status: 503 }) },
  { name: "answers 502 with a page", always: [5], answer: ({ response }) => send(response, { status: 502, body: "<html>" }) },
  {
    name: "answers 520 with binary",
    always: [5],
    answer: ({ response }) => send(response, { status: 520, body: Buffer.from([0, 255, 27, 91, 50, 74]) }),
  },
  {
    name: "answers 429",
    always: [5],
    answer: ({ response }) => send(response, { status: 429, body: "slow down", headers: { "retry-after": "1" } }),
  },
  { name: "answers 401", always: [3], ifOnce: [0, 3], answer: ({ response }) => refuse(response, 401, `Authentication failed: ${TOKEN}`) },
  { name: "answers 403", always: [3], ifOnce: [3], answer: ({ response }) => refuse(response, 403, "not for you") },
  {
    name: "answers 404",
    always: [4],
    ifOnce: [4],
    answer: ({ response }) => send(response, { status: 404, body: '{"detail":"Not Found"}' }),
  },
  { name: "answers 400", always: [4], ifOnce: [4], answer: ({ response }) => refuse(response, 400, `no ${TOKEN}\u001b[2J`) },
  { name: "answers success: false", always: [4], ifOnce: [4], answer: ({ response }) => refuse(response, 200, "Query was cancelled") },
  { name: "answers a page", always: [4, 5], answer: ({ response }) => send(response, { body: "<!doctype html><title>Portal</title>" }) },
  {
    name: "answers NaN",
    always: [4],
    ifOnce: [4],
    answer: ({ response, body }) => send(response, { body: body.replace(/,\d+\.\d\d\]/, ",NaN]") }),
  },
  {
    name: "answers another shape",
    always: [4],
    ifOnce: [4],
    answer: ({ response }) => send(response, { body: '{"data":[{"series":[]}]}' }),
  },
  { name: "answers nothing", always: [5], answer: ({ response }) => send(response, {}) },
  { name: "sends garbage", always: [5], answer: ({ response }) => response.socket?.end("\u0000\u0001garbage\r\n\r\n") },
  {
    name: "sends endless headers",
    always: [4, 5],
    answer: ({ response }) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`),
  },
  {
    name: "sends gzip that ends early",
    always: [5],
    answer: ({ response, body }) => send(response, { body: gzipSync(body).subarray(0, -20), headers: { "content-encoding": "gzip" } }),
  },
  {
    name: "sends gzip that is none",
    always: [4, 5],
    ifOnce: [0, 4],
    answer: ({ response, body }) => send(response, { body, headers: { "content-encoding": "gzip" } }),
  },
  {
    name: "sends an encoding that nobody asked for",
    always: [4],
    ifOnce: [4],
    answer: ({ response, body }) => send(response, { body, headers: { "content-encoding": "br" } }),
  },
  {
    name: "trickles",
    always: [5],
    answer: (exchange) => {
      startBody(exchange, 10);
      repeat(exchange.response, 100, () => exchange.response.write(" "));
    },
  },
  {
    name: "says 103 for ever",
    always: [5],
    answer: ({ response }) => repeat(response, 100, () => response.socket?.write("HTTP/1.1 103 Early Hints\r\n\r\n")),
  },
  {
    name: "redirects in a circle",
    always: [4],
    ifOnce: [0, 4],
    answer: ({ response }) => send(response, { status: 307, headers: { location: response.req.url ?? "/" } }),
  },
  {
    name: "redirects elsewhere",
    always: [4],
    ifOnce: [4],
    answer: ({ response }) => send(response, { status: 302, headers: { location: "http://localhost:1/" } }),
  },
  {
    name: "redirects with an endless body",
    always: [4, 5],
    ifOnce: [0, 4, 5],
    answer: ({ response }) => {
      response.writeHead(302, { location: response.req.url ?? "/" });
      repeat(response, 20, () => response.write(Buffer.alloc(10_000)));
    },
  },
];

const SANDBOX_TOKEN = "sandbox-token";

/** Runs the sandbox as a process, kills it halfway, and restarts it on the same port. */
function killSandbox(chance: Chance): Fault {
  const ms = chance.below(900);
  let [sandbox, port]: [Started | undefined, string] = [undefined, "0"];
  const start = async ({ home }: Scene) => {
    sandbox = home.start(["sandbox", "--port", port]);
    const { stdout } = sandbox.child;
    if (stdout) port = /127\.0\.0\.1:(\d+)/.exec(String((await once(stdout, "data"))[0]))?.[1] ?? port;
  };
  const kill = () => sandbox?.child.kill("SIGKILL");
  return {
    name: `service: the sandbox is killed after ${ms} ms`,
    ends: [0, 5],
    asks: "another sandbox",
    env: () => ({ ENTS_BASE_URL: `http://127.0.0.1:${port}`, ENTS_TOKEN: SANDBOX_TOKEN }),
    plant: start,
    act: async (_, { finished }) => {
      await Promise.race([sleep(ms), finished]);
      kill();
    },
    mend: async (scene) => {
      kill();
      await sandbox?.finished;
      await start(scene);
    },
    end: kill,
  };
}

export const SERVICE_FAULTS: readonly MakeFault[] = [...FAILINGS.map((failing) => (chance: Chance) => make(failing, chance)), killSandbox];
