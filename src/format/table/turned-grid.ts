/** Tables with a row for each series, and a column for each of the newest intervals that fit. */
import { formatNumber } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Interval } from "../../base/intervals.ts";
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import type { UnitFacts } from "../../series/fuels.ts";
import type { Cell, PlacedSeries } from "../../series/layout/layout.ts";
import type { Zone } from "../../time/zone.ts";
import { printText } from "../cells.ts";
import { type Fit, fits, GAP } from "./fit.ts";
import { DOTS, type Footer, type Grid, type GridColumn, MARK, measureTexts, placeTitle } from "./grid.ts";
import { nameBuckets } from "./headings.ts";
import { describeConstants, findFirstText, listImplied, listVarying } from "./labels.ts";
import { type Look, SHOW_ALL, titleOfMetric } from "./row-grid.ts";
import { findClock, haveSameInstants, type TableRows } from "./rows.ts";
import type { Fitted } from "./screen.ts";
import { createMomentPrinter, WallClockTime } from "./stamps.ts";
import { nameRest, NO_LABEL, orderRows, readCells, type TurnedRow, TurnedSection } from "./turned-section.ts";

/** At least so many intervals are shown, if need be without decimals and without labels that others imply. */
const MIN_BUCKETS = 3;
/** What is tried in turn to reach them. */
const COMPROMISES = [
  { isWhole: false, isStacked: false },
  { isWhole: true, isStacked: false },
  { isWhole: true, isStacked: true },
] as const;
/** The least that a column takes. */
const NARROWEST = GAP + DOTS.length;

export interface Turnable {
  readonly rows: TableRows;
  readonly placed: readonly PlacedSeries[];
  readonly zone: Zone;
  readonly units: UnitFacts | undefined;
}

/** A turned table. `isWhole`: whether it has all intervals. */
export type Turned = Fitted & { readonly isWhole: boolean };

/** Undefined if the series differ in interval or clock, have several values at once, or do not fit. */
export function turnRows(table: Turnable, look: Look, width: number): Turned | undefined {
  const { rows } = table;
  const placed = table.placed.filter(({ points }) => points.instants.length > 0);
  const clocks = placed.map(findClock);
  const [clock] = clocks;
  const isOneClock = table.zone.offsetAt !== undefined || new Set(clocks).size === 1;
  if (clock === undefined || !isOneClock || new Set(placed.map(({ interval }) => interval)).size > 1) return undefined;
  const instants = listInstants(placed);
  const newest = instants.slice(-Math.max(1, Math.floor(width / NARROWEST)));
  const sections = createSections(table, { placed, newest, look });
  if (!sections) return undefined;
  const toMoment = (instant: number) => new WallClockTime(instant, table.zone.toWallClock(instant, clock));
  const moments = newest.map(toMoment);
  const layout = chooseColumns(rows, { sections, moments, look, width });
  if (!layout) return undefined;
  const { columns, fit, buckets } = layout;
  const shown = new Set(newest.slice(-buckets));
  const remarks = look.remarks.filter(({ isOfMark, instants: marked }) => !isOfMark || marked.some((instant) => shown.has(instant)));
  // A title takes the place of the only label's name.
  const varyingName = fit.shown.length - buckets === 1 ? columns[fit.shown[0] ?? 0]?.name : undefined;
  const ends = [instants[0], instants.at(-1)].map((instant = 0) => toMoment(instant));
  const printMoment = createMomentPrinter(ends, rows.interval, rows.stamps.length);
  const [only, ...more] = sections;
  const hasTitle = only !== undefined && more.length === 0 && fit.shown[0] === 0;
  const describe = (rowsShown: readonly number[]): Footer => {
    const amount = describeBuckets(buckets, instants.length, rows.interval);
    const interval = rows.interval && (amount.length === 0 || !BUCKET_NAMES[rows.interval]) ? [`interval ${rows.interval}`] : [];
    const zones = look.zone === undefined ? [] : [look.zone];
    const window = [...new Set(ends.map(printMoment))].join(" to ");
    const notes = new Set(sections.flatMap((section) => section.notes));
    return {
      groups: [[...amount, ...zones, ...interval, ...describeConstants(rows), window, ...notes]],
      optional: varyingName === undefined ? [] : [`by ${varyingName}`],
      // A row says how many are left out.
      hint: sections.some(({ count }, at) => (rowsShown[at] ?? 0) < count) ? SHOW_ALL : undefined,
      remarks,
    };
  };
  const grid: Grid = {
    ...(hasTitle ? placeTitle(columns, only.title, [...fit.shown]) : { columns, title: more.length === 0 ? only?.title : undefined }),
    sections,
    listMinor: () => [],
    describe,
  };
  return { grid, fit, isWhole: buckets === instants.length };
}

