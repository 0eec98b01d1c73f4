/** Ratios of two sums, interval by interval. */
import { isDecimal } from "./decimals.ts";
import { EntsError } from "../../base/errors.ts";
import { BATTERY } from "../../base/fueltechs.ts";
import { type ComputedMetric, COMPUTED_METRICS } from "../../base/computed-metrics.ts";
import { type Metric, METRICS } from "../../base/vocabulary.ts";
import type { Computation } from "../../query/computation.ts";
import type { Query } from "../../query/query.ts";
import type { FleetGroups } from "./fleet-groups.ts";
import { NO_POINTS, type Points } from "../points.ts";
import { keyOfRow, type Labels, type Series, type TimeSeries } from "../time-series.ts";
import { type AlignedPoints, alignPoints, PointList, type RatioParts } from "./align.ts";

export type ComputedQuery = Query & { readonly computation: Computation };

/** What a metric is computed with. */
export interface MetricContext {
  readonly query: ComputedQuery;
  /** Undefined without a list of units. */
  readonly groups: FleetGroups | undefined;
  /** What came, unit by unit. */
  readonly unsummed: readonly TimeSeries[];
  /** The fueltech of a series, or its group, if it is known. */
  readonly fuelOf: (series: Series) => unknown;
  /** When the newest response was made, in milliseconds since 1970 UTC. */
  readonly created: number | undefined;
  /** Called with the code of a unit that is in no list, or without capacity. */
  readonly onUnknown: (code: string) => void;
  /** Called with what a sum lacks: `energy at 2025-01-31T14:05 lacks BW01`. */
  readonly onHole: (text: string) => void;
}

/** One series of each part of a metric, with the same labels. */
export interface SeriesPair {
  /** The series that the fields of the ratio are from. */
  readonly item: TimeSeries;
  readonly series: Series;
  readonly over: Points;
  readonly under: Points;
}

/** Pairs the series of two metrics by network and labels. @throws {EntsError} refused: a part has another unit than it should. */
export function pairSeries(timeSeries: readonly TimeSeries[], metrics: readonly [over: Metric, under: Metric]): SeriesPair[] {
  const pairs = new Map<string, { item: TimeSeries; series: Series; points: [Points, Points] }>();
  for (const [part, metric] of metrics.entries()) {
    const counts = new Map<string, number>();
    for (const item of listItems(timeSeries, metric)) {
      for (const series of item.series) {
        const row = keyOfRow(item, series);
        const count = counts.get(row) ?? 0;
        counts.set(row, count + 1);
        const pair = pairs.get(`${row}${count}`) ?? { item, series, points: [NO_POINTS, NO_POINTS] };
        pair.points[part] = series.points;
        pairs.set(`${row}${count}`, pair);
      }
    }
  }
  return Array.from(pairs.values(), ({ item, series, points: [over, under] }) => ({ item, series, over, under }));
}

/** The TimeSeries of a metric. @throws {EntsError} refused: it has another unit than the public service's. */
export function listItems(timeSeries: readonly TimeSeries[], metric: Metric): TimeSeries[] {
  const items = timeSeries.filter((item) => item.metric === metric);
  const { unit } = METRICS[metric];
  const other = items.find((item) => item.unit !== unit && item.unit !== "");
  if (other) throw new EntsError("refused", `the service sent ${metric} in ${other.unit}; what ents computes of it needs ${unit}`);
  return items;
}

/** Null if a part is missing, or what it is divided by is not above zero. */
export function addRatio(list: PointList, at: AlignedPoints, { over, under }: RatioParts): void {
  const ratio = under > 0 ? over / under : Number.NaN;
  const isKnown = !Number.isNaN(over) && !Number.isNaN(under);
  list.add(at, Number.isFinite(ratio) ? String(ratio + 0) : null, isKnown ? { over, under } : UNKNOWN);
}

const UNKNOWN: RatioParts = { over: Number.NaN, under: Number.NaN };
/** Of a value that is known not to exist. */
export const NOTHING: RatioParts = { over: 0, under: 0 };

/** The ratio at each instant that either part has. */
export function divide({ over, under }: SeriesPair, factor: number): Points {
  const list = new PointList();
  for (const at of alignPoints([over, under])) {
    const [above, below] = at.values;
    addRatio(list, at, { over: factor * toNumber(above), under: toNumber(below) });
  }
  return list.points;
}

/** A null at each instant that either part has, as a value that is known not to exist. */
export function leaveEmpty({ over, under }: SeriesPair): Points {
  const list = new PointList();
  for (const at of alignPoints([over, under])) list.add(at, null, NOTHING);
  return list.points;
}

/** NaN for what is no number. */
export function toNumber(json: string | null | undefined): number {
  return json && isDecimal(json) ? Number(json) : Number.NaN;
}

/** A computed TimeSeries for each network. `made`: its series, with the item that the fields are from. */
export function createItems(
  metric: string,
  unit: string,
  made: readonly { readonly item: TimeSeries; readonly series: Series; readonly labels?: Labels; readonly points: Points }[],
): TimeSeries[] {
  const items = new Map<string, TimeSeries & { series: Series[] }>();
  for (const { item, series, labels = series.labels, points } of made) {
    const known = items.get(item.network) ?? { ...item, metric, unit, fields: { ...item.fields, metric, unit }, series: [] };
    items.set(item.network, known);
    const name = `${metric}_${Object.values(labels).map(String).join("|") || "total"}`;
    known.series.push({ labels, points, fields: { ...series.fields, name, columns: labels } });
  }
  return [...items.values()];
}

/** A computed metric's TimeSeries for each network. */
export function createComputed(metric: ComputedMetric, made: Parameters<typeof createItems>[2]): TimeSeries[] {
  return createItems(metric, COMPUTED_METRICS[metric].unit, made);
}

const NOT_GENERATING: readonly unknown[] = [BATTERY.net, BATTERY.charging, "pumps", "imports", "exports"];

/** True for every fueltech, or group, but storage that takes energy or nets it, and trade. */
export function generates(fuel: unknown): boolean {
  return !NOT_GENERATING.includes(fuel);
}

/** Labels without those that divide a whole into parts. */
export function withoutFuel(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !FUEL_LABELS.includes(name)));
}

const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"];
