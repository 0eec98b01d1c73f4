/** The rows of a transposed table: the values of each series of a metric in the newest intervals, and their total. */
import { nameCode } from "../../base/code-names.ts";
import { BATTERY, FUEL_ORDER, ROOFTOP } from "../../base/fueltechs.ts";
import { groupBy } from "../../base/group-by.ts";
import { isDayOrLonger } from "../../base/intervals.ts";
import { formatNumber } from "../../base/phrases.ts";
import { ADDED_UNITS } from "../../base/vocabulary.ts";
import type { Cell, Column, PlacedSeries } from "../../series/layout/layout.ts";
import {
  findFuels,
  type FuelSource,
  isLoad,
  leaveOutDoubles,
  UNKNOWN_UNITS,
  type UnitFacts,
} from "../../series/fuels.ts";
import { readNumberLine } from "../../series/number-line.ts";
import { lowerBound, valueAt } from "../../series/point-operations.ts";
import { createFindLate } from "../../series/late.ts";
import { findInterval } from "../../series/time-series.ts";
import { printText } from "../cells.ts";
import { DOTS } from "./grid.ts";
import { NumberSurvey } from "./numbers.ts";
import { type PickedRows, listRows, type TableRows } from "./rows.ts";

/** One row: its labels, and its values in the newest intervals, as the service sent them. */
export interface TransposedRow {
  readonly placed: PlacedSeries;
  readonly labels: readonly Cell[];
  readonly cells: readonly Cell[];
}

/** The text for a label that a series lacks. */
export const NO_LABEL = "(none)";

/** `12 more` */
export function nameRest(rows: number): string {
  return `${formatNumber(rows)} more`;
}

export const TOTAL = "total";

/** The values at these instants; undefined if an instant has several. */
export function readValuesAt({ points }: PlacedSeries, instants: readonly number[]): Cell[] | undefined {
  const cells: Cell[] = [];
  for (const instant of instants) {
    const index = lowerBound(points, instant);
    if (points.instants[index + 1] === instant) return undefined;
    cells.push(points.instants[index] === instant ? valueAt(points, index) : null);
  }
  return cells;
}

export interface TransposedRows extends TableRows {
  /** Which series the total does not simply add, or why there is none. */
  readonly notes: readonly string[];
}

/** `columns`: the labels, then the intervals. */
export function createTransposedRows(
  columns: readonly Column[],
  rows: readonly TransposedRow[],
  {
    unit,
    units,
    instants,
  }: { readonly unit: string; readonly units: UnitFacts | undefined; readonly instants: readonly number[] },
): TransposedRows {
  const fuels = findFuels(
    rows.map(({ placed }) => placed.source),
    units,
  );
  const isOfSums = rows.every(({ placed: { source } }) => source.item.addsUp !== false);
  const mayAddUp = isOfSums && rows.length > 1 && ADDED_UNITS.includes(unit) && rows.every(isNumericRow);
  const isUnknown = mayAddUp && fuels.some((source) => source.isUnknown);
  const counts = mayAddUp && !isUnknown ? findSigns(rows, fuels) : undefined;
  const listed = listRows(
    columns,
    rows.map(({ labels, cells }) => [...labels, ...cells]),
  );
  const width = rows[0]?.cells.length ?? 0;
  const labels = columns.length - width;
  const late = findLate(rows, fuels, instants);
  const addWhole = (own: readonly TransposedRow[], signs: ReadonlyMap<TransposedRow, RowSign>) =>
    sumRows(own, signs, width).map((total, at) => (own.some((row) => late.get(row)?.[at]) ? null : total));
  const totals = counts && addWhole(rows, counts);
  const surveys = columns.map((_, at) =>
    listed.survey(at).addCells(totals && at >= labels ? [totals[at - labels] ?? null] : []),
  );
  let bySize: readonly TransposedRow[] | undefined;

  function pick(limit: number, nameAt: number): PickedRows {
    bySize ??= counts && sortBySize(rows, counts);
    // Of rows that add up, the largest, in their order.
    const largest = new Set((bySize ?? rows).slice(0, limit));
    const rest = rows.filter((row) => !largest.has(row));
    const shown = limit > 0 && rest.length > 0 ? rows.filter((row) => largest.has(row)) : rows;
    const heads = Array.from({ length: labels }, (_, at) => at === nameAt);
    const named = (name: string, cells: readonly Cell[]) => [...heads.map((isName) => (isName ? name : "")), ...cells];
    const isCut = shown.length < rows.length;
    const hidden = () => (counts ? addWhole(rest, counts) : Array<Cell>(width).fill(DOTS));
    const gap = isCut ? [named(nameRest(rest.length), hidden())] : [];
    return {
      rows: [...shown.map((row) => [...row.labels, ...row.cells]), ...gap, ...(totals ? [named(TOTAL, totals)] : [])],
      gapAt: isCut ? shown.length : undefined,
      totalAt: totals ? shown.length + gap.length : undefined,
    };
  }

  return {
    ...listed,
    survey: (column) => surveys[column] ?? new NumberSurvey(),
    pick,
    notes: [
      ...(isUnknown ? [`no total: ${UNKNOWN_UNITS}`] : describeCounts(counts)),
      ...(totals && [...late.values()].flat().includes(true) ? ["no total where rooftop solar is late"] : []),
    ],
  };
}

