/** Responses that come before the final one. */
import { setImmediate } from "node:timers/promises";
import { connect } from "node:net";
import fc from "fast-check";
import { Client } from "undici";
import { expect, test } from "vitest";
import { passOverInformational } from "../../src/source/connections.ts";
import { startRawServer } from "../support/raw-server.ts";

const HEADS = [
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n",
  "HTTP/1.1 102 Processing\r\n\r\n",
];
/** Bodies that look like heads. */
const BODIES = ["{}", "", "HTTP/1.1 100 Continue\r\n\r\n"];

/** Sends the texts in pieces of the same size to each request of a connection, and returns the bodies that arrive. */
async function receive(texts: readonly string[], size: number): Promise<string[]> {
  const server = await startRawServer((socket) => {
    let next = 0;
    const send = async (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; from += size) {
        socket.write(bytes.subarray(from, from + size));
        await setImmediate();
      }
    };
    socket.setNoDelay(true).on("data", () => void send(Buffer.from(texts[next++] ?? "")));
  });
  const client = new Client(server.url, {
    connect: ({ hostname, port }, callback) => {
      const socket = connect(Number(port), hostname, () => {
        passOverInformational(socket);
        callback(null, socket);
      });
    },
  });
  const bodies: string[] = [];
  for (let request = 0; request < texts.length; request++) {
    const { statusCode, body } = await client.request({ path: "/", method: "GET" });
    bodies.push(`${statusCode} ${await body.text()}`);
  }
  await client.close();
  expect(server.connections).toBe(1);
  return bodies;
}

test("any number of them is passed over, however the bytes arrive, and bodies stay as they are", async () => {
  const answers = fc.record({
    heads: fc.array(fc.constantFrom(...HEADS), { maxLength: 3 }),
    body: fc.constantFrom(...BODIES),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 120 }),
      async (all, size) => {
        const texts = all.map(
          ({ heads, body }) => `${heads.join("")}HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        expect(await receive(texts, size)).toEqual(all.map(({ body }) => `200 ${body}`));
      },
    ),
    { numRuns: 20 },
  );
});

test.each([
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
  "HTTP/2 100\r\n\r\n",
  "220 mail\r\n",
])("%j is no such response", async (text) => {
  await expect(receive([text], 100)).rejects.toThrow(/bad upgrade|does not match|Missing/);
});