const BUCKET_NAMES: Readonly<Partial<Record<Interval, string>>> = {
  "1h": "hours",
  "1d": "days",
  "7d": "weeks",
  "1M": "months",
  "3M": "quarters",
  season: "seasons",
  "1y": "years",
  fy: "financial years",
};

/** `the last 6 of 73 hours; -f chart shows all`; nothing if all are shown. */
function describeBuckets(shown: number, count: number, interval: Interval | undefined): string[] {
  if (shown === count) return [];
  const names = (interval && BUCKET_NAMES[interval]) ?? "intervals";
  return [`the last ${shown === 1 ? "" : `${shown} `}of ${formatNumber(count)} ${names}; -f chart shows all`];
}

/** The distinct instants of all series, in order. */
function listInstants(placed: readonly PlacedSeries[]): readonly number[] {
  const [first] = placed;
  if (!first) return [];
  const others = placed.filter(({ points }) => !haveSameInstants(points, first.points));
  return [...new Set([first, ...others].flatMap(({ points }) => [...points.instants]))].sort((a, b) => a - b);
}

interface Sectioning {
  readonly placed: readonly PlacedSeries[];
  readonly newest: readonly number[];
  readonly look: Look;
}

/** One section per metric; undefined if a series, or two with the same labels, have several values at an instant. */
function createSections({ rows, units }: Turnable, { placed, newest, look }: Sectioning): TurnedSection[] | undefined {
  const values = rows.columns.filter(({ kind }) => kind === "value");
  const firstText = findFirstText(rows.columns);
  const varying = listVarying(rows);
  const names = varying.map((index) => rows.columns[index]?.name ?? "");
  const hasUnits = names.includes(UNIT_LABEL);
  const printers = varying.map((index) => createLabelPrinter(rows, index));
  const sections: TurnedSection[] = [];
  for (const [valueColumn, { name, metric = name, unit = "" }] of values.entries()) {
    const own = placed.filter((one) => one.valueColumn === valueColumn);
    const turned = own.map((one): TurnedRow | undefined => {
      const cells = readCells(one, newest);
      const labels = varying.map((index, at) => printers[at]?.(one.constants[index - firstText] ?? null) ?? "");
      return cells && { placed: one, labels, cells };
    });
    const found = turned.filter((row) => row !== undefined);
    if (found.length < own.length || new Set(own.map(({ rank }) => rank)).size < own.length) return undefined;
    if (own.length === 0) continue;
    sections.push(new TurnedSection({ name: metric, unit }, orderRows(found, { names, hasUnits }), { units, colors: look.colors }));
  }
  return sections;
}

function createLabelPrinter(rows: TableRows, index: number): (cell: Cell) => string {
  if (rows.columns[index]?.isNumber) return rows.survey(index).createPrinter().print;
  return (cell) => printText(cell) || NO_LABEL;
}

interface Choice {
  readonly sections: readonly TurnedSection[];
  readonly moments: readonly WallClockTime[];
  readonly look: Look;
  readonly width: number;
}