function sortBySize(
  rows: readonly TransposedRow[],
  counts: ReadonlyMap<TransposedRow, RowSign>,
): readonly TransposedRow[] {
  const sizes = sizeRows(rows);
  // The three rows of a battery stay together, though its net may be small.
  const ofBatteries = groupBy(rows, (row) => counts.get(row)?.battery);
  const sizeOf = (row: TransposedRow) => {
    const battery = counts.get(row)?.battery;
    return Math.max(
      ...(battery === undefined ? [row] : (ofBatteries.get(battery) ?? [])).map((part) => sizes.get(part) ?? 0),
    );
  };
  const signOf = (row: TransposedRow) => Math.abs(counts.get(row)?.sign ?? 1);
  return rows.toSorted((a, b) => sizeOf(b) - sizeOf(a) || signOf(b) - signOf(a));
}

/** The sum of rows in each interval, as far as they have values. */
function sumRows(rows: readonly TransposedRow[], counts: ReadonlyMap<TransposedRow, RowSign>, width: number): Cell[] {
  return Array.from({ length: width }, (_, at) => {
    const values = rows.flatMap((row) => {
      const cell = row.cells[at] ?? null;
      return cell === null ? [] : [(counts.get(row)?.sign ?? 1) * Number(cell)];
    });
    // A sum of doubles has digits beyond those of its terms.
    return values.length === 0 ? null : String(Number(values.reduce((sum, value) => sum + value, 0).toPrecision(15)));
  });
}

function isNumericRow({ cells }: TransposedRow): boolean {
  return cells.every((cell) => cell === null || (typeof cell === "string" && Number.isFinite(Number(cell))));
}

/** The size of each row: what all of its points add up to, whatever their sign, and not only those shown. */
function sizeRows(rows: readonly TransposedRow[]): ReadonlyMap<TransposedRow, number> {
  return new Map(
    rows.map((row) => [
      row,
      readNumberLine(row.placed.points).values.reduce((sum, value) => sum + Math.abs(value || 0), 0),
    ]),
  );
}

interface RowSign {
  /** 1, -1 for a load, or 0 for the net of a battery whose parts are there. */
  readonly sign: number;
  /** The same for the rows of a battery. */
  readonly battery: string | undefined;
}

/** `fuels`: of the rows, in the same order. Of loads alone, the total is theirs. */
function findSigns(rows: readonly TransposedRow[], fuels: readonly FuelSource[]): ReadonlyMap<TransposedRow, RowSign> {
  const counted = new Set(leaveOutDoubles(fuels));
  const isTaken = new Map(
    fuels.map((source) => [source, isLoad(source, () => readNumberLine(source.series.points).values)]),
  );
  const load = [...counted].every((source) => isTaken.get(source)) ? 1 : -1;
  return new Map(
    fuels.map((source, index) => {
      const isBattery = source.fuel?.startsWith(BATTERY.net) === true;
      const sign = !counted.has(source) ? 0 : isTaken.get(source) ? load : 1;
      return [rows[index] as TransposedRow, { battery: isBattery ? source.plant : undefined, sign }];
    }),
  );
}

/** Rows of rooftop solar, each with the intervals in which it has no value yet, so that a total would be too small. */
function findLate(
  rows: readonly TransposedRow[],
  fuels: readonly FuelSource[],
  instants: readonly number[],
): Map<TransposedRow, boolean[]> {
  const late = new Map<TransposedRow, boolean[]>();
  for (const [index, { fuel, item, series }] of fuels.entries()) {
    if (fuel !== ROOFTOP || isDayOrLonger(findInterval(item))) continue;
    const isLate = createFindLate(series.points);
    late.set(
      rows[index] as TransposedRow,
      instants.map((instant) => isLate(instant)),
    );
  }
  return late;
}

function describeCounts(counts: ReadonlyMap<TransposedRow, RowSign> | undefined): string[] {
  const has = (sign: number) => [...(counts?.values() ?? [])].some((count) => count.sign === sign);
  return [...(has(0) ? ["each battery is in the total once"] : []), ...(has(-1) ? ["loads are subtracted"] : [])];
}

/** Rows by the field's order of fueltechs, units by size, others in canonical order, label by label. */
export function orderRows(
  rows: readonly TransposedRow[],
  names: readonly string[],
  hasUnits: boolean,
): TransposedRow[] {
  if (hasUnits) {
    const sizes = sizeRows(rows);
    return rows.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }
  const ranks = names.map((name, at) => {
    const texts = [...new Set(rows.map(({ labels }) => printText(labels[at] ?? null)))];
    const isFuel = name === "fueltech" || name === "fueltech_group";
    return new Map((isFuel ? orderFuels(texts) : texts).map((text, rank) => [text, rank]));
  });
  const rankOf = ({ labels }: TransposedRow, at: number) => ranks[at]?.get(printText(labels[at] ?? null)) ?? 0;
  return rows.toSorted((a, b) => {
    const at = names.findIndex((_, index) => rankOf(a, index) !== rankOf(b, index));
    return at < 0 ? 0 : rankOf(a, at) - rankOf(b, at);
  });
}

/** Fueltechs in the field's order, by code or name, others after them. */
export function orderFuels(texts: readonly string[]): string[] {
  const rankOf = (text: string) => FUEL_RANKS.get(text) ?? FUEL_ORDER.length;
  return texts.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const FUEL_RANKS: ReadonlyMap<string, number> = new Map(
  FUEL_ORDER.flatMap((code, rank) => [
    [code, rank],
    [nameCode("fueltech", code) ?? code, rank],
  ]),
);
