/** Series in a window of twelve intervals: the model, and the same as a decoded response. */
import fc from "fast-check";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { decodeBody, decodeFully } from "../../src/decode/decode.ts";
import type { Query } from "../../src/query/query.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { splitTimeSeries } from "../../src/series/overlap.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { intervalAround } from "../merge/model-intervals.ts";
import { queryFor } from "../merge/cases.ts";
import { intervals } from "./generators.ts";

export const OFFSET = 600 * 60_000;
/** All intervals have ended by then. */
export const LATER = Date.UTC(2100, 0);

interface Model {
  readonly region: string;
  /** An interval by its index in the window, and its value in thousandths. */
  readonly points: readonly (readonly [bucket: number, thousandths: number | null])[];
}

export interface Drawn {
  readonly interval: ListedInterval;
  readonly buckets: readonly number[];
  readonly series: readonly Model[];
  /** The interval indexes at which chunks are split. */
  readonly cuts: readonly number[];
  readonly plain: boolean;
}

const points = fc
  .array(fc.tuple(fc.nat(11), fc.option(fc.integer({ min: -20_000_000, max: 20_000_000 }), { nil: null })), {
    maxLength: 12,
  })
  .map((all) => all.toSorted(([a], [b]) => a - b));

/** Up to three series in twelve intervals. */
export const drawn: fc.Arbitrary<Drawn> = fc
  // Seasons do not tile time.
  .record({
    interval: intervals.filter((interval) => interval !== "season"),
    day: fc.integer({ min: 12_000, max: 20_000 }),
  })
  .chain(({ interval, day }) =>
    fc.record({
      interval: fc.constant(interval),
      buckets: fc.constant(listStarts(interval, day * 86_400_000)),
      series: fc.uniqueArray(fc.record({ region: fc.constantFrom("NSW1", "QLD1", "SA1"), points }), {
        selector: ({ region }) => region,
      }),
      cuts: fc.array(fc.nat(11), { maxLength: 3 }).map((cuts) => cuts.toSorted((a, b) => a - b)),
      plain: fc.boolean(),
    }),
  );

export function listStarts(interval: ListedInterval, near: number): number[] {
  const starts: number[] = [];
  for (let at = near; starts.length < 12; ) {
    const [start, next] = intervalAround(interval, at);
    starts.push(start);
    at = next;
  }
  return starts;
}

function decode({ interval, buckets, series, plain }: Drawn): readonly TimeSeries[] {
  const results = series.map(({ region, points: pairs }) => {
    const data = pairs.map(
      ([bucket, value]) =>
        `["${new Date(buckets[bucket] as number).toISOString().slice(0, 19)}+10:00",${print(value)}]`,
    );
    return `{"name":"${region}","columns":{"region":"${region}"},"data":[${data.join(",")}]}`;
  });
  const item = `{"network_code":"NEM","metric":"energy","unit":"MWh","interval":"${interval}","results":[${results.join(",")}]}`;
  const body = Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`);
  const answer = (plain ? decodeFully : decodeBody)(body);
  if (!isKnown(answer)) throw answer.problem;
  return answer.timeSeries;
}

function print(thousandths: number | null): string {
  return thousandths === null ? "null" : (thousandths / 1000).toFixed(3);
}

export function windowOf({ interval, buckets }: Drawn): Query {
  return queryFor(
    { network: "NEM", interval },
    { start: buckets[0] as number, end: (buckets.at(-1) as number) + 1000 },
    ["energy"],
  );
}

/** Their answer in chunks. */
export function listChunks(all: Drawn): (readonly TimeSeries[])[] {
  const chunks: (readonly TimeSeries[])[] = [];
  let rest = decode(all);
  for (const cut of all.cuts) {
    const [before, after] = splitTimeSeries(rest, (all.buckets[cut] as number) - OFFSET);
    chunks.push(before);
    rest = after;
  }
  return [...chunks, rest];
}