interface ChosenColumns {
  readonly columns: readonly GridColumn[];
  readonly fit: Fit;
  /** The number of intervals shown. */
  readonly buckets: number;
}

/** Chooses labels and decimals so that at least three intervals fit, or else the most that do. */
function chooseColumns(rows: TableRows, choice: Choice): ChosenColumns | undefined {
  const { sections, moments, look } = choice;
  const varying = listVarying(rows);
  const implied = listImplied(rows, varying);
  let best: ChosenColumns | undefined;
  for (const { isWhole, isStacked } of COMPROMISES) {
    const printed = sections.map((section) => {
      const numbers = section.survey.createPrinter({ unit: section.metric.unit, none: look.none, isWhole });
      return { section, numbers, widths: section.measure(numbers, moments.length) };
    });
    for (let dropped = 0; dropped <= implied.length; dropped++) {
      const kept = [...varying.keys()].filter((at) => !implied.slice(0, dropped).includes(varying[at] as number));
      const labels = describeLabels(rows, { varying, first: kept[0] ?? 0, sections });
      const found = fitBuckets(labels, {
        ...choice,
        kept,
        widths: printed.map(({ widths }) => widths),
        interval: rows.interval,
        isStacked,
      });
      if (!found || (best && found.buckets <= best.buckets)) continue;
      best = found;
      const columns = [...moments.keys()].slice(-found.buckets);
      for (const { section, numbers } of printed) {
        section.show({ columns, numbers, title: titleOfMetric(section.metric.name, numbers.unit), first: kept[0] ?? 0 });
      }
      if (found.buckets >= Math.min(MIN_BUCKETS, moments.length)) return best;
    }
  }
  return best;
}

interface Labelling {
  readonly varying: readonly number[];
  /** The first column that is shown, which also names the total. */
  readonly first: number;
  readonly sections: readonly TurnedSection[];
}

function describeLabels(rows: TableRows, { varying, first, sections }: Labelling): GridColumn[] {
  return varying.map((index, at): GridColumn => {
    const { name = "", unit = "", isNumber = false } = rows.columns[index] ?? {};
    const others = at === first ? sections.flatMap(({ count }) => ["total", nameRest(count)]) : [];
    const widest = measureTexts([...sections.flatMap((section) => section.listLabels(at)), ...others]);
    return { name: escapeControls(name), unit: escapeControls(unit), align: isNumber ? "right" : "left", widest };
  });
}

interface Candidate extends Choice {
  /** The labels that are shown. */
  readonly kept: readonly number[];
  /** Of each section, the width of each interval's values. */
  readonly widths: readonly (readonly number[])[];
  readonly interval: Interval | undefined;
  /** True to put the time below the day. */
  readonly isStacked: boolean;
}

/** Finds the largest number of the newest intervals that fits beside the labels. */
function fitBuckets(labels: readonly GridColumn[], { moments, look, width, ...candidate }: Candidate): ChosenColumns | undefined {
  const { kept, widths, interval, isStacked } = candidate;
  let found: ChosenColumns | undefined;
  for (let buckets = 1; buckets <= moments.length; buckets++) {
    const shown = moments.slice(-buckets);
    const names = nameBuckets(shown, interval).map((name) => (isStacked ? name.replace(/ (?=\d\d:)/, "\n") : name));
    const columns = names.map((name, at): GridColumn => {
      const widest = Math.max(DOTS.length, ...widths.map((own) => own[moments.length - buckets + at] ?? 0));
      return { name: look.partial.has(shown[at]?.instant ?? Number.NaN) ? `${name}${MARK}` : name, unit: "", align: "right", widest };
    });
    const fit = { shown: [...kept, ...columns.map((_, at) => labels.length + at)], isBroken: false };
    const all = [...labels, ...columns];
    if (fits(all, { ...fit, width })) found = { columns: all, fit, buckets };
  }
  return found;
}
