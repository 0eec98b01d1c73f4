/** The rows of a turned table: the values of each series of a metric in the newest intervals, and their total. */
import { nameCode } from "../../base/code-names.ts";
import { BATTERY, FUEL_ORDER } from "../../base/fueltechs.ts";
import { groupBy } from "../../base/group-by.ts";
import { formatNumber } from "../../base/phrases.ts";
import { red } from "../../base/terminal.ts";
import type { Cell, PlacedSeries } from "../../series/layout/layout.ts";
import { findFuels, type FuelSource, isLoad, UNKNOWN_UNITS, type UnitFacts } from "../../series/fuels.ts";
import { readNumberLine } from "../../series/number-line.ts";
import { lowerBound, valueAt } from "../../series/point-operations.ts";
import { DOTS, type Excerpt, type Section } from "./grid.ts";
import { NumberSurvey, type NumberPrinter } from "./numbers.ts";

/** One row: its label texts, and its values in the newest intervals, as the service sent them. */
export interface TurnedRow {
  readonly placed: PlacedSeries;
  readonly labels: readonly string[];
  readonly cells: readonly Cell[];
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
}

interface Shown {
  /** The indexes of the shown cells. */
  readonly columns: readonly number[];
  readonly numbers: NumberPrinter;
  readonly title: string;
  /** The label that names the rest and the total. */
  readonly first: number;
}

/** The text for a label that a series lacks. */
export const NO_LABEL = "(none)";

/** `12 more` */
export function nameRest(rows: number): string {
  return `${formatNumber(rows)} more`;
}

interface Facts {
  readonly units: UnitFacts | undefined;
  readonly colors: boolean;
}

/** Units of values that add up over the series of an interval. */
const ADDED_UNITS: readonly string[] = ["MW", "MWh", "$", "t"];

/** The values at these instants; undefined if an instant has several. */
export function readCells({ points }: PlacedSeries, instants: readonly number[]): Cell[] | undefined {
  const cells: Cell[] = [];
  for (const instant of instants) {
    const index = lowerBound(points, instant);
    if (points.instants[index + 1] === instant) return undefined;
    cells.push(points.instants[index] === instant ? valueAt(points, index) : null);
  }
  return cells;
}

export class TurnedSection implements Section {
  readonly metric: Metric;
  readonly count: number;
  /** Which series the total does not simply add, or why there is none. */
  readonly notes: readonly string[];
  readonly survey = new NumberSurvey();
  #shown: Shown = { columns: [], numbers: new NumberSurvey().createPrinter(), title: "", first: 0 };
  readonly #rows: readonly TurnedRow[];
  readonly #colors: boolean;
  /** How each row counts in the total; undefined if the rows do not add up. */
  readonly #counts: ReadonlyMap<TurnedRow, Count> | undefined;
  #bySize: readonly TurnedRow[] | undefined;

