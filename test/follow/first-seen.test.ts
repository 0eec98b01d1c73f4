/**
 * --follow prints an interval as in the first response after its end, whatever arrives late, is restated or withdrawn.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { at, type Live, NOON, readRows, type Reading, startLive, STEP } from "./live-service.ts";
import { FOLLOW, MINUTES, playWorld, type World, worlds } from "./worlds.ts";

/** Their clocks are right, so the end of an interval is certain. */
const punctual = worlds.map((world): World => ({ ...world, steps: [], created: 0 }));

type Row = readonly [minutes: number, series: string, value: string];

test("all series of an interval are from one response", async () => {
  await fc.assert(
    fc.asyncProperty(punctual, async (world) => {
      const { readings, ...playing } = playWorld(world) as { readonly readings: readonly Reading[] };
      const mark = (now: number) => readings.map((one): Reading => ({ ...one, value: markValue(one.value, now) }));
      const { run, asked } = await startLive({ ...playing, readings: mark, until: at(MINUTES) });
      const rows = readRows((await run(FOLLOW)).stdout);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(listFirstSeen(world, readings, asked).slice(0, rows.length));
    }),
    { numRuns: draws(3, 200) },
  );
});

/** The decimals hold the time of the response. */
function markValue(value: number | null, now: number): number | null {
  return value === null ? null : Number(`${value}.${String(Math.round(now - NOON)).padStart(8, "0")}1`);
}

/** If the newest interval lacks a series that the previous one has, it waits for one more response. */
function listFirstSeen({ outages }: World, readings: readonly Reading[], asked: Live["asked"]): Row[] {
  const rows: Row[] = [];
  let last = at(-25);
  let awaited: number | undefined;
  for (const { now, start } of asked) {
    if (outages.some(({ from, length }) => now >= at(from) && now < at(from + length))) continue;
    const from = Date.parse(`${start}Z`);
    const there = readings.filter(
      (one) => one.from <= now && (one.until ?? Infinity) > now && one.bucket >= from && one.bucket + STEP <= now,
    );
    const find = (series: string, bucket: number) =>
      there.findLast((one) => one.series === series && one.bucket === bucket);
    const names = [...new Set(there.map(({ series }) => series))].sort();
    const ended = [...new Set(there.map(({ bucket }) => bucket))].sort((a, b) => a - b);
    const [before = 0, newest = 0] = ended.slice(-2);
    const isLacking = names.some((name) => find(name, before) && !find(name, newest));
    if (isLacking && newest > last && newest !== awaited) awaited = ended.pop();
    for (const bucket of ended.filter((one) => one > last)) {
      last = bucket;
      for (const name of names) {
        const found = find(name, bucket);
        if (found) rows.push([(bucket - NOON) / 60_000, name, String(markValue(found.value, now))]);
      }
    }
  }
  return rows;
}
