/** What services and clocks may do in three hours, and what ents must print all the same. */
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

/** Not before the service has answered: who is refused at once has a wrong token. The first request may wait for a bucket to end. */
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

/** `created_at`: minutes by which it is ahead, or what it is instead of a clock. */
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
    /** Seconds from a bucket's end until the service has it. */
    lag: fc.integer({ min: 0, max: 200 }),
    /** Buckets that are there before they have begun, or (0) have ended. */
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

/** Where nothing tells the time truly, nobody could: then this machine's clock is never ahead. */
function keepOneClock(world: World): World {
  const hasForecasts = (world.forecasts ?? 0) > 0;
  const isAhead = typeof world.created === "number" ? world.created > 0 : hasForecasts;
  return isAhead ? { ...world, steps: world.steps.map(({ from, by }) => ({ from, by: -Math.abs(by) })) } : world;
}

function listReadings({ oddities: odd, lag, forecasts }: World): Reading[] {
  const regular = NAMES.flatMap((name) => grow(name, { to: at(MINUTES + 60), lag: forecasts === undefined ? lag * 1000 : 0 }));
  const changed = regular.flatMap((reading) => {
    const found = odd.find(({ series, bucket }) => series === reading.series && bucket === reading.bucket);
    if (found?.kind === "never") return [];
    if (found?.kind === "withdrawn") return [{ ...reading, until: reading.from + found.by * 60_000 }];
    if (found?.kind === "late") return [{ ...reading, from: reading.from + found.by * 60_000 }];
    return found ? [reading, { ...reading, value: 1000 + found.by, from: reading.from + found.by * 60_000 }] : [reading];
  });
  if (forecasts === undefined) return changed;
  // Values before a bucket's end, where the service has those of its end in time.
  const inTime = changed.filter(({ bucket, from }) => from === bucket + STEP);
  const provisional = inTime.map((reading) => ({ ...reading, value: PROVISIONAL, from: reading.bucket - forecasts * STEP + 1000 }));
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

/** The query that is followed in each of them. */
export const FOLLOW = "network NEM -m power -i 5m -s 2025-06-15T11:40 --follow -f csv --retries 1".split(" ");

function tellCreated({ created: told, start }: World, now: number): string | null {
  if (told === "missing") return null;
  if (told === "stale") return "2025-01-01T00:00:00Z";
  const local = told === "still" ? at(0) + start * 1000 : now + told * 60_000;
  return new Date(local - 600 * 60_000).toISOString();
}

/** Each bucket once, in order, as it was when it came, until shortly before the end. */
export function expectRows(stdout: string, world: World): void {
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
  const printable = due.filter(([minutes]) => minutes >= -20 && minutes <= printedUntil).map(([minutes, series]) => `${minutes} ${series}`);
  expect(printable.filter((key) => !keys.includes(key))).toEqual([]);
}

/** Minutes at the end in which the service may have been down. */
function lastOutage({ outages: down }: World): number {
  return Math.max(0, ...down.map(({ from, length }) => from + length - (MINUTES - 30)));
}

/** Minutes ago, at least, at which the newest bucket but one began. */
const BEGUN = 10;

/**
 * Minutes by which buckets may come late for a clock that is behind: all of it where there is no other, or the newest bucket but
 * one is in the future of both; else until the newest bucket is nearer to the other.
 */
function lagOfClock({ steps: jumps, start, created: told }: World): number {
  const skew = jumps.filter(({ from }) => from * 60 <= start).reduce((sum, { by }) => sum + by, 0);
  const service = typeof told === "number" ? told : 0;
  const behind = Math.max(0, -skew, -service);
  const other = Math.max(0, service) + jumps.reduce((sum, { by }) => sum + Math.abs(by), 0) + Math.min(Math.abs(skew), Math.abs(service));
  const isKnown = typeof told === "number" && Math.max(skew, service) >= -BEGUN;
  return isKnown ? Math.min(behind, other + 20) : behind;
}

/** Requests after one and after three minutes, which are due before the interval is over. */
const SOONER = 2;

/**
 * One an interval, and one for each step of the clock ahead. Of a failing one both attempts count, and an outage has those that
 * ask sooner; the one that finds the service back is one more.
 */
export function countAllowed({ outages: down, steps: jumps }: World): number {
  const failed = down.reduce((sum, { length }) => sum + 2 * (Math.ceil(length / 5) + 1 + SOONER) + 1, 0);
  return Math.ceil((MINUTES * 60_000) / STEP) + 2 + jumps.length + failed;
}
