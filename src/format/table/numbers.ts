/** Numbers for reading: grouped thousands, one prefix and the same number of decimals throughout a column. */
import { isLosslessNumber } from "../../base/json.ts";
import { type LargerUnit, listLargerUnits } from "../../base/larger-units.ts";
import { groupDigits } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Cell } from "../../series/layout/layout.ts";
import { createNumberReader, valueAt } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { toPlainText } from "../cells.ts";
import { measureCells } from "../text-width.ts";

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const MAX_DECIMALS = 2;
/** Maximum decimals for a column whose values would otherwise all be rounded to 0. */
const MAX_SMALL_DECIMALS = 10;
/** Above it, doubles are too coarse to be rounded to decimals. */
const MAX_ROUNDED = 1e13;

/** Below it, a column may have no number that decimals show. */
const TINY = 1e-8;

/** From seven digits on, a larger unit reads better, unless it leaves a single digit before the point. */
const LARGE = 1e6;
const LEAST = 10;

/** What decides how the numbers of a column are printed. */
export class NumberSurvey {
  #lowest = 0;
  #highest = 0;
  #decimals = 0;
  /** False if a number cannot be rounded, and so not be divided either. */
  #isDivisible = true;
  /** In terminal cells, of what is printed unchanged. */
  #widestOther = 0;
  /** The same of numbers that are, if no number is larger. */
  #widestTiny = 0;

  /** @returns the survey, with the values of a series added. */
  addPoints(points: Points): this {
    const read = createNumberReader(points);
    for (let index = 0; index < points.instants.length; index++) {
      const number = read(index);
      const size = Math.abs(number ?? 0);
      if (size < TINY || size >= MAX_ROUNDED) this.addCell(valueAt(points, index));
      else if (number) this.#add(number);
    }
    return this;
  }

  addCell(cell: Cell): void {
    if (cell === null) return;
    const digits = findDigits(cell);
    const number = readRounded(digits);
    if (number === undefined) this.#widestOther = Math.max(this.#widestOther, measureCells(printUnchanged(cell)));
    if (number === undefined && digits !== "") this.#isDivisible = false;
    if (number !== undefined && Math.abs(number) < TINY) this.#widestTiny = Math.max(this.#widestTiny, digits.length);
    if (number !== undefined) this.#add(number);
  }

  /** @returns the survey, with the cells added. */
  addCells(cells: Iterable<Cell>): this {
    for (const cell of cells) this.addCell(cell);
    return this;
  }

