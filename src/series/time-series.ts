import type { JsonObject, LosslessNumber } from "../base/json.ts";
import { type Interval, isInterval } from "../base/intervals.ts";
import { findNetwork, isSummed } from "../base/vocabulary.ts";
import { findOffset, findSentOffset, findSuffix, parseOffset } from "../time/timestamp.ts";
import type { Points } from "./points.ts";
import { timestampAt } from "./point-operations.ts";
import { MINUTE } from "../time/local-time.ts";

/** The value of a label: text, a boolean (`renewable`), a number, or null. */
export type Label = string | boolean | LosslessNumber | null;

/** Labels by name. Read them with `findLabel`: a name may clash with an inherited property, such as `constructor`. */
export type Labels = Readonly<Record<string, Label>>;

/** One series of a TimeSeries: an item of `results`. */
export interface Series {
  /** All fields in the service's order; `data` is null, as its content is in `points`. */
  readonly fields: JsonObject;
  /** `columns`, in the service's order. */
  readonly labels: Labels;
  readonly points: Points;
  /** The column of its values in the long shape, if it is not `value`. */
  readonly figure?: string;
  /** The runs that the points of a forecast came from, in order of time; undefined if the service names none. */
  readonly runs?: readonly RunSpan[];
}

/** The run of a forecast, for the points of a period. */
export interface RunSpan {
  /** The instants of its first and last point. */
  readonly from: number;
  readonly until: number;
  /** When the run was issued, as sent; null if the service does not say. */
  readonly run: string | null;
}

/** One item of `data`: the series of one metric. */
export interface TimeSeries {
  /** All fields in the service's order; `results` is null, as its content is in `series`. */
  readonly fields: JsonObject;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  /** False for values that do not add up along time, whatever their unit: rolling ones, and differences. */
  readonly addsUp?: false;
  readonly series: readonly Series[];
}

/**
 * Fields with the first and last timestamp, of a TimeSeries and of its series; older services name them `start` and
 * `end`.
 */
export const DATE_RANGE = ["date_start", "start", "date_end", "end"];

export function nameSeries({ fields, labels }: Series): string {
  return typeof fields["name"] === "string" ? fields["name"] : JSON.stringify(labels);
}

/** Null if the series lacks the label. */
export function findLabel({ labels }: Series, name: string): Label {
  return Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

/** Returns the fueltech of a series, else its fueltech group; null if it has neither label. */
export function findFuel(series: Series): Label {
  return findLabel(series, "fueltech") ?? findLabel(series, "fueltech_group");
}

/** The values alone, without the series beside them. */
export function dropFigures(timeSeries: readonly TimeSeries[]): readonly TimeSeries[] {
  if (!timeSeries.some(({ series }) => series.some(({ figure }) => figure !== undefined))) return timeSeries;
  return timeSeries.map((item) => ({ ...item, series: item.series.filter(({ figure }) => figure === undefined) }));
}

/** True if values of several intervals can be summed. */
export function sumsUp({ metric, unit, addsUp }: TimeSeries): boolean {
  return addsUp !== false && isSummed(metric, unit);
}

/** Replaces the points of each series. */
export function mapPoints(timeSeries: readonly TimeSeries[], change: (series: Series) => Points): TimeSeries[] {
  return timeSeries.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, points: change(series) })),
  }));
}

/** The interval that the service names; undefined if it names none, or one that ents does not know. */
export function findInterval({ fields: { interval } }: TimeSeries): Interval | undefined {
  return typeof interval === "string" && isInterval(interval) ? interval : undefined;
}

/** Adds the interval of the query if the service names no known one. */
export function resolveInterval(item: TimeSeries, queryInterval: Interval | undefined): TimeSeries {
  if (queryInterval === undefined || findInterval(item) !== undefined) return item;
  return { ...item, fields: { ...item.fields, interval: queryInterval } };
}

/** The UTC offset of the network's time, in minutes; undefined if unknown. */
export function findNetworkOffset({ network, fields }: TimeSeries): number | undefined {
  const offset = findOffset(network, fields["network_timezone_offset"]);
  return offset === undefined ? undefined : parseOffset(offset);
}

/** The UTC offset of the network's time, in minutes; if unknown, that of the first timestamp, or 0 if it has none. */
export function findClockOffset(item: TimeSeries): number {
  const points = item.series.find((series) => series.points.instants.length > 0)?.points;
  return findNetworkOffset(item) ?? (points ? findSentOffset(timestampAt(points, 0)) : 0);
}

/**
 * Milliseconds by which network time is ahead of UTC; undefined for an unknown network if the response does not say.
 */
export function findOffsetMs(network: string, timeSeries: readonly TimeSeries[]): number | undefined {
  const known = findNetwork(network)?.offsetMinutes;
  if (known !== undefined) return known * MINUTE;
  const filled = timeSeries.flatMap(({ series }) => series).find(({ points }) => points.instants.length > 0);
  const named = timeSeries[0] && findNetworkOffset(timeSeries[0]);
  const suffix = filled && findSuffix(timestampAt(filled.points, 0));
  const minutes = named ?? (suffix === undefined || suffix === "Z" ? undefined : parseOffset(suffix));
  return minutes === undefined ? undefined : minutes * MINUTE;
}

/** The key of a TimeSeries: one metric of one network, in one unit. */
export function keyOfItem({ network, metric, unit }: Pick<TimeSeries, "network" | "metric" | "unit">): string {
  return JSON.stringify([network, metric, unit]);
}

/** The key of a row with all metrics: network and labels, independent of the order of the labels. */
export function keyOfRow({ network }: Pick<TimeSeries, "network">, { labels }: Pick<Series, "labels">): string {
  return JSON.stringify([network, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/**
 * All series by a key that is the same in every response: metric, network, labels, and a number for duplicates in one
 * response.
 */
export function keySeries(
  timeSeries: readonly TimeSeries[],
): Map<string, { readonly item: TimeSeries; readonly series: Series }> {
  const keyed = new Map<string, { item: TimeSeries; series: Series }>();
  const counts = new Map<string, number>();
  for (const item of timeSeries) {
    const metric = JSON.stringify(item.metric);
    for (const series of item.series) {
      const base = metric + keyOfRow(item, series);
      const count = counts.get(base) ?? 0;
      counts.set(base, count + 1);
      keyed.set(`${base}${count}`, { item, series });
    }
  }
  return keyed;
}
