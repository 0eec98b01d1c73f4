/** When the memory of responses is freed. */
import { expect, test } from "vitest";
import { decodeResponse } from "../../src/decode/decode.ts";
import type { DecodedResponse } from "../../src/series/decoded-response.ts";
import { Body } from "../../src/series/body.ts";
import { mergeWindows } from "../../src/series/merge.ts";
import type { Points } from "../../src/series/points.ts";

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 31, 14);
/** More than 64 KB of body. */
const COUNT = 2000;

function createBody(day: number, unit = "A", count = COUNT): Buffer {
  const timestampOf = (index: number) =>
    `${new Date(START + 10 * DAY * day + index * 300_000).toISOString().slice(0, 19)}+00:00`;
  const data = Array.from({ length: count }, (_, index) => [timestampOf(index), day]);
  const results = [{ name: `power_${unit}`, columns: { unit_code: unit }, data }];
  const item = { network_code: "NEM", metric: "power", unit: "MW", interval: "5m", groupings: [], results };
  const body = { version: "4", created_at: "2025-01-01T00:00:00Z", success: true, data: [item] };
  const text = Buffer.from(JSON.stringify(body) + " ".repeat(64 * 1024));
  // In a buffer of its own, with room for the columns of its points.
  return Buffer.concat([text, Buffer.alloc(64 * 1024)]).subarray(0, text.length);
}

interface Seen {
  /** Which bodies still have memory while each chunk with points is used. */
  readonly alive: boolean[][];
  /** The last value of each such chunk. */
  readonly values: (string | null | undefined)[];
  readonly counts: number[];
  readonly points: Points[];
}

async function merge(
  bodies: readonly Buffer[],
  { releaseBodies, ownsMemory }: { releaseBodies: boolean; ownsMemory: boolean },
): Promise<Seen> {
  async function* windows(): AsyncGenerator<readonly DecodedResponse[]> {
    for (const body of bodies) yield await Promise.resolve([decodeResponse(new Body(body, ownsMemory))]);
  }
  const seen: Seen = { alive: [], values: [], counts: [], points: [] };
  for await (const { timeSeries } of mergeWindows(windows(), () => {}, { releaseBodies })) {
    const points = timeSeries
      .flatMap(({ series }) => series.map((one) => one.points))
      .filter(({ instants }) => instants.length > 0);
    if (points.length === 0) continue;
    seen.alive.push(bodies.map((body) => body.buffer.byteLength > 0));
    seen.values.push(points.at(-1)?.values.at(-1));
    seen.counts.push(...points.map(({ instants }) => instants.length));
    seen.points.push(...points);
  }
  return seen;
}

test("the memory of a response is freed once its points are written", async () => {
  const bodies = [0, 1, 2].map((day) => createBody(day));
  const { alive, values, points } = await merge(bodies, { releaseBodies: true, ownsMemory: true });
  expect(values).toEqual(["0", "1", "2"]);
  expect(alive).toEqual([
    [true, true, true],
    [false, true, true],
    [false, false, true],
  ]);
  // It throws rather than return wrong text.
  expect(() => points[0]?.instants).toThrow("a point is read after its body was freed");
  expect(() => (points[0] as Points & { valueAt: (index: number) => string }).valueAt(0)).toThrow(
    "a point is read after its body was freed",
  );
});

test("a response without points in between frees nothing too early", async () => {
  const bodies = [createBody(0), createBody(1, "A", 0), createBody(2, "B"), createBody(3)];
  const { alive, values } = await merge(bodies, { releaseBodies: true, ownsMemory: true });
  expect(values).toEqual(["0", "2", "3"]);
  expect(alive.map(([first]) => first)).toEqual([true, false, false]);
});

test("a series that continues past the start of a response without it frees nothing too early", async () => {
  const bodies = [createBody(0), createBody(0.5, "B"), createBody(2)];
  const { alive, counts } = await merge(bodies, { releaseBodies: true, ownsMemory: true });
  expect(counts).toEqual([1440, 560, COUNT, COUNT]);
  expect(alive.map(([first]) => first)).toEqual([true, true, false]);
});

test("memory that is used elsewhere is left alone", async () => {
  const bodies = [0, 1].map((day) => createBody(day));
  const { alive } = await merge(bodies, { releaseBodies: true, ownsMemory: false });
  expect(alive).toEqual([
    [true, true],
    [true, true],
  ]);
});

test("points stay readable for users of the library, who may keep them", async () => {
  const bodies = [0, 1].map((day) => createBody(day));
  const { points } = await merge(bodies, { releaseBodies: false, ownsMemory: true });
  expect(points.map(({ values }) => values.at(-1))).toEqual(["0", "1"]);
});
