import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { compareLabels, keyLabel, orderLabelNames, orderMetrics, orderTimeSeries, rankMetrics } from "../order.ts";
import { countUnclearEnds, createStepper, findOverlap, isMarkedInside } from "../intervals/grid.ts";
import { slicePoints } from "../point-operations.ts";
import { findInterval, findLabel, findNetworkOffset, keyOfItem, type Series, type TimeSeries } from "../time-series.ts";
import {
  addColumns,
  describeLabels,
  type KnownColumns,
  nameLabelColumns,
  nameMetrics,
  namePivoted,
  startColumns,
} from "./columns.ts";
import {
  type Cell,
  type Column,
  type LayoutOptions,
  nameJoined,
  type PlacedSeries,
  type RowLayout,
  type Table,
} from "./layout.ts";
import { walkRows } from "./rows.ts";
import { refuseUnit } from "../unit-watch.ts";
import { addRuns, RUN_COLUMN } from "./run-column.ts";
import { isForecast } from "../../base/vocabulary.ts";

/**
 * The columns of both shapes: `timestamp, [[interval_start,] interval_end,] network, <columns of the shape…>,
 * <joined…>, [forecast_run_time,] <values…>`.
 */
export function createLayout(
  { shape, join, intervalEnd = false, printRun, keys, figures = [VALUE] }: LayoutOptions,
  known: KnownColumns,
): RowLayout {
  const named = [...(keys?.columns ?? []), ...(shape === "long" ? figures : [])].map(({ name }) => name);
  const others = [...nameJoined(join), ...named];
  const { columns, values, place } = shape === "wide" ? layOutWide(known, others) : layOutLong(known, others, figures);
  const print = known.requested.some(isForecast) ? printRun : undefined;
  const starts = isMarkedInside(known.interval) ? ["interval_start"] : [];
  const timestamps = intervalEnd ? ["timestamp", ...starts, "interval_end"] : ["timestamp"];
  return {
    keys,
    columns: [
      ...(keys?.columns ?? timestamps.map((name): Column => ({ name, kind: "timestamp" }))),
      { name: "network", kind: "text" },
      ...columns,
      ...(join?.columns ?? []),
      ...(print ? [RUN_COLUMN] : []),
      ...values,
    ],
    place: (timeSeries) => {
      const unclear = new Set(
        intervalEnd ? timeSeries.filter((item) => findOverlap(item, known.interval)).map(keyOfItem) : [],
      );
      const placed = place(timeSeries).flatMap(({ item, series, rank, constants, valueColumn }) => {
        const laid = {
          rank,
          constants: join ? [...constants, ...join.cellsOf(series.labels)] : constants,
          valueColumn,
          networkOffset: findNetworkOffset(item),
          interval:
            unclear.size > 0 && unclear.has(keyOfItem(item)) ? undefined : (findInterval(item) ?? known.interval),
          points: series.points,
          source: { item, series },
        };
        return intervalEnd ? splitUnclear(laid) : [laid];
      });
      return print ? addRuns(placed, print) : placed;
    },
  };
}

/** Points whose interval has no known end apart, without an interval. */
function splitUnclear(placed: PlacedSeries): PlacedSeries[] {
  const { interval, points, source } = placed;
  const step = createStepper(source.item, interval);
  const [head, tail] = step && interval ? countUnclearEnds(points, step) : [0, 0];
  if (head + tail === 0) return [placed];
  const { length } = points.instants;
  const part = (from: number, to: number, known: PlacedSeries["interval"]) =>
    from < to ? [{ ...placed, points: slicePoints(points, from, to), interval: known }] : [];
  return [
    ...part(0, head, undefined),
    ...part(head, length - tail, interval),
    ...part(length - tail, length, undefined),
  ];
}

/** Series as columns and rows. `metrics`: the order of their columns or rows. */
export function toTable(
  timeSeries: readonly TimeSeries[],
  {
    metrics,
    printTimestamp,
    ...options
  }: LayoutOptions & { metrics: readonly string[]; printTimestamp: TimestampPrinter },
): Table {
  const layout = createLayout(
    { ...options, printRun: printTimestamp },
    addColumns(startColumns(metrics, options), timeSeries),
  );
  return { columns: layout.columns, rows: walkRows(layout, layout.place(timeSeries), { printTimestamp }) };
}

const VALUE: Column = { name: "value", kind: "value" };

