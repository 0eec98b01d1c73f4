/**
 * A v4 service on loopback, in a separate process. Each response is created and compressed once, at its first request.
 */
import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createBody } from "./bodies.mjs";

/** Compressed bodies by path. @type {Map<string, Promise<Buffer>>} */
const bodies = new Map();

/** @param {string} path */
function findBody(path) {
  const body =
    bodies.get(path) ?? promisify(gzip)(createBody(new URL(path, "http://localhost").searchParams), { level: 6 });
  bodies.set(path, body);
  return body;
}

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function answer(request, response) {
  const body = await findBody(request.url ?? "/");
  response.writeHead(200, {
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": body.length,
  });
  response.end(body);
}

const server = createServer((request, response) => {
  void answer(request, response);
});

// Longer than the slowest contestant takes for one response.
server.keepAliveTimeout = 75_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
