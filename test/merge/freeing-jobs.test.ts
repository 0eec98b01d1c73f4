/** A job frees exactly the responses that its output no longer needs. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeResponse } from "../../src/decode/decode.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { Body } from "../../src/series/body.ts";
import { createColumns, type ScannedPoints } from "../../src/series/points.ts";
import { readResponse } from "../../src/source/read-response.ts";
import type { Response } from "../../src/source/response.ts";
import type { Received } from "../../src/source/source.ts";
import { queryFor } from "./cases.ts";
import { runExport } from "./harness.ts";

const START = Date.UTC(2025, 2, 1);
const FIVE_MINUTES = 300_000;
const WINDOWS = 5;
const QUERY = queryFor({ network: "NEM", interval: "5m" }, { start: START, end: START + 4 * WINDOWS * FIVE_MINUTES }, [
  "power",
]);
const PLAN = planQuery(QUERY, { now: START, maxWindow: { amount: 20, unit: "minutes" } });

/** Four intervals of one region, from the start of a request on. `size`: the minimum in bytes. */
function createBody(path: string, region: string, size = 0): Buffer {
  const start = Date.parse(`${new URL(`http://x${path}`).searchParams.get("date_start")}Z`);
  const data = [0, 1, 2, 3].map((index) => [
    `${new Date(start + index * FIVE_MINUTES).toISOString().slice(0, 19)}+10:00`,
    index,
  ]);
  const results = [{ name: "p", columns: { region }, data }];
  const item = { network_code: "NEM", metric: "power", unit: "MW", interval: "5m", groupings: [], results };
  const text = JSON.stringify({ version: "4", created_at: "2025-01-01T00:00:00Z", success: true, data: [item] });
  return Buffer.concat([Buffer.from(text), Buffer.alloc(size, " ")]);
}

/** A source that decodes the same bodies each time they are requested. */
function createSource(bodyOf: (path: string) => Buffer, bodies: Body[] = []) {
  return ({ path }: { readonly path: string }): Promise<Received> => {
    const bytes = bodyOf(path);
    const response: Response = { status: 200, gzip: false, bytes, receivedAt: 0, retryAfter: undefined };
    const body = new Body(bytes, true);
    bodies.push(body);
    return Promise.resolve({
      response,
      storedIn: false,
      read: async () => ({ response, decoded: decodeResponse(body) }),
    });
  };
}

test.each([
  ["csv", WINDOWS - 1],
  ["parquet", WINDOWS - 1],
  ["table", 0],
] as const)("%s: of 5 responses, the memory of %i is free before the end", async (format, freed) => {
  const buffers: Buffer[] = [];
  const send = createSource((path) => {
    const bytes = createBody(path, "NSW1", 100_000);
    buffers.push(bytes);
    return bytes;
  });
  await runExport({ query: QUERY, plan: PLAN, send, output: [format, "long"], streams: true });
  expect(buffers.filter(({ buffer }) => buffer.byteLength === 0)).toHaveLength(freed);
});

test.each([
  ["unpacked", true, true],
  ["as it came, which a store may still hold", false, false],
])("the memory of a body that is %s", async (_, gzip, isFreed) => {
  const bytes = createBody("/?date_start=2025-03-01T00:00:00", "NSW1", 100_000);
  const response = { status: 200, gzip, bytes: gzip ? gzipSync(bytes) : bytes, receivedAt: 0, retryAfter: undefined };
  const answer = await readResponse(response);
  const points = isKnown(answer) ? answer.timeSeries[0]?.series[0]?.points : undefined;
  const { body } = (points as ScannedPoints).columns;
  const { buffer } = body.bytes;
  body.free();
  expect([buffer.byteLength === 0, response.bytes.length > 0]).toEqual([isFreed, true]);
});

test("memory is freed at once, with the columns of points in it", () => {
  const before = process.memoryUsage().arrayBuffers;
  const body = new Body(Buffer.alloc(20_000_000).subarray(0, 10_000_000), true);
  const { instants } = createColumns(100_000, body);
  body.free();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(instants).toHaveLength(0);
});

test("small bodies, whose memory is shared, are left alone", () => {
  const [own, neighbour] = [Buffer.from("own"), Buffer.from("neighbour")];
  expect(own.buffer).toBe(neighbour.buffer);
  const body = new Body(own, true);
  createColumns(4, body).starts.fill(0);
  body.free();
  expect([neighbour.toString(), own.toString()]).toEqual(["neighbour", "own"]);
});
