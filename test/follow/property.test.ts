/** Whatever the service and the clocks do: each bucket once, in order, as it was when it came, and few requests. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import type { Answer } from "../support/scripted-service.ts";
import { runs } from "../support/extent.ts";
import { at, grow, type Live, NOON, readRows, type Reading, startLive, STEP } from "./live-service.ts";

const PROVISIONAL = -999;
const NAMES = ["a", "b", "c"];
const MINUTES = 180;

const minute = fc.integer({ min: 0, max: MINUTES });
const buckets = fc.integer({ min: 0, max: MINUTES / 5 - 4 }).map((index) => at(index * 5));

/** A point that comes late, is restated later, or never comes. */
const oddities = fc.array(
  fc.record({
    series: fc.constantFrom(...NAMES),
    bucket: buckets,
    kind: fc.constantFrom("late", "restated", "never"),
    by: fc.integer({ min: 1, max: 25 }),
  }),
  { maxLength: 12 },
);

const ANSWERS: readonly Answer[] = [
  { status: 503 },
  { instead: "reset" },
  refusal(401, "Authentication failed"),
  { body: "{", status: 200 },
];

const outages = fc.array(
  fc.record({
    from: fc.integer({ min: 6, max: MINUTES - 40 }),
    length: fc.integer({ min: 1, max: 25 }),
    answer: fc.constantFrom(...ANSWERS),
  }),
  {
    maxLength: 2,
  },
);

const steps = fc.array(fc.record({ from: minute, by: fc.integer({ min: -90, max: 90 }) }), { maxLength: 2 });

const worlds = fc.record({
  oddities,
  outages,
  steps,
  /** Seconds from a bucket's end until the service has it. */
  lag: fc.integer({ min: 0, max: 200 }),
  showsProvisional: fc.boolean(),
  createdAt: fc.constantFrom("right", "missing", "stale"),
  start: fc.integer({ min: 0, max: 299 }),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function listReadings({ oddities: odd, lag, showsProvisional }: World): Reading[] {
  const regular = NAMES.flatMap((name) => grow(name, { to: at(MINUTES + 60), lag: showsProvisional ? 0 : lag * 1000 }));
  const changed = regular.flatMap((reading) => {
    const found = odd.find(({ series, bucket }) => series === reading.series && bucket === reading.bucket);
    if (found?.kind === "never") return [];
    if (found?.kind === "late") return [{ ...reading, from: reading.from + found.by * 60_000 }];
    return found ? [reading, { ...reading, value: 1000 + found.by, from: reading.from + found.by * 60_000 }] : [reading];
  });
  // Values of the bucket under way, where the service has those of its end in time.
  const inTime = changed.filter(({ bucket, from }) => showsProvisional && from === bucket + STEP);
  const provisional = inTime.map((reading) => ({ ...reading, value: PROVISIONAL, from: reading.bucket + 1000 }));
  return [...provisional, ...changed];
}

function startWorld(world: World): Promise<Live> {
  const { outages: down, steps: jumps, createdAt } = world;
  const readings = listReadings(world);
  return startLive({
    readings,
    start: at(0) + world.start * 1000,
    until: at(MINUTES),
    play: ({ now }) => down.find(({ from, length }) => now >= at(from) && now < at(from + length))?.answer,
    skew: (now) => jumps.filter(({ from }) => now >= at(from)).reduce((sum, { by }) => sum + by * 60_000, 0),
    ...(createdAt === "right" ? {} : { createdAt: () => (createdAt === "stale" ? "2025-01-01T00:00:00Z" : null) }),
  });
}

/** This machine's clock is behind, and created_at stands still. */
const BOTH_BEHIND: World = {
  oddities: [],
  outages: [],
  steps: [{ from: 0, by: -5 }],
  lag: 0,
  showsProvisional: true,
  createdAt: "stale",
  start: 0,
};

test("each bucket once, in order, as first seen; at most one request an interval", { timeout: runs(60_000, 600_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { run, asked } = await startWorld(world);
      const { code, stdout } = await run([
        "network",
        "NEM",
        "-m",
        "power",
        "-i",
        "5m",
        "-s",
        "2025-06-15T11:40",
        "--follow",
        "-f",
        "csv",
        "--retries",
        "1",
      ]);
      expect(code).toBe(130);
      const rows = readRows(stdout);
      const keys = rows.map(([minutes, name]) => `${minutes} ${name}`);
      expect(new Set(keys).size).toBe(keys.length);
      const order = rows.map(([minutes, name]) => minutes * 10 + NAMES.indexOf(name));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      const readings = listReadings(world);
      const isOdd = (one: Reading) => world.oddities.some(({ series, bucket }) => series === one.series && bucket === one.bucket);
      for (const [minutes, series, value] of rows) {
        const known = readings.filter((one) => one.series === series && one.bucket === at(minutes)).map((one) => String(one.value));
        expect(known).toContain(value);
        expect(value).not.toBe(String(PROVISIONAL));
      }
      // What was there when its bucket ended, and until now.
      const printedUntil = Math.max(...rows.map(([minutes]) => minutes));
      expect(printedUntil).toBeGreaterThanOrEqual(MINUTES - 30 - lastOutage(world) - lagOfClock(world));
      const due = readings
        .filter((one) => one.value !== PROVISIONAL && !isOdd(one))
        .map(({ series, bucket }) => [(bucket - NOON) / 60_000, series] as const);
      const printable = due
        .filter(([minutes]) => minutes >= -20 && minutes <= printedUntil)
        .map(([minutes, series]) => `${minutes} ${series}`);
      expect(printable.filter((key) => !keys.includes(key))).toEqual([]);
      expect(asked.length).toBeLessThanOrEqual(countAllowed(world));
    }),
    { numRuns: runs(3, 400), examples: [[BOTH_BEHIND]] },
  );
});

/** Minutes at the end in which the service may have been down. */
function lastOutage({ outages: down }: World): number {
  return Math.max(0, ...down.map(({ from, length }) => from + length - (MINUTES - 30)));
}

/** Minutes by which this machine's clock is behind from the start, where the service's does not help. */
function lagOfClock({ steps: jumps, start, createdAt }: World): number {
  const ahead = jumps.filter(({ from }) => from * 60 <= start).reduce((sum, { by }) => sum + by, 0);
  return createdAt === "right" ? 0 : Math.max(0, -ahead);
}

/** One an interval, and one for each step of the clock ahead; the attempts of a failing one count. */
function countAllowed({ outages: down, steps: jumps }: World): number {
  const failed = down.reduce((sum, { length }) => sum + 2 * (Math.ceil(length / 5) + 1), 0);
  return Math.ceil((MINUTES * 60_000) / STEP) + 2 + jumps.length + failed;
}
