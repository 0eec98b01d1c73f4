/** The lines under a table: how many rows, from when to when, and what stands once for all of them. */
import { formatNumber } from "../base/phrases.ts";
import type { Interval } from "../base/vocabulary.ts";
import { measureText } from "./table-fit.ts";

export interface Facts {
  readonly count: number;
  readonly shown: number;
  /** The timestamps of the first row and the last; one if they are the same, none if unknown. */
  readonly window: readonly string[];
  readonly interval: Interval | undefined;
  /** The time zone of the timestamps; undefined without any. */
  readonly zone: string | undefined;
  /** The columns with one value in all rows, and other facts, as `network NEM`. */
  readonly constants: readonly string[];
  /** The columns that do not fit. */
  readonly hidden: readonly string[];
}

export function describeTable({ count, shown, window, interval, zone, constants, hidden }: Facts, width: number): string[] {
  const rows = `${formatNumber(count)} ${count === 1 ? "row" : "rows"}`;
  const amount = shown < count ? `${formatNumber(shown)} of ${rows}` : rows;
  const times =
    window.length === 0 ? [] : [window.join(" to "), ...(zone === undefined ? [] : [zone]), ...(interval ? [`interval ${interval}`] : [])];
  return [
    ...joinItems([amount, ...times], width),
    ...joinItems(constants, width),
    ...(hidden.length > 0 ? joinItems([`hidden (terminal too narrow): ${hidden[0]}`, ...hidden.slice(1)], width) : []),
  ];
}

/** Lines of items, none of which is broken. */
function joinItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    // A comma may follow.
    if (line === undefined || measureText(`${line}, ${item},`) > width) lines.push(item);
    else lines[lines.length - 1] = `${line}, ${item}`;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
}
