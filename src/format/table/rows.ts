/** The rows of a table: counted without being made, and made only if shown. */
import type { Interval } from "../../base/intervals.ts";
import type { Cell, Column, PlacedSeries, Row } from "../../series/layout/layout.ts";
import { countRows, type TimedRow, walkTimedRows } from "../../series/layout/rows.ts";
import { lowerBound, slicePoints, timestampAt } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { findSentOffset } from "../../time/timestamp.ts";
import { isNamed, nameInterval } from "../../time/interval-names.ts";
import type { Zone } from "../../time/zone.ts";
import { createTimeReader, printText } from "../cells.ts";
import type { LaidSeries } from "../format.ts";
import type { Excerpt } from "./grid.ts";
import { findConstants, findFirstText, type Labelled } from "./labels.ts";
import { NumberSurvey } from "./numbers.ts";
import { measureTimestamps, OFFSET_LENGTH, WallClockTime } from "./timestamps.ts";

const DAY_LENGTH = "2025-01-31".length;

/** A row to be shown; timestamps of series are not printed yet. */
export type ShownRow = readonly (Cell | WallClockTime)[];

export interface TableRows extends Labelled {
  readonly count: number;
  first(n: number): readonly ShownRow[];
  last(n: number): readonly ShownRow[];
  /** The interval that all series share, if any. */
  readonly interval: Interval | undefined;
  /** The texts of a text column, in any order and number. */
  textsOf(column: number): Iterable<string>;
  /** Surveys the numbers of a column. */
  survey(column: number): NumberSurvey;
  /** Of all timestamps. */
  readonly timestamps: TimestampFacts;
  /**
   * At most `limit` rows, 0 for all, with a row for the others; by default those at the ends. `nameAt`: the column that
   * names it.
   */
  readonly pick?: ((limit: number, nameAt: number) => PickedRows) | undefined;
}

export interface PickedRows extends Pick<Excerpt, "gapAt" | "totalAt"> {
  readonly rows: readonly ShownRow[];
}

interface TimestampFacts {
  /** Characters of `2025-01-31T14:05:00.000` that are needed. */
  readonly length: number;
  /** Including the UTC offset where it may be needed. */
  readonly widest: number;
  /** True if a wall clock may repeat. */
  readonly mayRepeat: boolean;
  /**
   * The interval whose names the timestamps have; undefined if they are printed as times, or two would have one name.
   */
  readonly named: Interval | undefined;
}

export function seriesRows({ columns, placed, keys }: LaidSeries, zone: Zone): TableRows {
  const series = placed.filter(({ points }) => points.instants.length > 0);
  const makeTime = (instant: number, wallClock: number) => new WallClockTime(instant, wallClock);
  const readTimes: (row: TimedRow) => ShownRow = keys
    ? ({ instant }) => keys.cellsAt(instant)
    : createTimeReader<ShownRow[number]>({ columns, zone }, makeTime, null);
  const keysOf = (column: number): Cell[] =>
    Array.from(walkTimedRows({ columns }, series), (row) => keys?.cellsAt(row.instant)[column] ?? null);
  const read = (row: TimedRow): ShownRow => [...readTimes(row), ...row.constants, ...row.values];
  const labelSets = new Map(series.map(({ rank, constants }) => [rank, constants]));
  const intervals = new Set(series.map(({ interval }) => interval));
  const firstText = findFirstText(columns);
  const firstValue = columns.findIndex(({ kind }) => kind === "value");
  const interval = intervals.size === 1 ? series[0]?.interval : undefined;
  const texts = Array.from(labelSets.values(), (cells) => cells.map(printText));
  const surveys = new Map<number, NumberSurvey>();
  let timestamps: TimestampFacts | undefined;
  return {
    columns,
    count: countRows(columns, series),
    first: (n) => takeFirst(walkTimedRows({ columns }, series), n).map(read),
    last: (n) => (n === 0 ? [] : [...walkTimedRows({ columns }, cutEnds(series, n))].slice(-n).map(read)),
    labelSets: texts,
    constants: findConstants({ columns, labelSets: texts }),
    interval,
    textsOf: (column) =>
      columns[column]?.kind === "key"
        ? keysOf(column).map(printText)
        : texts.map((set) => set[column - firstText] ?? ""),
    survey: (column) => {
      const survey = surveys.get(column) ?? new NumberSurvey();
      if (surveys.has(column)) return survey;
      surveys.set(column, survey);
      if (columns[column]?.kind === "key") return survey.addCells(keysOf(column));
      if (columns[column]?.kind === "text")
        return survey.addCells(Array.from(labelSets.values(), (cells) => cells[column - firstText] ?? null));
      for (const { valueColumn, points } of series) if (valueColumn === column - firstValue) survey.addPoints(points);
      return survey;
    },
    get timestamps() {
      timestamps ??= keys ? NO_TIMESTAMPS : surveyTimestamps(series, zone, interval);
      // The start and the end of an interval that has a name are days.
      return columns[1]?.kind === "timestamp"
        ? { ...timestamps, widest: Math.max(timestamps.widest, DAY_LENGTH) }
        : timestamps;
    },
  };
}

