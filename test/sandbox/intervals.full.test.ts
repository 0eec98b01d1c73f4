/** Every coarser interval is aggregated from the 5-minute values, and a window in several requests equals the whole. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEASURES } from "../../src/sandbox/series/series.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { intervalStart, nextIntervalStart } from "../../src/time/calendar.ts";
import { DAY, formatLocalTime, formatTimestamp } from "../../src/time/local-time.ts";
import { type ListedInterval, INTERVALS } from "../../src/base/intervals.ts";
import { type Metric, METRICS, NETWORKS } from "../../src/base/vocabulary.ts";
import { askSeries, type Query, startStill, type Value, inTenThousandths } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

type NetworkCode = keyof typeof NETWORKS;

const intervals = Object.keys(INTERVALS) as ListedInterval[];
const offered = (Object.keys(METRICS) as Metric[]).filter((metric) => METRICS[metric].offeredBy.length > 0);
const HOUR = DAY / 24;

function pathOf(metric: Metric, network: NetworkCode): string {
  return METRICS[metric].offeredBy.includes("network") ? `/data/network/${network}` : `/market/network/${network}`;
}

function localOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 19)}Z`);
}

interface Aggregation {
  readonly metric: Metric;
  readonly interval: ListedInterval;
  readonly network: NetworkCode;
}

/** The definition of an interval's value: the mean or sum of the 5-minute values that exist in it. */
function aggregate(points: ReadonlyMap<string, Value>, given: Aggregation): [string, Value][] {
  const buckets = new Map<number, number[]>();
  for (const [timestamp, value] of points) {
    const at = timestampOf(given.interval, localOf(timestamp));
    const values = buckets.get(at) ?? [];
    if (value !== null) values.push(inTenThousandths(value));
    buckets.set(at, values);
  }
  return listTimestamps(given.interval, [...buckets.keys()]).map((at) => {
    const values = buckets.get(at) ?? [];
    const sum = values.reduce((total, value) => total + value, 0);
    const value = MEASURES[given.metric].aggregate === "mean" ? sum / values.length : sum;
    const timestamp = formatTimestamp(at, NETWORKS[given.network].offsetMinutes);
    return [timestamp, values.length === 0 ? null : Math.round(value) / 10_000];
  });
}

/**
 * Adds the seasons between the first and the last, as the service does: a window from December to January has none of
 * their months.
 */
function listTimestamps(interval: ListedInterval, timestamps: readonly number[]): readonly number[] {
  if (interval !== "season" || timestamps.length === 0) return timestamps;
  const filled = [Math.min(...timestamps)];
  while (filled.at(-1)! < Math.max(...timestamps)) filled.push(nextIntervalStart("3M", filled.at(-1)!));
  return filled;
}

/** For each month from January on, the first month of its season's timestamp on the public service (0 is January). */
const SEASONS = [9, 9, 0, 0, 0, 3, 3, 3, 6, 6, 6, 9];

/**
 * The start of the interval, except for financial years (1 January of the year in which one ends) and seasons (a
 * quarter).
 */
function timestampOf(interval: ListedInterval, local: number): number {
  const start = intervalStart(interval, local);
  const at = new Date(local);
  if (interval === "season") return Date.UTC(at.getUTCFullYear(), SEASONS[at.getUTCMonth()], 1);
  return interval === "fy" ? Date.UTC(new Date(start).getUTCFullYear() + 1, 0, 1) : start;
}

/** The service's answer for the interval, and the aggregate of its 5-minute values. */
async function askBoth(given: Aggregation, query: Query) {
  const path = pathOf(given.metric, given.network);
  const grouped = { metrics: given.metric, primary_grouping: "network_region", ...query };
  const fine = await askFine(path, grouped);
  const coarse = await askSeries(sandbox, path, { ...grouped, interval: given.interval });
  return {
    answered: [...coarse].map(([label, points]) => [label, [...points]]),
    expected: [...fine].map(([label, points]) => [label, aggregate(points, given)]),
  };
}

/** Requested once for all intervals. */
const fineSeries = new Map<string, ReturnType<typeof askSeries>>();

function askFine(path: string, query: Query) {
  const key = JSON.stringify([path, query]);
  const series = fineSeries.get(key) ?? askSeries(sandbox, path, { ...query, interval: "5m" });
  fineSeries.set(key, series);
  return series;
}

test.each(intervals)("%s intervals hold the 5-minute values of their time", async (interval) => {
  // The quick windows are as long as the sandbox's memory of days, and contain the starts of all intervals.
  const summer = {
    date_start: "2023-11-25T07:15:00",
    date_end: "2024-01-08T03:25:00",
    network_region: "SA1",
  };
  const turn = {
    date_start: "2021-06-20T10:00:00",
    date_end: "2021-07-08T00:00:00",
  };
  const cases: [Aggregation, Query][] = [
    [{ metric: "energy", interval, network: "NEM" }, summer],
    [{ metric: "price", interval, network: "NEM" }, summer],
    [{ metric: "storage_battery", interval, network: "NEM" }, summer],
    [{ metric: "market_value", interval, network: "AU" }, turn],
    [
      { metric: "power", interval, network: "WEM" },
      { ...turn, secondary_grouping: "fueltech" },
    ],
  ];
  for (const [aggregation, query] of cases) {
    const { answered, expected } = await askBoth(aggregation, query);
    expect(answered).toEqual(expected);
  }
});

/** When the data of a metric begin that the WEM does not have. */
const FIRST_DATA: { readonly [metric in Metric]?: number } = {
  storage_battery: Date.parse("2017-11-27"),
  solar_rooftop_forecast: Date.parse("2025-01-01"),
};

test("every metric, network and interval, over any window", async () => {
  const cases = fc.record({
    metric: fc.constantFrom(...offered),
    interval: fc.constantFrom(...intervals),
    network: fc.constantFrom<NetworkCode[]>("NEM", "WEM", "AU"),
    start: fc.integer({ min: Date.parse("2006-09-25T00:00Z"), max: Date.parse("2026-02-01T00:00Z") }),
    length: fc.integer({ min: 0, max: 9 * DAY }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ metric, interval, network, start, length }) => {
      const onlyNem = metric.startsWith("flow") || metric in FIRST_DATA;
      if ((network === "WEM" && onlyNem) || start < (FIRST_DATA[metric] ?? 0)) return;
      const window = { date_start: formatLocalTime(start), date_end: formatLocalTime(start + length + HOUR) };
      const { answered, expected } = await askBoth({ metric, interval, network }, window);
      expect(answered).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
