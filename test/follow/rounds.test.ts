/** Rounds on a clock that only moves while ents waits. */
import { expect, test } from "vitest";
import { followRounds } from "../../src/follow/rounds.ts";
import type { Chunk } from "../../src/series/merge.ts";
import { queryFor } from "../merge/cases.ts";
import { readBody } from "../unit/generators.ts";
import { NOON, timestamp, STEP } from "./live-service.ts";
import { contextWith } from "../support/context.ts";

const PROVISIONAL = 999;
const OFFSET = 36_000_000;

/** A service that already shows the next interval and does not say when its response was made. */
function answerAt(local: number): Chunk {
  const buckets = Array.from({ length: 8 }, (_, index) => local - (local % STEP) + (index - 6) * STEP);
  const data = buckets.map((bucket) => [timestamp(bucket), bucket + STEP <= local ? 1 : PROVISIONAL]);
  const item = {
    network_code: "NEM",
    metric: "power",
    unit: "MW",
    interval: "5m",
    results: [{ name: "a", columns: {}, data }],
  };
  return { heads: [], timeSeries: readBody(JSON.stringify({ success: true, data: [item] })) };
}

test("a slow response counts as of the time of its request", async () => {
  let local = NOON + 120_000;
  const now = () => local - OFFSET;
  const waits = async (ms: number) => void (local += ms);
  async function fetch(): Promise<Chunk> {
    const chunk = answerAt(local);
    // As if it was suspended, slept, or had a slow network.
    await waits(STEP);
    return chunk;
  }
  const query = queryFor({ network: "NEM", interval: "5m" }, { start: NOON - 4 * STEP, end: NOON }, ["power"]);
  const context = contextWith({ now, monotonic: now, sleep: waits, random: () => 0 });
  const values: string[] = [];
  for await (const { fresh } of followRounds({ query, fetch }, context, { note: () => {}, progress: () => {} })) {
    values.push(...fresh.timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => points.values.map(String))));
    if (values.length > 10) break;
  }
  expect(new Set(values)).toEqual(new Set(["1"]));
});

test("says on a terminal when the next request is due, and clears that before other messages", async () => {
  let local = NOON + 120_000;
  const shown: string[] = [];
  const now = () => local - OFFSET;
  const context = contextWith({
    now,
    monotonic: now,
    sleep: async (ms: number) => void (local += ms),
    random: () => 0,
  });
  async function fetch(): Promise<Chunk> {
    shown.push("request");
    return Promise.resolve(answerAt(local));
  }
  const query = queryFor({ network: "NEM", interval: "5m" }, { start: NOON - 4 * STEP, end: NOON }, ["power"]);
  const report = {
    note: () => {},
    progress: (draw?: (width: number) => string) => void shown.push(draw?.(80) ?? "cleared"),
  };
  for await (const _ of followRounds({ query, fetch }, context, report)) if (shown.length > 4) break;
  // A twentieth of the interval after its end.
  expect(shown).toEqual([
    "request",
    "waiting: next request at 12:05:15 network time; stop with Ctrl-C",
    "cleared",
    "request",
    "waiting: next request at 12:10:15 network time; stop with Ctrl-C",
    "cleared",
    "request",
  ]);
});
