/** Tables with a row for each time, or for each entry of a list. */
import { escapeControls, red } from "../../base/terminal.ts";
import { type Cell, type Column, countTimes, hasTimestamps } from "../../series/layout/layout.ts";
import { printText } from "../cells.ts";
import {
  DOTS,
  MARK,
  type Excerpt,
  type Grid,
  type GridColumn,
  measureWidest,
  measureWords,
  placeTitle,
  type Remark,
  type Section,
} from "./grid.ts";
import { listImplied } from "./labels.ts";
import { type NumberPrinter, NumberSurvey } from "./numbers.ts";
import { describeRows, type Said } from "./row-footer.ts";
import type { PickedRows, ShownRow, TableRows } from "./rows.ts";
import { createMomentPrinter, WallClockTime } from "./timestamps.ts";

export interface Look {
  readonly colors: boolean;
  /** Text for a value that is null or missing. */
  readonly none: string;
  /** The starts of intervals that are not complete, as instants: their timestamps get a mark. */
  readonly partial: ReadonlySet<number>;
  /** What is said of them. */
  readonly remarks: readonly Remark[];
  /** The name of the zone, if all rows share it. */
  readonly zone: string | undefined;
}

export interface RowPart {
  readonly title: string;
  readonly rows: TableRows;
  /** The unit of all values, which is in the title; by default each column has its own in its heading. */
  readonly unit?: string | undefined;
  /** True to round to whole numbers where that leaves at least four digits. */
  readonly isWhole?: boolean;
}

/** `said`: what the footer says besides, and what it says if there is room. */
export function createRowGrid(
  parts: readonly RowPart[],
  look: Look,
  said: Pick<Said, "facts" | "optional" | "isPicked"> = {},
): Grid {
  const { printed, columns } = printParts(parts, look);
  const [first] = printed as [PrintedRows];
  const hasTitle = printed.length === 1 && first.title !== "";
  return {
    ...(hasTitle ? placeTitle(columns, first.title) : { columns }),
    sections: printed,
    listMinor: () => first.listMinor(),
    describe: (shown) => describeRows(printed, { shown, ...look, ...said }),
  };
}

/** The parts as sections, and the columns that they share. */
export function printParts(parts: readonly RowPart[], look: Pick<Look, "colors" | "none" | "partial">) {
  const printed = parts.map((part) => new PrintedRows(part, look));
  const [first] = printed as [PrintedRows];
  const columns = first.columns.map((column, at): GridColumn => {
    const own = printed.map((rows) => rows.columns[at] as GridColumn);
    const words = own.map(({ widestWord }) => widestWord);
    const widestWord = words.includes(undefined) ? undefined : Math.max(...words.map(Number));
    return { ...column, widest: Math.max(...own.map(({ widest }) => widest)), widestWord };
  });
  return { printed, columns };
}

/** Rows at the start of a long table by time, where the newest matter most; in other lists, at the end. */
const FEW = 3;

/** Rows with the printers of their columns, which depend on all rows, shown or not. */
class PrintedRows implements Section {
  readonly rows: TableRows;
  readonly title: string;
  readonly count: number;
  readonly columns: readonly GridColumn[];
  readonly window: readonly string[];
  /** From the first to the last timestamp, in milliseconds. */
  readonly span: number;
  readonly #look: Pick<Look, "colors" | "none" | "partial">;
  /** The columns that are shown, by their index among those of the rows. */
  readonly #shown: readonly number[];
  readonly #numbers: ReadonlyMap<number, NumberPrinter>;
  readonly #ends: readonly WallClockTime[];

