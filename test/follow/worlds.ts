/** What services and clocks may do in three hours, and what ents must print in spite of it. */
import fc from "fast-check";
import { expect } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import type { Answer } from "../support/scripted-service.ts";
import { at, grow, type LiveOptions, NOON, readRows, type Reading, STEP } from "./live-service.ts";

const PROVISIONAL = -999;
const NAMES = ["a", "b", "c"];
export const MINUTES = 180;

const minute = fc.integer({ min: 0, max: MINUTES });
const buckets = fc.integer({ min: 0, max: MINUTES / 5 - 4 }).map((index) => at(index * 5));

/** A point that comes late, is restated or withdrawn later, or never comes. */
const oddities = fc.array(
  fc.record({
    series: fc.constantFrom(...NAMES),
    bucket: buckets,
    kind: fc.constantFrom("late", "restated", "never", "withdrawn"),
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

/**
 * Only after a first response, as a refusal before it means a wrong token. The first request may wait for an interval
 * to end.
 */
const FIRST_OUTAGE = 11;
const outages = fc.array(
  fc.record({
    from: fc.integer({ min: FIRST_OUTAGE, max: MINUTES - 40 }),
    length: fc.integer({ min: 1, max: 25 }),
    answer: fc.constantFrom(...ANSWERS),
  }),
  {
    maxLength: 2,
  },
);

const steps = fc.array(fc.record({ from: minute, by: fc.integer({ min: -90, max: 90 }) }), { maxLength: 2 });

/** `created_at`: how many minutes it is ahead, or another value instead of a time. */
const created = fc.oneof(
  fc.constant(0),
  fc.constantFrom("missing" as const, "stale" as const, "still" as const),
  fc.integer({ min: -90, max: 90 }),
);

export const worlds = fc
  .record({
    oddities,
    outages,
    steps,
    /** Seconds from the end of an interval until the service has it. */
    lag: fc.integer({ min: 0, max: 200 }),
    /** Intervals that appear before they have begun (1) or ended (0). */
    forecasts: fc.constantFrom(undefined, 0, 1),
    created,
    start: fc.integer({ min: 0, max: 299 }),
  })
  .map(keepOneClock);

export interface World {
  readonly oddities: readonly {
    readonly series: string;
    readonly bucket: number;
    readonly kind: "late" | "restated" | "never" | "withdrawn";
    readonly by: number;
  }[];
  readonly outages: readonly { readonly from: number; readonly length: number; readonly answer: Answer }[];
  readonly steps: readonly { readonly from: number; readonly by: number }[];
  readonly lag: number;
  readonly forecasts: number | undefined;
  readonly created: number | "missing" | "stale" | "still";
  readonly start: number;
}

/** If no clock were right, nobody could tell the time; then this machine's clock is never fast. */
function keepOneClock(world: World): World {
  const hasForecasts = (world.forecasts ?? 0) > 0;
  const isAhead = typeof world.created === "number" ? world.created > 0 : hasForecasts;
  return isAhead ? { ...world, steps: world.steps.map(({ from, by }) => ({ from, by: -Math.abs(by) })) } : world;
}

function listReadings({ oddities: odd, lag, forecasts }: World): Reading[] {
  const regular = NAMES.flatMap((name) =>
    grow(name, { to: at(MINUTES + 60), lag: forecasts === undefined ? lag * 1000 : 0 }),
  );
  const changed = regular.flatMap((reading) => {
    const found = odd.find(({ series, bucket }) => series === reading.series && bucket === reading.bucket);
    if (found?.kind === "never") return [];
    if (found?.kind === "withdrawn") return [{ ...reading, until: reading.from + found.by * 60_000 }];
    if (found?.kind === "late") return [{ ...reading, from: reading.from + found.by * 60_000 }];
    return found
      ? [reading, { ...reading, value: 1000 + found.by, from: reading.from + found.by * 60_000 }]
      : [reading];
  });
  if (forecasts === undefined) return changed;
  // Values before an interval's end, for intervals that are complete at their end.
  const inTime = changed.filter(({ bucket, from }) => from === bucket + STEP);
  const provisional = inTime.map((reading) => ({
    ...reading,
    value: PROVISIONAL,
    from: reading.bucket - forecasts * STEP + 1000,
  }));
  return [...provisional, ...changed];
}

/** How the service of a world answers. */
export function playWorld(world: World): Omit<LiveOptions, "until"> {
  return {
    readings: listReadings(world),
    start: at(0) + world.start * 1000,
    play: ({ now }) => world.outages.find(({ from, length }) => now >= at(from) && now < at(from + length))?.answer,
    createdAt: (now) => tellCreated(world, now),
  };
}

/** The query that is followed in each world. */
export const FOLLOW = "network NEM -m power -i 5m -s 2025-06-15T11:40 --follow -f csv --retries 1".split(" ");

function tellCreated({ created: told, start }: World, now: number): string | null {
  if (told === "missing") return null;
  if (told === "stale") return "2025-01-01T00:00:00Z";
  const local = told === "still" ? at(0) + start * 1000 : now + told * 60_000;
  return new Date(local - 600 * 60_000).toISOString();
}

/** Expects each interval once, in order, as it was when it came, until shortly before the end. */
export function expectRows(stdout: string, world: World): void {
  const rows = readRows(stdout);
  const keys = rows.map(([minutes, name]) => `${minutes} ${name}`);
  expect(new Set(keys).size).toBe(keys.length);
  const order = rows.map(([minutes, name]) => minutes * 10 + NAMES.indexOf(name));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  const readings = listReadings(world);
  const isOdd = (one: Reading) =>
    world.oddities.some(({ series, bucket }) => series === one.series && bucket === one.bucket);
  for (const [minutes, series, value] of rows) {
    const known = readings
      .filter((one) => one.series === series && one.bucket === at(minutes))
      .map((one) => String(one.value));
    expect(known).toContain(value);
    expect(value).not.toBe(String(PROVISIONAL));
  }
  // What was present when its interval ended, and still is.
  const printedUntil = Math.max(...rows.map(([minutes]) => minutes));
  expect(printedUntil).toBeGreaterThanOrEqual(MINUTES - 30 - lastOutage(world) - lagOfClock(world));
  const due = readings
    .filter((one) => one.value !== PROVISIONAL && !isOdd(one))
    .map(({ series, bucket }) => [(bucket - NOON) / 60_000, series] as const);
  const printable = due
    .filter(([minutes]) => minutes >= -20 && minutes <= printedUntil)
    .map(([minutes, series]) => `${minutes} ${series}`);
  expect(printable.filter((key) => !keys.includes(key))).toEqual([]);
}

/** How long the service may have been down at the end, in minutes. */
function lastOutage({ outages: down }: World): number {
  return Math.max(0, ...down.map(({ from, length }) => from + length - (MINUTES - 30)));
}

/** The newest interval but one began at least this many minutes ago. */
const BEGUN = 10;

/**
 * How many minutes late intervals may be printed if a clock is slow: the whole error if there is no other clock, or if
 * the newest interval but one is in the future for both; otherwise until the newest interval is nearer to the other
 * clock.
 */
function lagOfClock({ steps: jumps, start, created: told }: World): number {
  const skew = jumps.filter(({ from }) => from * 60 <= start).reduce((sum, { by }) => sum + by, 0);
  const service = typeof told === "number" ? told : 0;
  const behind = Math.max(0, -skew, -service);
  const other =
    Math.max(0, service) +
    jumps.reduce((sum, { by }) => sum + Math.abs(by), 0) +
    Math.min(Math.abs(skew), Math.abs(service));
  const isKnown = typeof told === "number" && Math.max(skew, service) >= -BEGUN;
  return isKnown ? Math.min(behind, other + 20) : behind;
}

/** Two more requests, after one and three minutes, before the interval ends. */
const SOONER = 2;

/**
 * One request for each interval and each forward step of the clock. A failing request counts both attempts; an outage
 * adds its earlier retries and the request that finds the service back.
 */
export function countAllowed({ outages: down, steps: jumps }: World): number {
  const failed = down.reduce((sum, { length }) => sum + 2 * (Math.ceil(length / 5) + 1 + SOONER) + 1, 0);
  return Math.ceil((MINUTES * 60_000) / STEP) + 2 + jumps.length + failed;
}
