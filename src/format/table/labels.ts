/** What the text columns of series say, known from their labels without a look at each row. */
import type { Cell } from "../series/layout/layout.ts";
import { listLabelLists, orderLabelNames } from "../series/order.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { TableRows } from "./table-rows.ts";
import { printText } from "./table-texts.ts";

/** The text columns with one value in all rows, by their index. */
export function findConstants(rows: TableRows): ReadonlyMap<number, string> {
  const [first = [], ...others] = rows.labelSets;
  const isConstant = (cell: Cell, at: number) =>
    others.every((cells) => cells[at] === cell || printText(cells[at] ?? null) === printText(cell));
  const texts = listTextColumns(rows);
  return new Map(first.flatMap((cell, at) => (isConstant(cell, at) ? [[texts[at] as number, printText(cell)] as const] : [])));
}

/** The text columns that another one implies, the last first: what stands in the other tells what stands in them. */
export function listImplied(rows: TableRows, varying: ReadonlySet<number>): number[] {
  if (rows.labelSets.length === 0) return [];
  const texts = listTextColumns(rows);
  const kept = texts.flatMap((index, at) => (varying.has(index) ? [at] : []));
  const dropped: number[] = [];
  for (const at of kept.toReversed()) {
    if (!kept.some((other) => other !== at && implies(rows.labelSets, other, at))) continue;
    kept.splice(kept.indexOf(at), 1);
    dropped.push(texts[at] as number);
  }
  return dropped;
}

/** The label that alone tells the series of a metric from one another. */
export function findOnlyLabel(rows: TableRows, timeSeries: readonly TimeSeries[]): string | undefined {
  const metrics = rows.columns.filter(({ kind }) => kind === "value");
  const constants = findConstants(rows);
  const [only, ...others] = listTextColumns(rows).flatMap((index, at) => (constants.has(index) ? [] : [at]));
  if (metrics.length > 1 || only === undefined || others.length > 0) return undefined;
  // The network stands before the labels.
  return orderLabelNames(listLabelLists(timeSeries))[only - 1];
}

function listTextColumns({ columns }: TableRows): number[] {
  return columns.flatMap(({ kind }, index) => (kind === "text" ? [index] : []));
}

function implies(sets: TableRows["labelSets"], one: number, other: number): boolean {
  const known = new Map<string, string>();
  return sets.every((cells) => {
    const [key, value] = [printText(cells[one] ?? null), printText(cells[other] ?? null)];
    const before = known.get(key) ?? value;
    known.set(key, value);
    return before === value;
  });
}
