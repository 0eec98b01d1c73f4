/**
 * The stored responses of one segment lie over each other: where the newest has no value, those of the one before stay. So
 * one response takes nothing away: a value goes once two responses, received at least six hours apart, both lack it.
 * Pure.
 */
import { isForecast } from "../base/vocabulary.ts";
import { joinTimeSeries } from "../series/join.ts";
import { filterPoints, valueAt } from "../series/point-operations.ts";
import { NO_POINTS, type Points } from "../series/points.ts";
import { countPoints, hasInstant } from "../series/overlap.ts";
import { keySeries, mapPoints, type Series, type TimeSeries } from "../series/time-series.ts";
import { HOUR } from "../time/local-time.ts";
import { type ResponseSummary, hasOtherSchema } from "./response-facts.ts";

/** From one response to the one that confirms what it lacks. */
export const CONFIRM_AFTER = 6 * HOUR;

interface ResponseLayer {
  readonly facts: ResponseSummary;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

/**
 * The responses that count, newest first, back to an accepted one, without those of another schema. One is left out once
 * a response received six hours after the first that lacks its values lacks them, too; so is a newest one without any
 * value, until then.
 */
export function listLayers<T extends ResponseLayer>(all: readonly T[]): T[] {
  const [newest] = all;
  if (!newest) return [];
  const accepted = all.findIndex(({ facts }) => facts.accepted);
  const responses = accepted < 0 ? all : all.slice(0, accepted + 1);
  const hasValues = (layer: ResponseLayer) => layer.facts.values > 0;
  const { facts } = responses.find(hasValues) ?? newest;
  const alike = responses.filter((layer) => !hasOtherSchema(layer.facts.form, facts.form));
  const layers = alike.filter(
    (_, index) => newest.receivedAt - (alike[index - 1] ?? newest).receivedAt < CONFIRM_AFTER,
  );
  return layers.slice(Math.max(0, layers.findIndex(hasValues)));
}

interface Overlay {
  readonly timeSeries: readonly TimeSeries[];
  /** The number of values that are from the older response. */
  readonly held: number;
}

/**
 * Adds to a response the values that it lacks and an older one of the same segment has. A newer run of a forecast replaces
 * an older one from its first point to its last.
 */
export function overlay(newer: readonly TimeSeries[], older: readonly TimeSeries[]): Overlay {
  const present = keySeries(newer);
  const rests = new Map<Series, Points>();
  const missing = new Map<string, Points>();
  for (const [key, { item, series }] of keySeries(older)) {
    const { points } = series;
    const over = present.get(key)?.series.points ?? NO_POINTS;
    const valued = listValued(over);
    const [first = Number.NaN, last = first] = [over.instants[0], over.instants.at(-1)];
    const isReplaced = (instant: number) =>
      valued.has(instant) || (isForecast(item.metric) && instant >= first && instant <= last);
    const rest = filterPoints(
      points,
      (index) => valueAt(points, index) !== null && !isReplaced(points.instants[index] as number),
    );
    rests.set(series, rest);
    if (rest.instants.length > 0) missing.set(key, rest);
  }
  if (missing.size === 0) return { timeSeries: newer, held: 0 };
  const reduced = new Map(
    Array.from(
      present,
      ([key, { series }]) => [series, dropNulls(series.points, missing.get(key) ?? NO_POINTS)] as const,
    ),
  );
  const rest = mapPoints(older, (series) => rests.get(series) ?? NO_POINTS)
    .map((item) => ({ ...item, series: item.series.filter(({ points }) => points.instants.length > 0) }))
    .filter(({ series }) => series.length > 0);
  const kept = mapPoints(newer, (series) => reduced.get(series) ?? series.points);
  return { timeSeries: joinTimeSeries([kept, rest]), held: countPoints(rest) };
}

function listValued(points: Points): Set<number> {
  const valued = new Set<number>();
  for (const [index, instant] of points.instants.entries()) if (valueAt(points, index) !== null) valued.add(instant);
  return valued;
}

/** Without the nulls in whose place the other points stand. */
function dropNulls(points: Points, others: Points): Points {
  return others.instants.length === 0
    ? points
    : filterPoints(points, (index) => !hasInstant(others, points.instants[index] as number));
}
