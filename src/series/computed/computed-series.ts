/** Ratios of two sums, interval by interval. */
import { EntsError } from "../../base/errors.ts";
import { type ComputedMetric, COMPUTED_METRICS } from "../../base/computed-metrics.ts";
import { type Metric, METRICS } from "../../base/vocabulary.ts";
import type { FleetUnit } from "../../query/computation.ts";
import type { ComputedQuery } from "../../query/query.ts";
import type { Points } from "../points.ts";
import type { Labels, Series, TimeSeries } from "../time-series.ts";
import { NOTHING, PointList, type RatioParts, UNKNOWN } from "./align.ts";
import { isDecimal, sumDecimals } from "./decimals.ts";
import type { RooftopWatch } from "./rooftop.ts";
import { type Counted, type Member, type Rows, type RowStep, walkComputedRows, type WalkOptions } from "./rows.ts";

/** What a metric is computed with. */
export interface MetricContext {
  readonly query: ComputedQuery;
  readonly rows: Rows;
  readonly rooftop: RooftopWatch;
  /** What came. */
  readonly timeSeries: readonly TimeSeries[];
  /** When the newest response was made, in milliseconds since 1970 UTC. */
  readonly created: number | undefined;
  readonly onNet: (net: Member) => void;
  /** Called with the code of a unit that is in no list, or without capacity. */
  readonly onUnknown: (code: string) => void;
  /** Called with a unit that generates more than its capacity could, and its capacity factor in %. */
  readonly onExcess: (unit: FleetUnit, factor: number) => void;
  /** Called with what a sum lacks: `energy at 2025-01-31T14:05 lacks BW01`. */
  readonly onHole: (text: string) => void;
}

interface Ratio {
  /** The metrics that it is made of; the last is energy or power. */
  readonly parts: readonly Metric[];
  /** What is divided in one interval of a row, in which something counts. */
  readonly divide: (step: RowStep) => RatioParts;
  /** True if loads have it, too. */
  readonly isOfLoads?: boolean;
  /** True if what it is divided by is added up over all rows. */
  readonly isShare?: boolean;
  readonly fill?: WalkOptions["fill"];
}

/** Computes a metric, row by row. @throws {EntsError} refused: a part has another unit than it should. */
export function computeRows(name: ComputedMetric, context: MetricContext, ratio: Ratio): TimeSeries[] {
  const { parts, divide, isOfLoads = false, isShare = false, fill } = ratio;
  const { timeSeries, onNet } = context;
  checkUnits(timeSeries, parts);
  const made = makeRows(context, { timeSeries, parts, fill, onNet, isShare }, (list, step, isUnknown) => {
    const { row, at, counted } = step;
    const hasValue = counted.length > 0 && (isOfLoads || !row.isLoad);
    list.addRatio(at, isUnknown ? UNKNOWN : hasValue ? divide(step) : NOTHING);
  });
  return createItems(name, COMPUTED_METRICS[name].unit, made);
}

interface MakeOptions extends Omit<WalkOptions, "query"> {
  readonly timeSeries: readonly TimeSeries[];
  readonly parts: readonly string[];
  readonly isShare?: boolean;
}

/** Makes a series of each row. `add`: adds what is made of one interval, of which a part may be unknown. */
export function makeRows(
  { rows, rooftop, query }: MetricContext,
  { timeSeries, parts, isShare = false, ...options }: MakeOptions,
  add: (list: PointList, step: RowStep, isUnknown: boolean) => void,
): MadeSeries[] {
  return rows.find(timeSeries, parts).flatMap((whole) => {
    const lists = new Map(whole.rows.map((row) => [row, new PointList(isShare ? 100 : undefined)]));
    const isLate = rooftop.watch(whole);
    for (const step of walkComputedRows(whole, { query, ...options })) {
      const isUnknown = step.missing !== undefined || ((isShare || step.row.hasRooftop) && isLate(step.at.instant));
      add(lists.get(step.row) as PointList, step, isUnknown);
    }
    return Array.from(lists, ([{ members, labels }, { points }]) => {
      const [{ item, series }] = members as [Member];
      return { item, series, labels, points };
    });
  });
}

/** @throws {EntsError} refused: a metric has another unit than the public service's. */
export function checkUnits(timeSeries: readonly TimeSeries[], metrics: readonly Metric[]): void {
  for (const { metric, unit } of timeSeries) {
    const own = metrics.find((name) => name === metric);
    if (own && unit !== METRICS[own].unit && unit !== "")
      throw new EntsError(
        "refused",
        `the service sent ${metric} in ${unit}; what ents computes of it needs ${METRICS[own].unit}`,
      );
  }
}

/** The sum of a part over what counts, in exact decimals, rounded once; NaN without a value. */
export function sumPart(counted: readonly Counted[], part: number): number {
  return Number(
    counted.length === 1 ? counted[0]?.values[part] : sumDecimals(counted.flatMap(({ values }) => values[part] ?? [])),
  );
}

/** NaN for what is no number. */
export function decimalToNumber(json: string | null | undefined): number {
  return json && isDecimal(json) ? Number(json) : Number.NaN;
}

/** A series that ents makes, with the ones that its fields are from. */
interface MadeSeries {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly labels: Labels;
  readonly points: Points;
}

/** A TimeSeries for each network. */
export function createItems(metric: string, unit: string, made: readonly MadeSeries[]): TimeSeries[] {
  const items = new Map<string, TimeSeries & { series: Series[] }>();
  for (const { item, series, labels, points } of made) {
    const known = items.get(item.network) ?? {
      ...item,
      metric,
      unit,
      fields: { ...item.fields, metric, unit },
      series: [],
    };
    items.set(item.network, known);
    const name = `${metric}_${Object.values(labels).map(String).join("|") || "total"}`;
    known.series.push({ labels, points, fields: { ...series.fields, name, columns: labels } });
  }
  return [...items.values()];
}
