/** What is new in the chunks of a round that takes several requests. */
import { expect, test } from "vitest";
import { Tracker } from "../../src/job/follow/tracker.ts";
import type { Chunk } from "../../src/series/merge.ts";
import { MINUTE } from "../../src/time/local-time.ts";
import { queryFor } from "../merge/cases.ts";
import { at, NOON, stamp, STEP } from "./live-service.ts";

const NEM = 600 * MINUTE;

/** Of an answer that was made at such a minute, with the buckets of these. */
function chunkOf(created: number, ...minutes: readonly number[]): Chunk {
  const instants = minutes.map((one) => at(one) - NEM);
  const points = { stamps: minutes.map((one) => stamp(at(one))), instants, values: minutes.map(String) };
  const item = { fields: {}, network: "NEM", metric: "power", unit: "MW", series: [{ fields: {}, labels: {}, points }] };
  return { heads: [{ envelope: { created_at: stamp(at(created)) }, hasData: true }], timeSeries: [item] };
}

test("after a bucket that has not ended, no later one is given out, though it may have ended by the time that it comes", () => {
  const tracker = new Tracker(queryFor({ network: "NEM", interval: "5m" }, { start: NOON, end: NOON + STEP }, ["power"]));
  const take = (created: number, continues: boolean, ...minutes: readonly number[]) => {
    const { fresh } = tracker.take(chunkOf(created, ...minutes), { now: at(created) - NEM, continues });
    return fresh.timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => points.values));
  };
  tracker.startRound();
  expect(take(14, true, 0, 5, 10)).toEqual(["0", "5"]);
  expect(take(21, false, 15)).toEqual([]);
  tracker.startRound();
  expect(take(26, false, 0, 5, 10, 15, 20)).toEqual(["10", "15", "20"]);
});
