/**
 * A v4 service in memory: answers are a pure function of its model and the request. Every interval is the sum of its
 * values, one a minute, inside the window, so an interval that the window cuts is partial.
 */
import type { ListedInterval } from "../../src/base/intervals.ts";
import { labelOf, listIntervals, ordinalOf, STEP } from "./model-intervals.ts";

/** Minutes since 1970 in network time, from the first (included) to the last (excluded). */
export type Steps = readonly [from: number, to: number];

export interface ModelSeries {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string | boolean>>;
  /** When there are values; disjoint, in order. */
  readonly present: readonly Steps[];
  /** When the values are null. */
  readonly nulls: readonly Steps[];
  readonly base: number;
  readonly slope: number;
  /** How many values each timestamp has. */
  readonly repeats: number;
  /** Only one in this many intervals has a value, as rooftop solar has one in six. */
  readonly every?: number;
}

export interface ServiceModel {
  readonly network: string;
  /** `+10:00` */
  readonly offset: string;
  readonly interval: ListedInterval;
  readonly series: readonly ModelSeries[];
  /** The units of metrics that are not in MW. */
  readonly units?: Readonly<Record<string, string>>;
  readonly inclusiveEnd: boolean;
  readonly timestamps: "offset" | "Z";
  /** Whether no field names the network's offset. */
  readonly hidesOffset?: boolean;
  /** The fields with the first and the last timestamp; some versions have none. */
  readonly edges: readonly [start: string, end: string] | undefined;
  /** The first and last timestamp of a series: those of all series of its metric, or the ends of the window. */
  readonly edgesOf?: "item" | "window";
  /** Whether a response has every interval between a series' first and last point, with null for no data. */
  readonly fillsGaps?: boolean;
  /** Whether series without a point in the window are named anyway. */
  readonly namesEmpty: boolean;
  /** Whether repeated timestamps come in separate passes instead of side by side. */
  readonly repeatsApart: boolean;
  /** Whether all units come as one series, with a point for each at every timestamp. */
  readonly joinsUnits?: boolean;
  /** Whether an interval that the window's start cuts has that start as its timestamp. */
  readonly timestampsStart?: boolean;
  /** The status that means that there is no data. */
  readonly noData: 200 | 404 | 416;
}

export interface FakeRequest {
  readonly start: number;
  /** Undefined for everything that the service has. */
  readonly end: number | undefined;
  readonly metrics: readonly string[];
  /** The requested codes; undefined for all. */
  readonly units: readonly string[] | undefined;
  /** Puts series in the order of this response. */
  readonly shuffle: <T>(items: readonly T[]) => T[];
}

export interface FakeAnswer {
  readonly status: number;
  readonly text: string;
  readonly show?: () => Shown;
}

/** What a response shows about its service. */
export interface Shown {
  /** A series has a null between its first and its last point. */
  readonly innerNull: boolean;
  /** A series lacks the point of an interval between its first and its last. */
  readonly missing: boolean;
  /** A metric has no TimeSeries. */
  readonly lacksItem: boolean;
}

export const CREATED_AT = "2026-03-15T04:05:06.000Z";

type Point = readonly [bucket: number, value: string | null];

interface NamedSeries {
  readonly series: ModelSeries;
  readonly points: readonly Point[];
}

export function answerRequest(model: ServiceModel, request: FakeRequest): FakeAnswer {
  const all = model.series
    .filter(
      ({ metric, labels }) =>
        request.metrics.includes(metric) && (request.units?.includes(String(labels["unit_code"])) ?? true),
    )
    .map((series) => ({ series, points: listPoints(model, series, stepsOf(model, request)) }))
    .filter(({ points }) => model.namesEmpty || points.length > 0);
  const joined = model.joinsUnits ? joinUnits(all) : all;
  const named = model.fillsGaps ? joined.map((one) => ({ ...one, points: fillGaps(model, one.points) })) : joined;
  if (named.length === 0 && model.noData !== 200) {
    const show = () => ({ innerNull: false, missing: false, lacksItem: true });
    return { status: model.noData, text: writeBody({ success: false, error: "No data available" }), show };
  }
  const metrics = request.metrics.filter((metric) => named.some(({ series }) => series.metric === metric));
  const items = request
    .shuffle(metrics)
    .map((metric) =>
      writeItem(model, { metric, request }, request.shuffle(named.filter(({ series }) => series.metric === metric))),
    );
  const lacksItem = items.length < request.metrics.length;
  const show = () => ({ ...showGaps(model, named), lacksItem });
  return {
    status: 200,
    text: writeBody({ success: true, error: null }, `,"data":[${items.join(",")}],"total_records":null`),
    show,
  };
}

