/** Tables with a row for each series, and a column for each of the newest intervals that fit. */
import { formatNumber } from "../../base/phrases.ts";
import type { Interval } from "../../base/intervals.ts";
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import type { UnitFacts } from "../../series/fuels.ts";
import type { Cell, Column, PlacedSeries } from "../../series/layout/layout.ts";
import type { Zone } from "../../time/zone.ts";
import { printText } from "../cells.ts";
import { type Fit, fits, GAP } from "./fit.ts";
import {
  DOTS,
  type Footer,
  type Grid,
  type GridColumn,
  MARK,
  measureWidest,
  placeTitle,
  type Section,
} from "./grid.ts";
import { nameIntervals } from "./headings.ts";
import { describeConstants, findFirstText, listImplied, listVarying } from "./labels.ts";
import { SHOW_ALL } from "./row-footer.ts";
import { type Look, printParts, type RowPart } from "./row-grid.ts";
import { findClock, haveSameInstants, type TableRows } from "./rows.ts";
import type { Fitted } from "./screen.ts";
import { WallClockTime } from "./timestamps.ts";
import { MINUTE } from "../../time/local-time.ts";
import { nameInterval } from "../../time/interval-names.ts";
import { describePeriod } from "../period.ts";
import {
  createTransposedRows,
  nameRest,
  NO_LABEL,
  orderRows,
  readValuesAt,
  TOTAL,
  type TransposedRow,
  type TransposedRows,
} from "./transposed-rows.ts";

/** At least so many intervals are shown, if need be without decimals and without labels that others imply. */
const MIN_INTERVALS = 3;
/** What is tried in turn to reach them. */
const COMPROMISES = [
  { isWhole: false, isStacked: false },
  { isWhole: true, isStacked: false },
  { isWhole: true, isStacked: true },
] as const;
/** The least that a column takes. */
const NARROWEST = GAP + DOTS.length;

interface TransposableTable {
  readonly rows: TableRows;
  readonly placed: readonly PlacedSeries[];
  readonly zone: Zone;
  readonly units: UnitFacts | undefined;
}

/** A transposed table. `isWhole`: whether it has all intervals. */
type TransposedGrid = Fitted & { readonly isWhole: boolean };

/** Undefined if the series differ in interval or clock, have several values at once, or do not fit. */
export function transposeRows(table: TransposableTable, look: Look, width: number): TransposedGrid | undefined {
  const { rows } = table;
  const placed = table.placed.filter(({ points }) => points.instants.length > 0);
  const clocks = placed.map(findClock);
  const [clock] = clocks;
  const isOneClock = table.zone.offsetAt !== undefined || new Set(clocks).size === 1;
  if (clock === undefined || !isOneClock || new Set(placed.map(({ interval }) => interval)).size > 1) return undefined;
  const instants = mergeInstants(placed);
  const newest = instants.slice(-Math.max(1, Math.floor(width / NARROWEST)));
  const parts = createParts(table, placed, newest);
  if (!parts) return undefined;
  const toMoment = (instant: number) => new WallClockTime(instant, table.zone.toWallClock(instant, clock));
  const layout = chooseColumns(rows, { parts, moments: newest.map(toMoment), look, width });
  if (!layout) return undefined;
  const { columns, fit, intervals, sections } = layout;
  const shown = new Set(newest.slice(-intervals));
  const remarks = look.remarks.filter(
    ({ isOfMark, instants: marked }) => !isOfMark || marked.some((instant) => shown.has(instant)),
  );
  // A title takes the place of the only label's name.
  const varyingName = fit.shown.length - intervals === 1 ? columns[fit.shown[0] ?? 0]?.name : undefined;
  const ends = [instants[0], instants.at(-1)].map((instant = 0) => toMoment(instant));
  const [only, ...more] = sections;
  const hasTitle = only !== undefined && more.length === 0 && fit.shown[0] === 0;
  const describe = (rowsShown: readonly number[]): Footer => {
    const amount = describeIntervals(intervals, instants.length, rows.interval);
    const interval =
      rows.interval && (amount.length === 0 || !INTERVAL_NAMES[rows.interval]) ? [`interval ${rows.interval}`] : [];
    const zones = look.zone === undefined ? [] : [look.zone];
    const [start = 0, end = 0] = ends.map(({ instant, offset }) => instant + offset * MINUTE);
    // In the words of the headings: those of a picture are months for quarters.
    const named = [start, end].map((wall) => nameInterval(rows.interval, wall));
    const window = named.includes(undefined)
      ? describePeriod(start, end, rows.interval)
      : [...new Set(named)].join(" to ");
    const notes = new Set(parts.flatMap((part) => part.rows.notes));
    return {
      groups: [[...amount, ...zones, ...interval, ...describeConstants(rows), window, ...notes]],
      optional: varyingName === undefined ? [] : [`by ${varyingName}`],
      // A row says how many are left out.
      hints: sections.some(({ count }, at) => (rowsShown[at] ?? 0) < count) ? [SHOW_ALL] : [],
      remarks,
    };
  };
  const grid: Grid = {
    ...(hasTitle
      ? placeTitle(columns, only.title, [...fit.shown])
      : { columns, title: more.length === 0 ? only?.title : undefined }),
    sections,
    listMinor: () => [],
    describe,
  };
  return { grid, fit, isWhole: intervals === instants.length };
}

const INTERVAL_NAMES: Readonly<Partial<Record<Interval, string>>> = {
  "1h": "hours",
  "1d": "days",
  "7d": "weeks",
  "1M": "months",
  "3M": "quarters",
  season: "seasons",
  "1y": "years",
  fy: "financial years",
};

