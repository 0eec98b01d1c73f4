/** Numbers for reading: grouped thousands, and the same number of decimals throughout a column. */
import { isLosslessNumber } from "../../base/json.ts";
import { groupDigits } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Cell } from "../../series/layout/layout.ts";
import { toPlainText } from "../cells.ts";

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const MAX_DECIMALS = 2;
/** Maximum decimals for a column whose values would otherwise all be rounded to 0. */
const MAX_SMALL_DECIMALS = 10;
/** Above it, doubles are too coarse to be rounded to decimals. */
const MAX_ROUNDED = 1e13;

/** Prints the values of a column with at most two decimals, or more if all would be 0. Anything but a number is shown unchanged. */
export function createValuePrinter(cells: readonly Cell[]): (cell: Cell) => string {
  const decimals = chooseDecimals(cells);
  const half = new RegExp(`\\.\\d{${decimals}}50*$`);
  return (cell) => {
    const text = findDigits(cell);
    const number = toNumber(text);
    if (number === undefined || decimals === undefined) {
      return text === "" || /e/i.test(text) ? escapeControls(toPlainText(cell, "value")) : groupThousands(text);
    }
    // The double of 64.595 is slightly less and would be rounded down.
    const rest = half.test(text) ? Math.sign(number) * 10 ** -(decimals + 2) : 0;
    return groupThousands((number + rest).toFixed(decimals));
  };
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
function toNumber(text: string): number | undefined {
  if (text === "") return undefined;
  const number = Number(text);
  const isTooSmall = number === 0 && /^[-0.]*[1-9]/.test(text);
  return Math.abs(number) < MAX_ROUNDED && !isTooSmall ? number : undefined;
}

/** Undefined if too many decimals would be needed. */
function chooseDecimals(cells: readonly Cell[]): number | undefined {
  let most = 0;
  let largest = 0;
  for (const cell of cells) {
    const number = toNumber(findDigits(cell));
    if (number === undefined) continue;
    largest = Math.max(largest, Math.abs(number));
    if (most < MAX_DECIMALS) most = Math.max(most, countDecimals(number));
    else if (isShown(largest)) return most;
  }
  if (largest === 0 || isShown(largest)) return most;
  // Two significant digits of the largest value.
  const small = Math.ceil(-Math.log10(largest)) + 1;
  return small <= MAX_SMALL_DECIMALS ? small : undefined;
}

function isShown(number: number): boolean {
  return Number(number.toFixed(MAX_DECIMALS)) > 0;
}

function countDecimals(number: number): number {
  if (Number.isInteger(number)) return 0;
  return /\.\d$/.test(String(number)) ? 1 : MAX_DECIMALS;
}