/** The intervals without a point between the first and the last one. */
function listMissing(model: ServiceModel, points: readonly Point[]): number[] {
  const present = new Set(points.map(([bucket]) => bucket));
  const [first, last] = [Math.min(...present), Math.max(...present)];
  return listIntervals(model.interval, first, last).flatMap(({ start }) =>
    start < first || start > last || present.has(start) ? [] : [start],
  );
}

function fillGaps(model: ServiceModel, points: readonly Point[]): Point[] {
  const missing = listMissing(model, points);
  if (missing.length === 0) return [...points];
  const filled = [...points, ...missing.map((bucket): Point => [bucket, null])];
  return model.repeatsApart ? filled : filled.toSorted(([a], [b]) => a - b);
}

function showGaps(model: ServiceModel, named: readonly NamedSeries[]): Pick<Shown, "innerNull" | "missing"> {
  const isInner = (points: readonly Point[]) => {
    const buckets = points.map(([bucket]) => bucket);
    const [first, last] = [Math.min(...buckets), Math.max(...buckets)];
    return points.some(([bucket, value]) => value === null && bucket > first && bucket < last);
  };
  return {
    innerNull: named.some(({ points }) => isInner(points)),
    missing: named.some(({ points }) => listMissing(model, points).length > 0),
  };
}

/** One series per metric, timestamp by timestamp. */
function joinUnits(all: readonly NamedSeries[]): NamedSeries[] {
  return [...new Set(all.map(({ series }) => series.metric))].map((metric) => {
    const own = all.filter(({ series }) => series.metric === metric);
    const points = own.flatMap((one) => one.points).toSorted(([a], [b]) => a - b);
    return { series: { ...(own[0] as NamedSeries).series, labels: {} }, points };
  });
}

/** The public service's refusal of a window that is too long. */
export function refuseWindow(interval: string, limit: string): FakeAnswer {
  const error = `Date range too large for ${interval} interval. Maximum range is ${limit}.`;
  return { status: 400, text: writeBody({ response_status: "ERROR", error, success: false }) };
}

function writeBody(fields: Record<string, unknown>, more = ""): string {
  return `${JSON.stringify({ version: "4.5.0", created_at: CREATED_AT, ...fields }).slice(0, -1)}${more}}`;
}

function stepsOf({ inclusiveEnd }: ServiceModel, { start, end }: FakeRequest): Steps {
  const last = end ?? Number.POSITIVE_INFINITY;
  return [Math.ceil(start / STEP), inclusiveEnd ? Math.floor(last / STEP) + 1 : Math.ceil(last / STEP)];
}

/** The points of a series inside a window, in the order of this service. */
function listPoints(model: ServiceModel, series: ModelSeries, window: Steps): Point[] {
  const inside = series.present.map((steps) => intersect(steps, window)).filter(([from, to]) => from < to);
  const [first, last] = [inside[0]?.[0], inside.at(-1)?.[1]];
  if (first === undefined || last === undefined) return [];
  const passes: Point[][] = Array.from({ length: series.repeats }, () => []);
  for (const bucket of listIntervals(model.interval, first, last)) {
    const parts = bucket.parts
      .flatMap((part) => inside.map((steps) => intersect(steps, part)))
      .filter(([from, to]) => from < to);
    if (parts.length === 0 || ordinalOf(model.interval, bucket.start * STEP) % (series.every ?? 1) !== 0) continue;
    const sum = sumSteps(series, parts);
    const start = model.timestampsStart ? Math.max(bucket.start, window[0]) : bucket.start;
    for (const [pass, points] of passes.entries()) points.push([start, sum === null ? null : writeValue(sum, pass)]);
  }
  const [one] = passes as [Point[]];
  return model.repeatsApart ? passes.flat() : one.flatMap((_, index) => passes.map((points) => points[index] as Point));
}

