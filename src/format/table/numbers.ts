/** Numbers for reading: thousands separated, and one number of decimals in a column. */
import { groupDigits } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Cell } from "../../series/layout/layout.ts";
import { toPlainText } from "../cells.ts";

const NUMBER = /^(-?)(\d+)(\.\d+)?(?:[eE][+-]?\d+)?$/;

const MAX_DECIMALS = 2;
/** The most decimals of a column whose values would all be rounded to 0. */
const MAX_SMALL_DECIMALS = 10;
/** Below it, doubles are closer to each other than what is rounded. */
const MAX_ROUNDED = 1e13;

/** Prints the values of a column: with two decimals at most, or more where all would be 0. Anything else is shown as it came. */
export function createValuePrinter(cells: Iterable<Cell>): (cell: Cell) => string {
  const decimals = chooseDecimals(cells);
  const half = new RegExp(`\\.\\d{${decimals}}50*$`);
  return (cell) => {
    const number = toNumber(cell);
    if (number === undefined || decimals === undefined) return printAsSent(cell);
    // The double of 64.595 is a little less, and would be rounded down.
    const rest = half.test(cell as string) ? Math.sign(number) * 10 ** -(decimals + 2) : 0;
    const text = (number + rest).toFixed(decimals);
    const whole = decimals === 0 ? text.length : text.length - decimals - 1;
    return groupWhole(text.slice(0, whole)) + text.slice(whole);
  };
}

function printAsSent(cell: Cell): string {
  const [, sign, whole, fraction = ""] = (typeof cell === "string" && NUMBER.exec(cell)) || [];
  if (sign !== undefined && whole !== undefined && cell === sign + whole + fraction) return sign + groupDigits(whole) + fraction;
  return escapeControls(toPlainText(cell, "value"));
}

function groupWhole(text: string): string {
  return text.startsWith("-") ? `-${groupDigits(text.slice(1))}` : groupDigits(text);
}

/** Undefined for what is no number, or one that cannot be rounded. */
function toNumber(cell: Cell): number | undefined {
  if (typeof cell !== "string" || !NUMBER.test(cell)) return undefined;
  const number = Number(cell);
  const isTooSmall = number === 0 && /^[-0.]*[1-9]/.test(cell);
  return Math.abs(number) < MAX_ROUNDED && !isTooSmall ? number : undefined;
}

/** Undefined where too many would be needed. */
function chooseDecimals(cells: Iterable<Cell>): number | undefined {
  let most = 0;
  let largest = 0;
  for (const cell of cells) {
    const number = toNumber(cell);
    if (number === undefined) continue;
    largest = Math.max(largest, Math.abs(number));
    if (most < MAX_DECIMALS) most = Math.max(most, countDecimals(number));
    else if (isShown(largest)) return most;
  }
  if (largest === 0 || isShown(largest)) return most;
  // Two digits of the largest.
  const small = Math.ceil(-Math.log10(largest)) + 1;
  return small <= MAX_SMALL_DECIMALS ? small : undefined;
}

/** Whether it is more than 0 when rounded. */
function isShown(number: number): boolean {
  return Number(number.toFixed(MAX_DECIMALS)) > 0;
}

function countDecimals(number: number): number {
  if (Number.isInteger(number)) return 0;
  return /\.\d$/.test(String(number)) ? 1 : MAX_DECIMALS;
}
