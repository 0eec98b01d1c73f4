/** Computes with the values of other intervals or series: `--minus`, then `--rolling`, then `--compare`. */
import type { JsonObject } from "../../base/json.ts";
import { findRule } from "../../base/intervals.ts";
import { findFirstPrinted, type Transforms } from "../../query/transforms.ts";
import type { Query } from "../../query/query.ts";
import { DAY } from "../../time/local-time.ts";
import { type Chunk, yieldJoined } from "../merge.ts";
import { findFirstInstant } from "../overlap.ts";
import { lowerBound, slicePoints, timestampAt } from "../point-operations.ts";
import type { Points } from "../points.ts";
import { DATE_RANGE, findOffsetMs, keySeries, mapPoints, type Series, type TimeSeries } from "../time-series.ts";
import type { ComputeOptions } from "../computed/compute.ts";
import { checkChunk } from "../analyses/analysis.ts";
import { EarlierValues, FIGURES } from "./compare.ts";
import { Difference } from "./minus.ts";
import { Rolling } from "./rolling.ts";
import { SeriesClock } from "./series-clock.ts";

type TransformedQuery = Query & { readonly transforms: Transforms };

/** Transforms chunk by chunk, and leaves out what is before the window. Keeps what the longest duration needs. */
export async function* transformChunks(
  chunks: AsyncIterable<Chunk>,
  query: TransformedQuery,
  { collects, warn }: Pick<ComputeOptions, "collects" | "warn">,
): AsyncGenerator<Chunk> {
  const { minus, rolling, compare } = query.transforms;
  const difference = minus && new Difference(minus);
  const rolled = rolling && new EachSeries(query, (clock, item) => new Rolling(rolling, clock, item));
  const compared = compare && new EachSeries(query, (clock) => new EarlierValues(compare, clock));
  for await (const chunk of collects ? yieldJoined(chunks) : chunks) {
    checkChunk(chunk);
    let timeSeries = difference ? difference.subtract(chunk.timeSeries) : chunk.timeSeries;
    if (rolled)
      timeSeries = rolled
        .map(timeSeries, (of, series) => [{ ...series, points: of.roll(series.points) }])
        .map((item) => ({ ...item, addsUp: false }));
    if (compared)
      timeSeries = compared.map(timeSeries, (of, series) => {
        const figures = of.compare(series.points);
        return [series, ...FIGURES.map((figure, index) => ({ ...series, figure, points: figures[index] as Points }))];
      });
    yield { ...chunk, timeSeries: cutLead(timeSeries, query) };
  }
  if (difference?.problem !== undefined) warn(difference.problem);
}

/** What is kept of each series from chunk to chunk. */
class EachSeries<T> {
  readonly #query: Query;
  readonly #create: (clock: SeriesClock, item: TimeSeries) => T;
  readonly #kept = new Map<string, T>();

  constructor(query: Query, create: (clock: SeriesClock, item: TimeSeries) => T) {
    this.#query = query;
    this.#create = create;
  }

  map(timeSeries: readonly TimeSeries[], change: (of: T, series: Series) => Series[]): TimeSeries[] {
    const made = new Map<TimeSeries, Series[]>(timeSeries.map((item) => [item, []]));
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      if (series.points.instants.length === 0) {
        made.get(item)?.push(series);
        continue;
      }
      const kept = this.#kept.get(key) ?? this.#create(new SeriesClock(item, this.#query), item);
      this.#kept.set(key, kept);
      made.get(item)?.push(...change(kept, series));
    }
    return Array.from(made, ([item, series]) => ({ ...item, series }));
  }
}

const HALF_DAY = DAY / 2;

function cutLead(timeSeries: readonly TimeSeries[], { lead, earlier, interval, window }: Query): TimeSeries[] {
  if ((lead === undefined && !earlier) || interval === undefined) return [...timeSeries];
  const first = findFirstPrinted(interval, window.start ?? 0);
  const early = "months" in findRule(interval) ? HALF_DAY : 0;
  return timeSeries.map((item) => {
    const start = first - (findOffsetMs(item.network, [item]) ?? 0) - early;
    const [cut] = mapPoints([item], ({ points }) => slicePoints(points, lowerBound(points, start))) as [TimeSeries];
    const instant = findFirstInstant([cut]);
    const one = cut.series.find(({ points }) => points.instants[0] === instant);
    return one ? startAt(cut, timestampAt(one.points, 0)) : cut;
  });
}

/** With the fields that say where the points begin. */
function startAt(item: TimeSeries, timestamp: string): TimeSeries {
  const move = (fields: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, STARTS.includes(name) ? timestamp : value]),
    );
  const series = item.series.map((one) => ({ ...one, fields: move(one.fields) }));
  return { ...item, fields: move(item.fields), series };
}

const STARTS = DATE_RANGE.filter((name) => name.endsWith("start"));
