/** The rows of a table: counted, and made where they are shown. */
import type { Interval } from "../../base/vocabulary.ts";
import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import type { Cell, Column, PlacedSeries, Row } from "../../series/layout/layout.ts";
import { cacheTimes, type TimedRow, walkTimedRows } from "../../series/layout/rows.ts";
import { lowerBound, slicePoints } from "../../series/point-operations.ts";
import type { Instants } from "../../series/points.ts";
import { findSentOffset } from "../../time/stamp.ts";
import type { Zone } from "../../time/zone.ts";
import type { LaidSeries } from "../format.ts";
import { WallClockTime } from "./stamps.ts";
import { groupBy } from "../../base/group-by.ts";

/** Timestamps of series are not printed yet. */
export type ShownRow = readonly (Cell | WallClockTime)[];

export interface TableRows {
  readonly columns: readonly Column[];
  readonly count: number;
  /** The first rows, `n` at most. */
  first(n: number): readonly ShownRow[];
  /** The last rows, `n` at most. */
  last(n: number): readonly ShownRow[];
  /** The cells of the text columns in each set of rows that share them; none where that is unknown. */
  readonly labelSets: readonly (readonly Cell[])[];
  /** The length of all buckets, if they have one. */
  readonly interval: Interval | undefined;
}

/** Rows that are there already. */
export function listedRows(columns: readonly Column[], rows: readonly Row[]): TableRows {
  return {
    columns,
    count: rows.length,
    first: (n) => rows.slice(0, n),
    last: (n) => rows.slice(Math.max(0, rows.length - n)),
    labelSets: [],
    interval: undefined,
  };
}

export function seriesRows({ columns, placed }: LaidSeries, zone: Zone): TableRows {
  const series = placed.filter(({ points }) => points.instants.length > 0);
  const read = createReader(columns, zone);
  const intervals = new Set(series.map(({ interval }) => interval));
  return {
    columns,
    count: countRows(series),
    first: (n) => takeRows(walkTimedRows({ columns }, series), n, read),
    last: (n) => (n === 0 ? [] : takeRows(walkTimedRows({ columns }, cutEnds(series, n)), Number.POSITIVE_INFINITY, read).slice(-n)),
    labelSets: [...new Map(series.map(({ rank, constants }) => [rank, constants])).values()],
    interval: intervals.size === 1 ? series[0]?.interval : undefined,
  };
}

function takeRows(rows: Iterable<TimedRow>, n: number, read: (row: TimedRow) => ShownRow): ShownRow[] {
  const taken: ShownRow[] = [];
  for (const row of rows) {
    if (taken.length >= n) break;
    taken.push(read(row));
  }
  return taken;
}

/** The ends of series that hold their last `n` rows: the series with the latest of the n-th last points has as many alone. */
function cutEnds(series: readonly PlacedSeries[], n: number): PlacedSeries[] {
  const nthLast = ({ instants }: { readonly instants: Instants }) => instants[instants.length - n] ?? Number.NEGATIVE_INFINITY;
  const from = series.reduce((latest, { points }) => Math.max(latest, nthLast(points)), Number.NEGATIVE_INFINITY);
  return series.map((one) => ({ ...one, points: slicePoints(one.points, lowerBound(one.points, from)) }));
}

function createReader(columns: readonly Column[], zone: Zone): (row: TimedRow) => ShownRow {
  const hasEnd = columns[1]?.kind === "stamp";
  const toMoment = (instant: number, { networkOffset, stamp }: TimedRow) =>
    new WallClockTime(instant, zone.toWallClock(instant, networkOffset ?? findSentOffset(stamp)));
  const toMoments = cacheTimes((row) => {
    const end = hasEnd ? findIntervalEnd(row.interval, row.instant, row.networkOffset) : undefined;
    return [toMoment(row.instant, row), ...(hasEnd ? [end === undefined ? null : toMoment(end, row)] : [])];
  });
  return (row) => [...toMoments(row), ...row.constants, ...row.values];
}

/** The rows of series, without making them: one for each point, but those of different columns at an instant share one. */
function countRows(series: readonly PlacedSeries[]): number {
  const rows = groupBy(series, ({ rank }) => rank);
  return [...rows.values()].reduce((sum, sharing) => {
    const columns = groupBy(sharing, ({ valueColumn }) => valueColumn);
    return sum + [...columns.values()].map(listInstants).reduce(unite).length;
  }, 0);
}

/** The instants of series with the same column. */
function listInstants(series: readonly PlacedSeries[]): Instants {
  const [first, ...others] = series.map(({ points }) => points.instants);
  return others.length === 0 ? (first ?? []) : Float64Array.from(series.flatMap(({ points }) => [...points.instants])).sort();
}

/** Instants of either, each as often as the one that has it more often. */
function unite(a: Instants, b: Instants): Instants {
  const all = new Float64Array(a.length + b.length);
  let length = 0;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; length++) {
    const [left, right] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY];
    all[length] = Math.min(left, right);
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return all.subarray(0, length);
}