/** `the last 6 of 73 hours`, and what shows all; nothing if all are shown. */
function describeIntervals(shown: number, count: number, interval: Interval | undefined): string[] {
  if (shown === count) return [];
  const names = (interval && INTERVAL_NAMES[interval]) ?? "intervals";
  return [`the last ${shown === 1 ? "" : `${shown} `}of ${formatNumber(count)} ${names}`, "-f chart shows all"];
}

/** The distinct instants of all series, in order. */
function mergeInstants(placed: readonly PlacedSeries[]): readonly number[] {
  const [first] = placed;
  if (!first) return [];
  const others = placed.filter(({ points }) => !haveSameInstants(points, first.points));
  return [...new Set([first, ...others].flatMap(({ points }) => [...points.instants]))].sort((a, b) => a - b);
}

type TransposedPart = RowPart & { readonly rows: TransposedRows };

/** One part per metric; undefined if a series, or two with the same labels, have several values at an instant. */
function createParts(
  { rows, units }: TransposableTable,
  placed: readonly PlacedSeries[],
  newest: readonly number[],
): TransposedPart[] | undefined {
  const values = rows.columns.filter(({ kind }) => kind === "value");
  const firstText = findFirstText(rows.columns);
  const varying = listVarying(rows);
  const names = varying.map((index) => rows.columns[index]?.name ?? "");
  const hasUnits = names.includes(UNIT_LABEL);
  const intervals = newest.map((): Column => ({ name: "", kind: "value" }));
  const columns = [...varying.map((index) => rows.columns[index] as Column), ...intervals];
  const parts: TransposedPart[] = [];
  for (const [valueColumn, { name, metric = name, unit = "" }] of values.entries()) {
    const series = placed.filter((member) => member.valueColumn === valueColumn);
    const transposed = series.flatMap((member): TransposedRow[] => {
      const cells = readValuesAt(member, newest);
      const labels = varying.map((index) =>
        showLabel(member.constants[index - firstText] ?? null, rows.columns[index]),
      );
      return cells ? [{ placed: member, labels, cells }] : [];
    });
    if (transposed.length < series.length || new Set(series.map(({ rank }) => rank)).size < series.length)
      return undefined;
    if (series.length === 0) continue;
    parts.push({
      title: metric,
      unit,
      rows: createTransposedRows(columns, orderRows(transposed, names, hasUnits), {
        unit,
        units,
        instants: newest,
      }),
    });
  }
  return parts;
}

function showLabel(cell: Cell, column: Column | undefined): Cell {
  return column?.isNumber ? cell : printText(cell) || NO_LABEL;
}

interface Choice {
  readonly parts: readonly TransposedPart[];
  readonly moments: readonly WallClockTime[];
  readonly look: Look;
  readonly width: number;
}

interface ChosenColumns {
  /** Labels, then the newest intervals; those that are not shown have no heading. */
  readonly columns: readonly GridColumn[];
  readonly fit: Fit;
  /** The number of intervals shown. */
  readonly intervals: number;
}

/** Chooses labels and decimals so that at least three intervals fit, or else the most that do. */
function chooseColumns(
  rows: TableRows,
  { parts, moments, look, width }: Choice,
): (ChosenColumns & { readonly sections: readonly Section[] }) | undefined {
  const varying = listVarying(rows);
  const implied = listImplied(rows, varying);
  const rests = measureWidest([TOTAL, ...parts.map((part) => nameRest(part.rows.count))]);
  let best: ReturnType<typeof chooseColumns>;
  for (const { isWhole, isStacked } of COMPROMISES) {
    const { printed, columns } = printParts(
      parts.map((part) => ({ ...part, isWhole })),
      look,
    );
    for (let dropped = 0; dropped <= implied.length; dropped++) {
      const kept = [...varying.keys()].filter((at) => !implied.slice(0, dropped).includes(varying[at] as number));
      const named = columns.map((column, at) =>
        at === kept[0] ? { ...column, widest: Math.max(column.widest, rests) } : column,
      );
      const found = fitIntervals(named, { kept, moments, look, width, interval: rows.interval, isStacked });
      if (!found || (best && found.intervals <= best.intervals)) continue;
      best = { ...found, sections: printed };
      if (found.intervals >= Math.min(MIN_INTERVALS, moments.length)) return best;
    }
  }
  return best;
}

interface GridCandidate extends Omit<Choice, "parts"> {
  /** The labels that are shown. */
  readonly kept: readonly number[];
  readonly interval: Interval | undefined;
  /** True to put the time below the day. */
  readonly isStacked: boolean;
}

/** Finds the largest number of the newest intervals that fits beside the labels. */
function fitIntervals(
  columns: readonly GridColumn[],
  { kept, moments, look, width, interval, isStacked }: GridCandidate,
) {
  let found: ChosenColumns | undefined;
  for (let intervals = 1; intervals <= moments.length; intervals++) {
    const shown = moments.slice(-intervals);
    const first = columns.length - intervals;
    const names = nameIntervals(shown, interval).map((name, at) => {
      const mark = look.partial.has(shown[at]?.instant ?? Number.NaN) ? MARK : "";
      return (isStacked ? name.replace(/ (?=\d\d:)/, "\n") : name) + mark;
    });
    const headed = columns.map((column, at) => (at < first ? column : { ...column, name: names[at - first] ?? "" }));
    const fit = { shown: [...kept, ...names.map((_, at) => first + at)], isBroken: false };
    if (fits(headed, { ...fit, width })) found = { columns: headed, fit, intervals };
  }
  return found;
}