/** The sum of the values of some steps; null if all are null. */
function sumSteps(series: ModelSeries, parts: readonly Steps[]): number | null {
  if (series.nulls.length === 0) return sumAll(series, parts);
  const [all, empty] = [parts, parts.flatMap((part) => series.nulls.map((steps) => intersect(steps, part)))].map(
    (list) => list.filter(([from, to]) => from < to),
  ) as [Steps[], Steps[]];
  if (countSteps(all) === countSteps(empty)) return null;
  return sumAll(series, all) - sumAll(series, empty);
}

function sumAll({ base, slope }: ModelSeries, parts: readonly Steps[]): number {
  let sum = 0;
  for (const [from, to] of parts) sum += (to - from) * base + (slope * (from + to - 1) * (to - from)) / 2;
  return sum;
}

function countSteps(parts: readonly Steps[]): number {
  return parts.reduce((sum, [from, to]) => sum + to - from, 0);
}

function intersect([a, b]: Steps, [c, d]: Steps): Steps {
  return [Math.max(a, c), Math.min(b, d)];
}

function writeValue(sum: number, pass: number): string {
  return `${(sum + pass * 7).toFixed(1)}0`;
}

function writeItem(
  model: ServiceModel,
  { metric, request }: { readonly metric: string; readonly request: FakeRequest },
  named: readonly NamedSeries[],
): string {
  const timestamp = (bucket: number) => writeTimestamp(model, labelOf(model.interval, bucket * STEP));
  const findEdges = (): readonly (string | null)[] => {
    const buckets = named.flatMap(({ points }) => points.map(([bucket]) => bucket));
    const [first, last] =
      buckets.length === 0 ? [null, null] : [timestamp(Math.min(...buckets)), timestamp(Math.max(...buckets))];
    if (model.edgesOf !== "window") return [first, last];
    return [
      writeTimestamp(model, request.start),
      request.end === undefined ? last : writeTimestamp(model, request.end),
    ];
  };
  const [start, end] = findEdges();
  const edges = model.edges ? { [model.edges[0]]: start, [model.edges[1]]: end } : {};
  const results = named.map(({ series, points }) => {
    const pairs = points.map(([bucket, value]) => `["${timestamp(bucket)}",${value ?? "null"}]`);
    const head = { name: `${metric}_${Object.values(series.labels).join("|")}`, ...edges, columns: series.labels };
    return `${JSON.stringify(head).slice(0, -1)},"data":[${pairs.join(",")}]}`;
  });
  const offset = model.hidesOffset ? "" : `,"network_timezone_offset":"${model.offset}"`;
  const head = {
    network_code: model.network,
    metric,
    unit: model.units?.[metric] ?? "MW",
    interval: model.interval,
    ...edges,
    groupings: [],
  };
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(",")}]${offset}}`;
}

function writeTimestamp(model: ServiceModel, local: number): string {
  if (model.timestamps === "offset") return writeSeconds(local) + model.offset;
  return `${writeSeconds(local - offsetMs(model))}Z`;
}

/** A cache, as many responses have the same timestamps. */
const secondTexts = new Map<number, string>();

function writeSeconds(instant: number): string {
  const known = secondTexts.get(instant);
  if (known !== undefined) return known;
  const text = new Date(instant).toISOString().slice(0, 19);
  secondTexts.set(instant, text);
  return text;
}

/** How far the network's clock is ahead of UTC. */
export function offsetMs({ offset }: Pick<ServiceModel, "offset">): number {
  const [hours, minutes] = offset.slice(1).split(":").map(Number) as [number, number];
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
