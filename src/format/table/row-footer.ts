/** What stands below a table with a row for each time or entry. */
import { FIXED_INTERVALS, findRule, lengthOf } from "../../base/intervals.ts";
import { formatCount, formatNumber } from "../../base/phrases.ts";
import { DAY } from "../../time/local-time.ts";
import type { Footer, Remark } from "./grid.ts";
import { describeConstants } from "./labels.ts";
import type { TableRows } from "./rows.ts";

interface DescribedRows {
  readonly rows: TableRows;
  readonly count: number;
  readonly window: readonly string[];
  /** From the first to the last timestamp, in milliseconds. */
  readonly span: number;
}

export interface Said {
  /** How many rows of each table. */
  readonly shown: readonly number[];
  /** The name of the zone, if all rows share it. */
  readonly zone: string | undefined;
  readonly remarks: readonly Remark[];
  readonly facts?: readonly string[];
  readonly optional?: readonly string[];
  /** True if the rows are not those of all intervals. */
  readonly isPicked?: boolean;
}

/** `2 of 864 rows`, the first and last timestamp, the zone, the interval; leaves out what is unknown. */
export function describeRows(
  printed: readonly DescribedRows[],
  { shown, zone, remarks, facts = [], optional = [], isPicked = false }: Said,
): Footer {
  const [{ rows }] = printed as [DescribedRows];
  const amount = describeAmount(
    shown,
    printed.map(({ count }) => count),
  );
  const windows = new Set(printed.map(({ window }) => window.join(" to ")));
  const window = windows.size === 1 ? [...windows].filter(Boolean) : [];
  const about = [...describeConstants(rows), ...facts];
  const times = window.length === 0 ? [] : [...window, ...(zone === undefined ? [] : [zone])];
  const interval = window.length > 0 && rows.interval ? [`interval ${rows.interval}`] : [];
  const isCut = printed.some(({ count }, at) => (shown[at] ?? 0) < count);
  const whole = isPicked ? [] : suggestWhole(printed[0] as DescribedRows, shown[0] ?? 0);
  const hints = isCut ? [...whole, SHOW_ALL] : [];
  return { groups: [[amount, ...times, ...interval], about], optional, hints, remarks };
}

/**
 * What shows a window of a day or more without leaving rows out: a coarser interval or, if that has few rows, a chart.
 */
function suggestWhole({ rows: { count, interval }, span }: DescribedRows, shown: number): string[] {
  const rule = interval && findRule(interval);
  if (!rule || !("ms" in rule) || span + rule.ms < DAY) return [];
  const whole = span < DAY ? "the whole day" : "the whole window";
  const coarser = FIXED_INTERVALS.find(
    (other) => lengthOf(other) > rule.ms && (count * rule.ms) / lengthOf(other) <= shown,
  );
  const isUseful = coarser !== undefined && span >= LEAST_ROWS * lengthOf(coarser);
  return [isUseful ? `-i ${coarser} shows ${whole}` : `-f chart shows ${whole}`];
}

/** Fewer rows than this show less than a chart. */
const LEAST_ROWS = 3;

/** `2 of 864 rows`, `864 rows each`; if tables differ, the sum. */
function describeAmount(shown: readonly number[], counts: readonly number[]): string {
  const isSame = new Set(counts).size === 1 && new Set(shown).size === 1;
  const add = (numbers: readonly number[]) =>
    isSame ? (numbers[0] ?? 0) : numbers.reduce((sum, number) => sum + number, 0);
  const rows = formatCount(add(counts), "row") + (isSame && counts.length > 1 ? " each" : "");
  return add(shown) < add(counts) ? `${formatNumber(add(shown))} of ${rows}` : rows;
}

/** What shows the rows left out. */
export const SHOW_ALL = "--limit 0 shows all rows";
