/** Finds what is new in a response. */
import { expect, test } from "vitest";
import { Tracker } from "../../src/follow/tracker.ts";
import type { Chunk } from "../../src/series/merge.ts";
import { MINUTE } from "../../src/time/local-time.ts";
import { queryFor } from "../merge/cases.ts";
import { at, NOON, timestamp, STEP } from "./live-service.ts";

const NEM = 600 * MINUTE;

/** A response made at a minute, with the intervals of these minutes. */
function chunkOf(created: number, ...minutes: readonly number[]): Chunk {
  const instants = minutes.map((one) => at(one) - NEM);
  const points = { timestamps: minutes.map((one) => timestamp(at(one))), instants, values: minutes.map(String) };
  const item = {
    fields: {},
    network: "NEM",
    metric: "power",
    unit: "MW",
    series: [{ fields: {}, labels: {}, points }],
  };
  return { heads: [{ envelope: { created_at: timestamp(at(created)) }, hasData: true }], timeSeries: [item] };
}

test("an interval that had not ended when its response was made is printed from a later one, with that one's values", () => {
  const tracker = new Tracker(
    queryFor({ network: "NEM", interval: "5m" }, { start: NOON, end: NOON + STEP }, ["power"]),
  );
  const take = (created: number, ...minutes: readonly number[]) => {
    const { fresh } = tracker.take(chunkOf(created, ...minutes), at(created) - NEM) ?? { fresh: { timeSeries: [] } };
    return fresh.timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => points.values));
  };
  expect(take(14, 0, 5, 10)).toEqual(["0", "5"]);
  expect(take(26, 0, 5, 10, 15, 20)).toEqual(["10", "15", "20"]);
});