  constructor({ rows, title, unit, isWhole = false }: RowPart, look: Pick<Look, "colors" | "none" | "partial">) {
    this.rows = rows;
    this.count = rows.count;
    this.#look = look;
    this.#shown = rows.columns.flatMap((_, index) => (rows.constants.has(index) ? [] : [index]));
    const shared = unit === undefined ? undefined : surveyAll(rows).createPrinter({ unit, none: look.none, isWhole });
    this.#numbers = new Map(
      this.#shown.flatMap((index) => {
        const column = rows.columns[index] as Column;
        if (!isNumericColumn(column)) return [];
        const survey = rows.survey(index);
        const all = column.kind === "value" && !column.isNumber ? surveyAll(rows, column) : survey;
        const options = { unit: column.unit, none: column.kind === "value" ? look.none : "", all };
        const isShared = shared !== undefined && column.kind === "value";
        return [
          [index, isShared ? { ...shared, widest: survey.measure(shared) } : survey.createPrinter(options)] as const,
        ];
      }),
    );
    this.title = unit === undefined ? title : titleOfMetric(title, shared?.unit ?? unit);
    this.columns = this.#shown.map((index) => this.#describe(index, unit !== undefined));
    const ends = hasTimestamps(rows.columns) ? [...rows.first(1), ...rows.last(1)] : [];
    this.#ends = ends.map(([timestamp]) => timestamp).filter((timestamp) => timestamp instanceof WallClockTime);
    this.span = (this.#ends.at(-1)?.instant ?? 0) - (this.#ends[0]?.instant ?? 0);
    const printTimestamp = this.#createTimestampPrinter([]);
    this.window = [...new Set(ends.map(([timestamp = null]) => printTimestamp(timestamp)))];
  }

  take(limit: number, nameAt: number): Excerpt {
    const { rows } = this;
    const { rows: picked, ...marks } = rows.pick?.(limit, nameAt) ?? pickEnds(rows, limit);
    return { rows: this.#print(picked), ...marks };
  }

  listMinor(): number[] {
    const { rows } = this;
    const ofLists = rows.columns
      .flatMap(({ minor }, index) => (minor === undefined ? [] : [{ index, minor }]))
      .toSorted((a, b) => a.minor - b.minor)
      .map(({ index }) => index);
    const texts = this.#shown.filter((index) => rows.columns[index]?.kind === "text");
    return [...ofLists, ...listImplied(rows, texts)].map((index) => this.#shown.indexOf(index)).filter((at) => at >= 0);
  }

  #describe(index: number, isUnitShared: boolean): GridColumn {
    const { rows } = this;
    const column = rows.columns[index] as Column;
    const numbers = this.#numbers.get(index);
    const names = {
      name: escapeControls(column.name),
      unit: isUnitShared && column.kind === "value" ? "" : escapeControls(numbers?.unit ?? column.unit ?? ""),
    };
    const least = DOTS.length;
    if (numbers) return { ...names, align: "right", widest: Math.max(numbers.widest, least) };
    if (column.kind === "timestamp" && rows.timestamps.widest > 0)
      return {
        ...names,
        align: "left",
        widest: rows.timestamps.widest + (this.#look.partial.size > 0 ? MARK.length : 0),
      };
    const texts = [...rows.textsOf(index)];
    const widestWord =
      column.kind === "text" && texts.some((text) => text.includes(" ")) ? measureWords(texts) : undefined;
    return { ...names, align: "left", widest: Math.max(measureWidest(texts), least), widestWord };
  }

  #print(rows: readonly ShownRow[]): string[][] {
    const { colors } = this.#look;
    const timestamps = this.rows.timestamps.named ? 1 : countTimes(this.rows.columns);
    const printTimestamp = this.#createTimestampPrinter(rows.flatMap((row) => row.slice(0, timestamps)));
    const printers = this.#shown.map((index) => {
      const numbers = this.#numbers.get(index);
      if (index === 0 && !numbers) return (cell: ShownCell) => printTimestamp(cell) + this.#markOf(cell);
      if (!numbers)
        return this.rows.columns[index]?.kind === "timestamp" && this.rows.timestamps.named
          ? printCellDay
          : printTimestamp;
      const isRed = colors && this.rows.columns[index]?.kind === "value";
      return (cell: ShownCell) => {
        const text = numbers.print(cell as Cell);
        return isRed && /^-\d/.test(text) ? red(text) : text;
      };
    });
    return rows.map((row) => this.#shown.map((index, at) => printers[at]?.(row[index] ?? null) ?? ""));
  }

  #markOf(cell: ShownCell): string {
    return cell instanceof WallClockTime && this.#look.partial.has(cell.instant) ? MARK : "";
  }

  #createTimestampPrinter(cells: readonly ShownCell[]): (cell: ShownCell) => string {
    const { timestamps } = this.rows;
    const moments = timestamps.mayRepeat
      ? new Set([...this.#ends, ...cells.filter((cell) => cell instanceof WallClockTime)])
      : [];
    const print = createMomentPrinter([...moments], timestamps.named, timestamps.length);
    return (cell) => (cell instanceof WallClockTime ? print(cell) : printText(cell));
  }
}

/** The start or end of an interval that has a name. */
function printCellDay(cell: ShownCell): string {
  return cell instanceof WallClockTime ? cell.wall.slice(0, "2025-01-31".length) : printText(cell);
}

/** The first few and the last rows, or those of a list the other way round. */
function pickEnds(rows: TableRows, limit: number): PickedRows {
  if (limit === 0 || limit >= rows.count) return { rows: rows.first(rows.count) };
  const few = Math.min(FEW, limit - 1);
  const [first, last] = hasTimestamps(rows.columns) ? [few, limit - few] : [limit - few, few];
  const gap: ShownRow = rows.columns.map(() => DOTS);
  return { rows: [...rows.first(first), gap, ...rows.last(last)], gapAt: first };
}

type ShownCell = ShownRow[number];

function isNumericColumn({ kind, isNumber }: Column): boolean {
  return kind === "value" || isNumber === true;
}

/** Surveys all value columns, or those of the metric and unit of one. */
function surveyAll(rows: TableRows, like?: Column): NumberSurvey {
  const survey = new NumberSurvey();
  for (const [index, { kind, metric, unit }] of rows.columns.entries())
    if (kind === "value" && (!like || (metric === like.metric && unit === like.unit))) survey.add(rows.survey(index));
  return survey;
}

/** `power (MW)` */
function titleOfMetric(metric: string, unit: string): string {
  return escapeControls(unit === "" ? metric : `${metric} (${unit})`);
}
