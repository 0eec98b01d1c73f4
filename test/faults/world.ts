/**
 * A made-up electricity network: every response is a pure function of the request, so any split of a window must give
 * the same rows.
 */
import { DAY, formatLocalTime, formatTimestamp, type LocalTime, MINUTE } from "../../src/time/local-time.ts";

interface WorldSeries {
  readonly labels: Readonly<Record<string, string | boolean>>;
  /** Start (included) and end (excluded) of its data; unlimited by default. */
  readonly from?: LocalTime;
  readonly to?: LocalTime;
  /** Milliseconds between its readings, if they are further apart. */
  readonly every?: number;
  /** A period without data: start (included) and end (excluded). */
  readonly away?: readonly [from: LocalTime, to: LocalTime];
  /** Every timestamp occurs twice, with two values. */
  readonly repeats?: boolean;
  /** Has only these metrics. */
  readonly metrics?: readonly string[];
}

export interface World {
  readonly interval: string;
  /** Milliseconds between the readings that intervals sum up. */
  readonly step: number;
  /** The interval of a reading, by its timestamp. */
  readonly intervalOf: (local: LocalTime) => LocalTime;
  readonly timestampOf: (bucket: LocalTime) => LocalTime;
  /** Whether a window includes a reading at `date_end`, as the contract says; the public service excludes it. */
  readonly inclusive: boolean;
  /** Whether every interval between a series' first and last point is present, with null for no data. */
  readonly fills: boolean;
  /** Whether one value in nine is null in the data. */
  readonly nulls: boolean;
  readonly series: readonly WorldSeries[];
  /** No series has data from the first (included) to the second (excluded). */
  readonly gaps: readonly (readonly [from: LocalTime, to: LocalTime])[];
  /** The `date_end` of a request without one. */
  readonly now: LocalTime;
}

export const JANUARY = Date.UTC(2025, 0, 1);
export const HOUR = 60 * MINUTE;

/** Hours after the start of January 2025. */
export const hours = (count: number): LocalTime => JANUARY + count * HOUR;

export const WORLD: World = {
  interval: "5m",
  step: 5 * MINUTE,
  intervalOf: (local) => local - (local % (5 * MINUTE)),
  timestampOf: (bucket) => bucket,
  inclusive: true,
  fills: true,
  nulls: true,
  series: [
    { labels: { region: "NSW1", renewable: false } },
    { labels: { region: "VIC1", renewable: true }, from: hours(1.5), to: hours(5.25) },
    { labels: { region: "QLD1", renewable: true }, from: hours(3) },
    { labels: { region: "=SUM(A1)", renewable: false }, to: hours(2), metrics: ["energy"] },
  ],
  gaps: [],
  now: JANUARY + 30 * DAY,
};

/** Intervals of a fixed length, one of which starts at `phase`. */
export const intervalsOf =
  (length: number, phase = 0): World["intervalOf"] =>
  (local) =>
    local - ((((local - phase) % length) + length) % length);

interface Point {
  readonly timestamp: string;
  /** JSON text. */
  readonly value: string;
}

/** The body of a response, as JSON text with two decimals; undefined if there is no data. */
export function answerQuery(world: World, url: string): string | undefined {
  const query = new URL(url, "http://localhost").searchParams;
  const window = {
    start: readMoment(query.get("date_start")) ?? JANUARY,
    end: readMoment(query.get("date_end")) ?? world.now,
  };
  const asked = { world, window, timestamps: world.fills ? listTimestamps(world, window) : [] };
  const items = query
    .getAll("metrics")
    .flatMap((metric) => formatItem(metric, listSeries(world, query, metric), asked));
  return items.length === 0
    ? undefined
    : `{"version":"4.5.1","created_at":"2025-02-01T00:00:00Z","success":true,"error":null,"data":[${items.join(",")}],"total_records":null}`;
}

export function readMoment(text: string | null): LocalTime | undefined {
  return text === null ? undefined : Date.parse(`${text}Z`);
}

/** The series of the requested codes; all series if the request has none. */
function listSeries({ series }: World, query: URLSearchParams, metric: string): WorldSeries[] {
  const codes = query.getAll("unit_code").map((unit_code): WorldSeries => ({ labels: { unit_code } }));
  return (codes.length > 0 ? codes : series).filter(({ metrics }) => metrics?.includes(metric) ?? true);
}