const NO_TIMESTAMPS: TimestampFacts = { length: 0, widest: 0, mayRepeat: false, named: undefined };

export function listRows(columns: readonly Column[], rows: readonly Row[]): TableRows {
  return {
    columns,
    count: rows.length,
    first: (n) => rows.slice(0, n),
    last: (n) => rows.slice(Math.max(0, rows.length - n)),
    labelSets: [],
    constants: new Map(
      columns.flatMap(({ minor }, index) => {
        const texts =
          minor === undefined || rows.length < 2 ? [] : [...new Set(rows.map((row) => printText(row[index] ?? null)))];
        return texts.length === 1 ? [[index, texts.join("")] as const] : [];
      }),
    ),
    interval: undefined,
    textsOf: (column) => rows.map((row) => printText(row[column] ?? null)),
    survey: (column) => new NumberSurvey().addCells(rows.map((row) => row[column] ?? null)),
    timestamps: NO_TIMESTAMPS,
  };
}

function surveyTimestamps(series: readonly PlacedSeries[], zone: Zone, interval: Interval | undefined): TimestampFacts {
  const offsets = new Set<number>();
  const names = new Map<string | undefined, number>();
  let hasNames = isNamed(interval);
  function* listWalls() {
    let listed: PlacedSeries | undefined;
    for (const placed of series) {
      const { points } = placed;
      // Most series share their instants.
      if (listed && listed.networkOffset === placed.networkOffset && haveSameInstants(listed.points, points)) continue;
      listed = placed;
      const offset = findClock(placed);
      for (const instant of points.instants) {
        const wall = zone.toWallClock(instant, offset);
        offsets.add(wall - instant);
        yield wall;
        if (!hasNames) continue;
        const name = nameInterval(interval, wall);
        hasNames = name !== undefined && (names.get(name) ?? instant) === instant;
        names.set(name, instant);
      }
    }
  }
  const length = measureTimestamps(listWalls(), interval);
  const longest = hasNames ? Math.max(...Array.from(names.keys(), (name) => name?.length ?? 0)) : length;
  const mayRepeat = offsets.size > 1;
  return {
    length,
    widest: longest + (mayRepeat ? OFFSET_LENGTH : 0),
    mayRepeat,
    named: hasNames ? interval : undefined,
  };
}

/** The UTC offset of a series' clock, in minutes: its network's, else that of its first timestamp. */
export function findClock({ networkOffset, points }: PlacedSeries): number {
  return networkOffset ?? findSentOffset(timestampAt(points, 0));
}

/** A loop, as callbacks would be slow for very many points. */
export function haveSameInstants(
  { instants: one }: Pick<Points, "instants">,
  { instants: other }: Pick<Points, "instants">,
): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

function takeFirst<T>(items: Iterable<T>, n: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.length >= n) break;
    taken.push(item);
  }
  return taken;
}

/**
 * Cuts series to ends that contain their last `n` rows, starting at the latest of their n-th last instants: that series
 * alone has `n` rows.
 */
function cutEnds(series: readonly PlacedSeries[], n: number): PlacedSeries[] {
  const nthLast = series.map(({ points: { instants } }) => instants[instants.length - n] ?? Number.NEGATIVE_INFINITY);
  const from = nthLast.reduce((latest, instant) => Math.max(latest, instant), Number.NEGATIVE_INFINITY);
  return series.map((placed) => ({ ...placed, points: slicePoints(placed.points, lowerBound(placed.points, from)) }));
}
