/** Whatever the service and the clocks do: each bucket once, in order, as it was when it had ended, and few requests. */
import { isDeepStrictEqual } from "node:util";
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
  const { outages: down, createdAt } = world;
  const readings = listReadings(world);
  return startLive({
    readings,
    start: at(0) + world.start * 1000,
    until: at(MINUTES),
    play: ({ now }) => down.find(({ from, length }) => now >= at(from) && now < at(from + length))?.answer,
    marks: true,
    skew: (now) => skewOf(world, now),
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

const COMMAND = ["network", "NEM", "-m", "power", "-i", "5m", "-s", "2025-06-15T11:40", "--follow", "-f", "csv", "--retries", "1"];

test("each bucket once, in order, with the values of the first answer in which it has ended; at most one request an interval", {
  timeout: runs(60_000, 600_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const live = await startWorld(world);
      const { code, stdout } = await live.run(COMMAND);
      expect(code).toBe(130);
      const rows = readRows(stdout).map(([minutes, series, value]) => [minutes, series, Number(value)] as const);
      // An answer is looked at a moment after it was made.
      const [expected, later] = [0, 3000].map((delay) => listExpected(world, live.asked, delay).slice(0, rows.length));
      expect(rows).toEqual(isDeepStrictEqual(rows, later) ? later : expected);
      expect(rows.map(([, , value]) => Math.trunc(value))).not.toContain(PROVISIONAL);
      // Nothing that had ended long ago is missing.
      const printedUntil = Math.max(...rows.map(([minutes]) => minutes));
      expect(printedUntil).toBeGreaterThanOrEqual(MINUTES - 30 - lastOutage(world) - lagOfClock(world));
      expect(live.asked.length).toBeLessThanOrEqual(countAllowed(world));
    }),
    { numRuns: runs(5, 400), examples: [[BOTH_BEHIND]] },
  );
});

type Row = readonly [minutes: number, series: string, value: number];

/**
 * By the rules of docs/architecture.md: a bucket has ended where two of three say so, the service's clock, this machine's, and a
 * later bucket; the newest waits for one answer if a series that has the one before lacks it.
 */
function listExpected(world: World, asked: Live["asked"], delay: number): Row[] {
  const readings = listReadings(world);
  const rows: Row[] = [];
  let last = at(-25);
  let awaited: number | undefined;
  let knowsStale = false;
  for (const [index, { now, start, isGood }] of asked.entries()) {
    if (!isGood) continue;
    const machine = clockOf(world, now + delay);
    const service = world.createdAt === "right" ? now : world.createdAt === "stale" && !knowsStale ? 0 : undefined;
    knowsStale = true;
    const from = Math.max(at(-20), Date.parse(`${start}Z`));
    const there = readings.filter((one) => one.from <= now && one.bucket >= from);
    const has = (name: string, bucket: number) => there.some((one) => one.series === name && one.bucket === bucket);
    const held = [...new Set(there.map(({ bucket }) => bucket))].sort((a, b) => a - b);
    const newest = held.at(-1) ?? 0;
    const isForecast = service !== undefined && newest > Math.max(service, machine);
    const hasEnded = (bucket: number) => {
      const says = [(service ?? 0) >= bucket + STEP, machine >= bucket + STEP, bucket < newest && !isForecast];
      return says.filter(Boolean).length >= 2;
    };
    const unended = held.findIndex((bucket) => !hasEnded(bucket));
    const ended = unended < 0 ? held : held.slice(0, unended);
    const [before = 0, latest = 0] = ended.slice(-2);
    const isLacking = ended.length > 1 && NAMES.some((name) => has(name, before) && !has(name, latest));
    if (isLacking && latest > last && latest !== awaited) awaited = ended.pop();
    for (const bucket of ended.filter((one) => one > last)) {
      for (const name of NAMES) {
        const value = there.findLast((one) => one.series === name && one.bucket === bucket)?.value;
        if (value !== undefined) rows.push([(bucket - NOON) / 60_000, name, Number(`${value}.${String(index).padStart(4, "0")}`)]);
      }
      last = bucket;
    }
  }
  return rows;
}

/** This machine's: a step back does not stop it. */
function clockOf(world: World, now: number): number {
  return now + Math.max(skewOf(world, now), skewOf(world, at(0) + world.start * 1000));
}

function skewOf({ steps: jumps }: World, now: number): number {
  return jumps.filter(({ from }) => now >= at(from)).reduce((sum, { by }) => sum + by * 60_000, 0);
}

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