interface Period {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

interface Asked {
  readonly world: World;
  readonly window: Period;
  /** Timestamps of which a series has all between its first and its last. */
  readonly timestamps: readonly string[];
}

function listTimestamps(world: World, { start, end }: Period): string[] {
  const buckets = new Set<LocalTime>();
  for (let local = world.intervalOf(start); local <= end; local += world.step) buckets.add(world.intervalOf(local));
  return Array.from(buckets, (bucket) => writeTimestamp(world.timestampOf(bucket)));
}

/** A cache, as many responses have the same timestamps. */
const timestampTexts = new Map<LocalTime, string>();

function writeTimestamp(local: LocalTime): string {
  const known = timestampTexts.get(local);
  if (known !== undefined) return known;
  const text = formatTimestamp(local, 600);
  timestampTexts.set(local, text);
  return text;
}

function formatItem(metric: string, series: readonly WorldSeries[], asked: Asked): string[] {
  const { world } = asked;
  const filled = series
    .map((one) => ({ one, points: listPoints(metric, one, asked) }))
    .filter(({ points }) => points.length > 0);
  if (filled.length === 0) return [];
  const all = filled.flatMap(({ points }) => [findEnd(points, -1), findEnd(points, 1)]);
  const ends = [findEnd(all, -1), findEnd(all, 1)];
  const results = filled.map(({ one: { labels }, points }) => {
    const name = JSON.stringify([metric, ...Object.values(labels).map(String)].join("_"));
    const data = points.map(({ timestamp, value }) => `["${timestamp}",${value}]`).join(",");
    return `{"name":${name},${formatEnds(ends)},"columns":${JSON.stringify(labels)},"data":[${data}]}`;
  });
  return [
    `{"network_code":"NEM","metric":"${metric}","unit":"MW","interval":"${world.interval}",${formatEnds(ends)},"groupings":[],` +
      `"results":[${results.join(",")}],"network_timezone_offset":"+10:00"}`,
  ];
}

/** The point with the earliest (-1) or the latest (1) timestamp. */
function findEnd(points: readonly Point[], side: -1 | 1): Point {
  return points.reduce((end, point) =>
    point.timestamp === end.timestamp || point.timestamp < end.timestamp === side > 0 ? end : point,
  );
}

/** The ends of a series; the public service gives those of the whole TimeSeries. */
function formatEnds(points: readonly Point[]): string {
  return `"date_start":"${points[0]?.timestamp}","date_end":"${points.at(-1)?.timestamp}"`;
}

function listPoints(metric: string, series: WorldSeries, { world, window, timestamps }: Asked): Point[] {
  const { step } = world;
  const gaps = series.away ? [...world.gaps, series.away] : world.gaps;
  const isMissing = (local: LocalTime) =>
    local % (series.every ?? 1) !== 0 ||
    local < (series.from ?? local) ||
    local >= (series.to ?? Infinity) ||
    gaps.some(([from, to]) => local >= from && local < to);
  const seed = hash(JSON.stringify([metric, series.labels]));
  const buckets = new Map<LocalTime, number>();
  for (let local = Math.ceil(window.start / step) * step; local <= window.end; local += step) {
    if (isMissing(local) || (local === window.end && !world.inclusive)) continue;
    const bucket = world.intervalOf(local);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + (mix(seed, local) % 100_000));
  }
  const points = [...buckets].flatMap(([bucket, sum]) => {
    const timestamp = writeTimestamp(world.timestampOf(bucket));
    const isNull = world.nulls && mix(seed, bucket) % 9 === 0;
    const values = series.repeats ? [sum, sum + 7] : [sum];
    return values.map((value) => ({ timestamp, value: isNull ? "null" : (value / 100).toFixed(2) }));
  });
  return fillGaps(points, timestamps);
}

function fillGaps(points: readonly Point[], timestamps: readonly string[]): Point[] {
  const [first = "", last = ""] = [points[0]?.timestamp, points.at(-1)?.timestamp];
  const present = new Set(points.map(({ timestamp }) => timestamp));
  const nulls = timestamps
    .filter((timestamp) => timestamp > first && timestamp < last && !present.has(timestamp))
    .map((timestamp) => ({ timestamp, value: "null" }));
  return nulls.length === 0
    ? [...points]
    : [...points, ...nulls].toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}

/** An integer for an instant. */
function mix(seed: number, local: LocalTime): number {
  const value = Math.imul(seed ^ (local / MINUTE), 0x9e3779b1);
  return (value ^ (value >>> 15)) >>> 0;
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** `2025-01-01T03:00:00`, as the end of a window is sent. */
export const moment = formatLocalTime;
