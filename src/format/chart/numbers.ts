/** Numbers where there is little room. */
import { format } from "d3-format";
import { printFigure, type Tick } from "../picture/scales.ts";

const printSuffixed = format(".3s");
const printRoundSuffixed = format(".3~s");

/** From here on a number is shortened: `12,345` to `12.3k`. */
const LARGE = 10_000;
/** Characters of a tick's text. */
const LONG = 7;

/** `10.2M`; smaller numbers in full. */
export function printCompact(value: number | undefined): string {
  return value === undefined || Math.abs(value) < LARGE ? printFigure(value) : toPlain(printSuffixed(value));
}

/** Ticks with suffixes where their texts are long, unless two of them became the same. */
export function shortenTicks(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.every(({ text }) => text.length <= LONG)) return ticks;
  const shorter = ticks.map(({ at }) => ({ at, text: toPlain(printRoundSuffixed(at)) }));
  return new Set(shorter.map(({ text }) => text)).size === ticks.length ? shorter : ticks;
}

/** With a hyphen for the minus sign, and `B` for a billion, which is no unit's prefix here. */
function toPlain(number: string): string {
  return number.replace("\u2212", "-").replace("G", "B");
}
