/**
 * Random windows, limits and queries for the plan's properties, and facts about intervals computed without the code
 * under test.
 */
import fc from "fast-check";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import type { Parameter } from "../../src/query/parameters.ts";
import type { Query } from "../../src/query/query.ts";
import type { Window } from "../../src/query/window.ts";
import { addDuration, type Duration, durationMs } from "../../src/time/duration.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import { nextIntervalStart } from "../../src/time/calendar.ts";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { INTERVAL_NAMES, KNOWN } from "../support/intervals.ts";
import { intervals } from "../unit/generators.ts";

const DAY = 86_400_000;

export const NOW = Date.parse("2026-03-15T04:05:06Z");

/** The wall clock of NEM at `NOW`. */
export const NEM_NOW = Date.parse("2026-03-15T14:05:06Z");

/** The longest period that is never split, in days: an interval, or a year of seasons. */
export const LONGEST_BUCKET = Object.fromEntries(
  INTERVAL_NAMES.map((interval) => {
    const { rule } = KNOWN[interval];
    if ("ms" in rule) return [interval, rule.ms / DAY];
    return [
      interval,
      rule.months === 12 || interval === "season" ? 366 : 31 * rule.months - Math.floor(rule.months / 2),
    ];
  }),
) as Readonly<Record<ListedInterval, number>>;

/** Whether a window may be split at this instant of network time: at an interval start, or for seasons at a year's. */
export function isSplit(interval: ListedInterval, local: number): boolean {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) return (local - rule.from) % rule.ms === 0;
  const month = new Date(local).getUTCMonth();
  const isFirst = local % DAY === 0 && new Date(local).getUTCDate() === 1;
  return isFirst && (interval === "season" ? month === 0 : (month + 12 - rule.from) % rule.months === 0);
}

/** Any instants, and some near changes of clocks and calendars. */
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1998, 0) / 1000, max: Date.UTC(2032, 0) / 1000 }).map((second) => second * 1000),
  fc
    .record({
      year: fc.integer({ min: 1998, max: 2031 }),
      month: fc.integer({ min: 0, max: 11 }),
      day: fc.constantFrom(1, 2, 28, 29, 30, 31),
      off: fc.constantFrom(0, 0, 0, 1, -1, 300, -300, 3600),
    })
    .map(({ year, month, day, off }) => Date.UTC(year, month, day) + off * 1000),
);

export interface Cutting {
  readonly interval: ListedInterval;
  readonly start: number;
  readonly end: number;
  readonly maxWindow: Duration;
}

/** Units and their lengths in days. */
const UNITS: readonly [unit: Duration["unit"], length: number][] = [
  ["minutes", 1 / 1440],
  ["hours", 1 / 24],
  ["days", 1],
  ["weeks", 7],
  ["months", 28],
  ["years", 365],
];
const MOST_BUCKETS = 2500;

/** A limit of about this many intervals, in a unit that people use. */
function limitsOf(interval: ListedInterval): fc.Arbitrary<Duration> {
  const days = LONGEST_BUCKET[interval];
  const units = UNITS.filter(([, length]) => length <= days * MOST_BUCKETS);
  return fc
    .record({ unit: fc.constantFrom(...units), buckets: fc.double({ min: 0.5, max: 12, noNaN: true }) })
    .map(({ unit: [unit, length], buckets }) => ({ unit, amount: Math.max(1, Math.round((buckets * days) / length)) }));
}

/** Any window of any interval with any limit: up to forty times the limit, exactly the limit, or empty. */
export const cuttings: fc.Arbitrary<Cutting> = intervals.chain((interval) =>
  fc
    .record({
      start: instants,
      maxWindow: limitsOf(interval),
      times: fc.double({ min: 0, max: 40, noNaN: true }),
      off: fc.integer({ min: -1, max: 1 }),
    })
    .map(({ start, maxWindow, times, off }) => {
      const limit = addDuration(start, maxWindow) - start;
      const length = off === 0 ? limit : Math.round((limit * times) / 1000) * 1000 + off * 1000;
      return { interval, start, end: start + Math.max(0, length), maxWindow };
    }),
);

/**
 * The calendar's splits inside a window, found by walking from interval to interval since 1970; undefined if an
 * interval does not fit.
 */
export function cutByWalking(cutting: Cutting): number[] | undefined {
  const { interval, start, end, maxWindow } = cutting;
  if (end <= addDuration(start, maxWindow)) return [];
  const first = findFirstInterval(interval);
  const second = walk(cutting, first) ?? nextSplit(interval, first);
  const isSteady = durationMs({ amount: 1, unit: maxWindow.unit }) !== undefined && LONGEST_BUCKET[interval] <= 7;
  const cuts: number[] = [];
  const step = isSteady ? second - first : Number.POSITIVE_INFINITY;
  for (let cut = isSteady ? first + Math.floor((start - first) / step) * step : first; cut < end; ) {
    if (cut > start) cuts.push(cut);
    const next = walk(cutting, cut) ?? nextSplit(interval, cut);
    // Before the window, an interval longer than the limit does not matter.
    if (Math.min(next, end) > addDuration(Math.max(cut, start), maxWindow)) return undefined;
    cut = next;
  }
  return cuts;
}

/** The last interval start within the limit; undefined if there is none. */
function walk({ interval, maxWindow }: Cutting, from: number): number | undefined {
  const limit = addDuration(from, maxWindow);
  let last: number | undefined;
  for (let next = nextSplit(interval, from); next <= limit; next = nextSplit(interval, next)) last = next;
  return last;
}

/** The next place where a window may be split. */
export function nextSplit(interval: ListedInterval, local: number): number {
  return nextIntervalStart(interval === "season" ? "1y" : interval, local);
}

/** The start of the interval, or of the year of seasons, that contains the start of 1970. */
function findFirstInterval(interval: ListedInterval): number {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) return rule.from > 0 ? rule.from - rule.ms : 0;
  return interval === "season" || rule.from % rule.months === 0 ? 0 : Date.UTC(1970, rule.from - 12);
}

/** A query for a window, with parameters before and after it. */
export function queryOf(window: Window, interval: ListedInterval | undefined, more: Partial<Query> = {}): Query {
  const ends = { date_start: window.start, date_end: window.end };
  const parameters: Parameter[] = [
    { name: "metrics", values: ["power", "energy"] },
    ...(interval === undefined ? [] : [{ name: "interval", values: [interval] }]),
    ...Object.entries(ends).flatMap(([name, local]) =>
      local === undefined ? [] : [{ name, values: [formatLocalTime(local)] }],
    ),
    { name: "network_region", values: ["NSW1"] },
    { name: "fueltech", values: ["coal_black", "wind & sun"] },
  ];
  return { command: "network", network: "NEM", metrics: ["power", "energy"], interval, window, parameters, ...more };
}

/** The name and value of every parameter of a request, in order. */
export function readParameters({ path }: Pick<PlannedRequest, "path">): [name: string, value: string][] {
  return [...new URLSearchParams(path.slice(path.indexOf("?")))];
}