  constructor(metric: Metric, rows: readonly TurnedRow[], { units, colors }: Facts) {
    this.metric = metric;
    this.count = rows.length;
    this.#colors = colors;
    this.#rows = rows;
    const fuels = findFuels(
      rows.map(({ placed }) => placed.source),
      units,
    );
    const mayAddUp = rows.length > 1 && ADDED_UNITS.includes(metric.unit) && rows.every(isNumeric);
    const isUnknown = mayAddUp && fuels.some((source) => source.isUnknown);
    this.#counts = mayAddUp && !isUnknown ? countRows(rows, fuels) : undefined;
    this.notes = isUnknown ? [`no total: ${UNKNOWN_UNITS}`] : describeCounts(this.#counts);
    for (const { cells } of rows) this.survey.addCells(cells);
    this.survey.addCells(this.#addUp(rows, rows[0]?.cells.length ?? 0));
  }

  /** The texts of a label, by its place among the labels. */
  listLabels(at: number): string[] {
    return this.#rows.map(({ labels }) => labels[at] ?? "");
  }

  /** The widest text of each column, if printed by `numbers`. */
  measure(numbers: NumberPrinter, columns: number): number[] {
    const all = [...this.#rows.map(({ cells }) => cells), this.#addUp(this.#rows, columns)];
    return Array.from({ length: columns }, (_, at) => new NumberSurvey().addCells(all.map((cells) => cells[at] ?? null)).measure(numbers));
  }

  /** Sets what is shown, once that is known. */
  show(shown: Shown): void {
    this.#shown = shown;
  }

  get title(): string {
    return this.#shown.title;
  }

  take(limit: number): Excerpt {
    const isCut = limit > 0 && limit < this.count;
    const shown = isCut ? this.#pickRows(limit) : this.#rows;
    const hidden = isCut ? this.#rows.filter((row) => !shown.includes(row)) : [];
    const rows = shown.map((row) => [...row.labels, ...this.#print(row.cells)]);
    const labels = (name: string) => (shown[0]?.labels ?? []).map((_, at) => (at === this.#shown.first ? name : ""));
    const sums = (of: readonly TurnedRow[]) => this.#print(this.#addUp(of, shown[0]?.cells.length ?? 0));
    const rest = () => (this.#counts ? sums(hidden) : this.#shown.columns.map(() => DOTS));
    const gap = isCut ? [[...labels(nameRest(hidden.length)), ...rest()]] : [];
    const total = this.#counts ? [[...labels("total"), ...sums(this.#rows)]] : [];
    return {
      rows: [...rows, ...gap, ...total],
      gapAt: isCut ? rows.length : undefined,
      totalAt: this.#counts ? rows.length + gap.length : undefined,
    };
  }

  /** Of rows that add up, the largest, in their order. */
  #pickRows(limit: number): readonly TurnedRow[] {
    if (!this.#counts) return this.#rows.slice(0, limit);
    this.#bySize ??= this.#sortBySize(this.#counts);
    const largest = new Set(this.#bySize.slice(0, limit));
    return this.#rows.filter((row) => largest.has(row));
  }

  #sortBySize(counts: ReadonlyMap<TurnedRow, Count>): readonly TurnedRow[] {
    const sizes = sizeRows(this.#rows);
    // The three rows of a battery stay together, though its net may be small.
    const ofBatteries = groupBy(this.#rows, (row) => counts.get(row)?.battery);
    const sizeOf = (row: TurnedRow) => {
      const battery = counts.get(row)?.battery;
      return Math.max(...(battery === undefined ? [row] : (ofBatteries.get(battery) ?? [])).map((one) => sizes.get(one) ?? 0));
    };
    const signOf = (row: TurnedRow) => Math.abs(counts.get(row)?.sign ?? 1);
    return this.#rows.toSorted((a, b) => sizeOf(b) - sizeOf(a) || signOf(b) - signOf(a));
  }

  /** The sum of rows in each column, as far as they have values. */
  #addUp(rows: readonly TurnedRow[], columns: number): Cell[] {
    const counts = this.#counts;
    if (!counts) return [];
    return Array.from({ length: columns }, (_, at) => {
      const values = rows.flatMap((row) => {
        const cell = row.cells[at] ?? null;
        return cell === null ? [] : [(counts.get(row)?.sign ?? 1) * Number(cell)];
      });
      // A sum of doubles has digits beyond those of its terms.
      return values.length === 0 ? null : String(Number(values.reduce((sum, value) => sum + value, 0).toPrecision(15)));
    });
  }

  #print(cells: readonly Cell[]): string[] {
    const { columns, numbers } = this.#shown;
    return columns.map((at) => {
      const text = numbers.print(cells[at] ?? null);
      return this.#colors && /^-\d/.test(text) ? red(text) : text;
    });
  }
}

function isNumeric({ cells }: TurnedRow): boolean {
  return cells.every((cell) => cell === null || (typeof cell === "string" && Number.isFinite(Number(cell))));
}

/** The size of each row: what all of its points add up to, whatever their sign, and not only those shown. */
function sizeRows(rows: readonly TurnedRow[]): ReadonlyMap<TurnedRow, number> {
  return new Map(rows.map((row) => [row, readNumberLine(row.placed.points).values.reduce((sum, value) => sum + Math.abs(value || 0), 0)]));
}

interface Count {
  /** 1, -1 for a load, or 0 for a part of a battery whose net is there. */
  readonly sign: number;
  /** The same for the rows of a battery. */
  readonly battery: string | undefined;
}

/** `fuels`: of the rows, in the same order. */
function countRows(rows: readonly TurnedRow[], fuels: readonly FuelSource[]): ReadonlyMap<TurnedRow, Count> {
  const nets = new Set(fuels.filter(({ fuel }) => fuel === BATTERY.net).map(({ plant }) => plant));
  return new Map(
    fuels.map((source, index) => {
      const { fuel, plant, series } = source;
      const isPart = fuel === BATTERY.charging || fuel === BATTERY.discharging;
      const battery = isPart || fuel === BATTERY.net ? plant : undefined;
      const isSubtracted = fuel !== undefined && isLoad(source, () => readNumberLine(series.points).values);
      return [rows[index] as TurnedRow, { battery, sign: isPart && nets.has(plant) ? 0 : isSubtracted ? -1 : 1 }];
    }),
  );
}

function describeCounts(counts: ReadonlyMap<TurnedRow, Count> | undefined): string[] {
  const has = (sign: number) => [...(counts?.values() ?? [])].some((count) => count.sign === sign);
  return [...(has(0) ? ["batteries count once"] : []), ...(has(-1) ? ["loads subtracted"] : [])];
}

/** Rows by the field's order of fueltechs, units by size, others in canonical order, label by label. */
export function orderRows(rows: readonly TurnedRow[], { names, hasUnits }: { names: readonly string[]; hasUnits: boolean }): TurnedRow[] {
  if (hasUnits) {
    const sizes = sizeRows(rows);
    return rows.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }
  const ranks = names.map((name, at) => {
    const texts = [...new Set(rows.map(({ labels }) => labels[at] as string))];
    const isFuel = name === "fueltech" || name === "fueltech_group";
    return new Map((isFuel ? orderFuels(texts) : texts).map((text, rank) => [text, rank]));
  });
  const rankOf = ({ labels }: TurnedRow, at: number) => ranks[at]?.get(labels[at] as string) ?? 0;
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
