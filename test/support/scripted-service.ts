/** A service on the loopback interface that follows a script and records its requests. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type Dispatcher, Pool } from "undici";
import { atEndOfFile } from "./cleanup.ts";

export interface Answer {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly gzip?: boolean;
  /** Without a content-length. */
  readonly chunked?: boolean;
  /** Waits this long before the first byte. */
  readonly delayMs?: number;
  /** Waits for this before the first byte. */
  readonly after?: Promise<unknown>;
  /** Sends this many bytes of the body and then `end`: hangs up, or goes silent. */
  readonly bodyBytes?: number;
  readonly end?: "hang up" | "stall";
  /** Resets the connection, or goes silent, instead of answering. */
  readonly instead?: "reset" | "stall";
}

export interface ReceivedRequest {
  readonly method: string;
  /** As in the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the service started. */
  readonly at: number;
}

/** Responses in order, or a function for all requests. After the end of a list, a request gets a 418. */
export type Script = readonly Answer[] | ((request: ReceivedRequest) => Answer);

export interface ScriptedService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Resolves once this many requests have come. */
  received(count: number): Promise<void>;
  /** Answers commands in this process without a connection, unless the response is about one. */
  readonly dispatcher: Dispatcher;
  /** The number of open connections. */
  countConnections(): Promise<number>;
  close(): Promise<void>;
  /** Listens again, at the same address. */
  reopen(): Promise<void>;
}

/** Tests must not depend on it closing an idle connection. */
const KEPT_MS = 600_000;

/** Listens until `close`, or the end of the test file. */
export async function startService(script: Script): Promise<ScriptedService> {
  const requests: ReceivedRequest[] = [];
  const started = performance.now();
  const server = createServer(
    { keepAliveTimeout: KEPT_MS },
    (incoming, response) => void send(response, receive(incoming)),
  );
  server.on("connect", (incoming, socket) => tunnel(incoming, socket, receive(incoming)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const decided = new Map<string, Answer>();
  let pool: Pool | undefined;
  const service: ScriptedService = {
    url,
    requests,
    dispatcher: {
      dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
        const headers = options.headers as Record<string, string>;
        const answer = decide({ method: options.method, url: options.path, headers });
        if (isPlain(answer)) return answerDirectly(answer, handler);
        const id = String(requests.length);
        decided.set(id, answer);
        return (pool ??= new Pool(url)).dispatch({ ...options, headers: { ...headers, [DECIDED]: id } }, handler);
      },
    } as Dispatcher,
    received: async (count) => {
      while (requests.length < count) await once(server, "received");
    },
    countConnections: promisify(server.getConnections.bind(server)),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    reopen: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
  atEndOfFile(async () => {
    await pool?.destroy();
    await service.close();
  });
  return service;

  function receive({ method = "", url: path = "", headers }: IncomingMessage): Answer {
    return decided.get(String(headers[DECIDED])) ?? decide({ method, url: path, headers });
  }

  function decide(received: Omit<ReceivedRequest, "at">): Answer {
    const request = { ...received, at: performance.now() - started };
    requests.push(request);
    server.emit("received");
    return typeof script === "function" ? script(request) : (script[requests.length - 1] ?? PAST_THE_END);
  }
}

/** The header of a request whose answer is decided. */
const DECIDED = "x-decided";

function isPlain({ delayMs, after, instead, end }: Answer): boolean {
  return [delayMs, after, instead, end].every((one) => one === undefined);
}

/** As undici does for a response that has arrived. */
function answerDirectly(answer: Answer, handler: Dispatcher.DispatchHandler): true {
  let stopped: Error | null = null;
  const controller: Dispatcher.DispatchController = {
    get aborted() {
      return stopped !== null;
    },
    get reason() {
      return stopped;
    },
    paused: false,
    abort: (reason) => void (stopped ??= reason),
    pause: () => {},
    resume: () => {},
  };
  const { status, headers, bytes } = pack(answer);
  const steps = [
    () => handler.onRequestStart?.(controller, {}),
    () => handler.onResponseStart?.(controller, status, headers, ""),
    () => bytes.length > 0 && handler.onResponseData?.(controller, bytes),
    () => handler.onResponseEnd?.(controller, {}),
  ];
  setImmediate(() => {
    for (const step of steps) if (stopped === null) step();
    if (stopped !== null) handler.onResponseError?.(controller, stopped);
  });
  return true;
}

function pack({ status = 200, headers = {}, body = "", gzip, chunked }: Answer) {
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const plain = Buffer.from(isText ? body : JSON.stringify(body));
  const bytes = gzip ? gzipSync(plain) : plain;
  const own = {
    "content-type": isText ? "text/html" : "application/json",
    ...(gzip ? { "content-encoding": "gzip" } : {}),
    ...(chunked ? {} : { "content-length": String(bytes.length) }),
  };
  return { status, bytes, headers: { ...own, ...headers } };
}

const PAST_THE_END: Answer = { status: 418, body: "the script has no further answer" };

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const { delayMs = 0, instead } = answer;
  if (delayMs > 0) await wait(delayMs);
  await answer.after;
  if (instead === "reset") response.socket?.resetAndDestroy();
  if (instead !== undefined) return;
  const { status, headers, bytes } = pack(answer);
  // Tests have clocks of their own.
  response.sendDate = false;
  response.writeHead(status, headers);
  if (answer.end === undefined) return void response.end(bytes);
  // Headers and bytes must arrive before the connection goes silent.
  response.write(bytes.subarray(0, answer.bodyBytes ?? Math.floor(bytes.length / 2)));
  await wait(20);
  if (answer.end === "hang up") response.destroy();
}

/** The service as a proxy: opens a tunnel if the script says 200, else answers with its status. */
function tunnel({ url = "" }: IncomingMessage, socket: Duplex, { status = 200 }: Answer): void {
  socket.on("error", () => {});
  if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
  const { hostname, port } = new URL(`http://${url}`);
  const target = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"));
  target.on("error", () => socket.destroy());
  socket.pipe(target).pipe(socket);
}