  #add(number: number): void {
    if (number < this.#lowest) this.#lowest = number;
    if (number > this.#highest) this.#highest = number;
    if (this.#decimals < MAX_DECIMALS) this.#decimals = Math.max(this.#decimals, countDecimals(number));
  }

  /** Adds what another survey found. */
  add(other: NumberSurvey): void {
    this.#lowest = Math.min(this.#lowest, other.#lowest);
    this.#highest = Math.max(this.#highest, other.#highest);
    this.#decimals = Math.max(this.#decimals, other.#decimals);
    this.#isDivisible &&= other.#isDivisible;
    this.#widestOther = Math.max(this.#widestOther, other.#widestOther);
    this.#widestTiny = Math.max(this.#widestTiny, other.#widestTiny);
  }

  /** Terminal cells of the widest value if another column's printer prints it. */
  measure({ print }: Pick<NumberPrinter, "print">): number {
    const numbers = [this.#lowest, this.#highest].map((number) => measureCells(print(String(number))));
    return Math.max(...numbers, measureCells(print(null)), this.#widestOther);
  }

  /** `none`: text for a null. `isWhole`: rounds to whole numbers where that leaves at least four digits. */
  createPrinter({ unit = "", none = "", isWhole = false, all = this }: NumberOptions = {}): NumberPrinter {
    const largest = Math.max(-this.#lowest, this.#highest);
    const { name, power } = all.#isDivisible
      ? chooseColumnUnit(unit, Math.max(-all.#lowest, all.#highest))
      : { name: unit, power: 0 };
    const decimals =
      isWhole && largest / 10 ** power >= 1000 ? 0 : chooseDecimals(largest, power > 0 ? MAX_DECIMALS : this.#decimals);
    const print = createPrint({ decimals, power, none });
    return {
      unit: name,
      print,
      widest: Math.max(this.measure({ print }), decimals === undefined ? this.#widestTiny : 0),
    };
  }
}

interface NumberOptions {
  readonly unit?: string | undefined;
  readonly none?: string;
  readonly isWhole?: boolean;
  /** The numbers that share one unit; by default the column's own. */
  readonly all?: NumberSurvey;
}

export interface NumberPrinter {
  /** The unit of the printed numbers. */
  readonly unit: string;
  /** Prints anything but a number unchanged. */
  readonly print: (cell: Cell) => string;
  /** Terminal cells of the widest value. */
  readonly widest: number;
}

function chooseColumnUnit(unit: string, largest: number): LargerUnit {
  const units = [{ name: unit, power: 0 }, ...listLargerUnits(unit).filter(({ name }) => name !== "$k")] as const;
  const found = units.find(({ power }) => largest / 10 ** power < LARGE) ?? units.at(-1);
  return found && largest / 10 ** found.power >= LEAST ? found : units[0];
}

/** `most`: the decimals that a value has. Undefined if too many decimals would be needed. */
function chooseDecimals(largest: number, most: number): number | undefined {
  if (largest === 0 || Number(largest.toFixed(MAX_DECIMALS)) > 0) return most;
  // Two significant digits of the largest value.
  const small = Math.ceil(-Math.log10(largest)) + 1;
  return small <= MAX_SMALL_DECIMALS ? small : undefined;
}

interface NumberStyle {
  readonly decimals: number | undefined;
  readonly power: number;
  readonly none: string;
}

function createPrint({ decimals, power, none }: NumberStyle): (cell: Cell) => string {
  const half = new RegExp(`\\.\\d{${decimals}}50*$`);
  return (cell) => {
    if (cell === null) return none;
    const digits = findDigits(cell);
    const text = power === 0 ? digits : movePoint(digits, power);
    const number = readRounded(text);
    if (number === undefined || decimals === undefined) return printUnchanged(cell);
    // The double of 64.595 is slightly less and would be rounded down.
    const rest = half.test(text) ? Math.sign(number) * 10 ** -(decimals + 2) : 0;
    return groupThousands((number + rest).toFixed(decimals));
  };
}

/** Divides by a power of ten, digit for digit. */
function movePoint(digits: string, power: number): string {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
  if (whole === undefined) return digits === "" ? "" : String(Number(digits) / 10 ** power);
  const padded = whole.padStart(power + 1, "0");
  return `${sign}${padded.slice(0, -power)}.${padded.slice(-power)}${fraction}`;
}

function printUnchanged(cell: Cell): string {
  const text = findDigits(cell);
  return text === "" || /e/i.test(text) ? escapeControls(toPlainText(cell, "value")) : groupThousands(text);
}

function groupThousands(number: string): string {
  return number.replace(/^-?\d+/, groupDigits);
}

/** A number as the service sent it; empty for anything else. */
function findDigits(cell: Cell): string {
  const text = isLosslessNumber(cell) ? cell.value : cell;
  return typeof text === "string" && NUMBER.test(text) ? text : "";
}

/** Undefined if the text is not a number, or cannot be rounded. */
function readRounded(text: string): number | undefined {
  if (text === "") return undefined;
  const number = Number(text);
  const isTooSmall = number === 0 && /^[-0.]*[1-9]/.test(text);
  return Math.abs(number) < MAX_ROUNDED && !isTooSmall ? number : undefined;
}

function countDecimals(number: number): number {
  if (Number.isInteger(number)) return 0;
  return /\.\d$/.test(String(number)) ? 1 : MAX_DECIMALS;
}