/**
 * One row per point: `timestamp, network, metric, unit, <labels…>, <joined…>, <figures…>`, ordered by timestamp,
 * requested metric, labels. Series of other figures than `value` follow the one whose rows they share.
 */
function layOutLong(
  { requested, labelLists, units, booleans }: KnownColumns,
  others: readonly string[],
  figures: readonly Column[],
) {
  const names = orderLabelNames(labelLists);
  const ranks = rankMetrics(orderMetrics(requested, [...units.keys()]));
  return {
    columns: [
      ...["metric", "unit"].map((name): Column => ({ name, kind: "text" })),
      ...describeLabels(names, nameLabelColumns(names, others), booleans),
    ],
    values: figures,
    place: (timeSeries: readonly TimeSeries[]) => {
      let rank = -1;
      return (
        timeSeries
          // A service may split one metric into several TimeSeries.
          .flatMap((item) => item.series.map((series) => ({ item, series, metric: ranks.get(item.metric) ?? 0 })))
          .sort((a, b) => a.metric - b.metric || compareLabels(a.series, b.series, names))
          .map(({ item, series }) => {
            const { network, metric, unit } = item;
            if (series.figure === undefined) rank++;
            return {
              item,
              series,
              rank,
              constants: [network, metric, unit, ...listLabelCells(series, names)],
              valueColumn: figures.findIndex(({ name }) => name === (series.figure ?? VALUE.name)),
            };
          })
      );
    },
  };
}

/**
 * One row per timestamp and label set: `timestamp, network, <labels…>, <joined…>, <metric…>`; with a pivot, one column
 * for each metric and value of its label. A second value for the same cell gets another row.
 */
function layOutWide({ requested, labelLists, units, booleans, pivot }: KnownColumns, joined: readonly string[]) {
  const metrics = orderMetrics(requested, [...units.keys()]);
  const metricRanks = rankMetrics(metrics);
  const names = orderLabelNames(labelLists).filter((name) => name !== pivot?.label);
  const metricNames = pivot ? [] : nameMetrics(metrics, joined);
  const labelNames = nameLabelColumns(names, [...joined, ...metricNames]);
  const valueNames = pivot ? namePivoted(metrics, pivot, [...labelNames, ...joined]) : metricNames;
  const perMetric = pivot ? pivot.values.length : 1;
  const pivotRanks = new Map(pivot?.values.map((value, rank) => [keyLabel(value), rank]));
  const findPivoted = (series: Series) => (pivot && pivotRanks.get(keyLabel(findLabel(series, pivot.label)))) ?? 0;
  return {
    columns: describeLabels(names, labelNames, booleans),
    values: valueNames.map((name, index): Column => {
      const metric = metrics[Math.floor(index / perMetric)] ?? "";
      return { name, kind: "value", metric, unit: units.get(metric) ?? "" };
    }),
    place: (timeSeries: readonly TimeSeries[]) => {
      for (const { metric, unit, series } of timeSeries) {
        const first = units.get(metric) ?? unit;
        if (first !== unit && series.length > 0) throw refuseUnit(metric, first, unit);
      }
      const rows = orderTimeSeries(timeSeries, metrics).flatMap((item) =>
        item.series.map((series) => ({ item, series, constants: [item.network, ...listLabelCells(series, names)] })),
      );
      const ranks = rankRows(rows, names);
      return rows
        .map((row, index) => ({
          ...row,
          rank: ranks[index] as number,
          valueColumn: (metricRanks.get(row.item.metric) ?? 0) * perMetric + findPivoted(row.series),
        }))
        .sort((a, b) => a.rank - b.rank);
    },
  };
}

function listLabelCells(series: Series, names: readonly string[]): Cell[] {
  return names.map((name) => findLabel(series, name));
}

/** Returns the position of each series' rows; series with the same network and labels share rows. */
function rankRows(
  series: readonly { readonly series: Series; readonly constants: readonly Cell[] }[],
  names: readonly string[],
): number[] {
  const keys = series.map(({ constants }) => JSON.stringify(constants));
  const rows = new Map(series.map((item, index) => [keys[index], item.series]));
  const sorted = [...rows].sort(([, a], [, b]) => compareLabels(a, b, names));
  const ranks = new Map(sorted.map(([key], rank) => [key, rank]));
  return keys.map((key) => ranks.get(key) ?? 0);
}
