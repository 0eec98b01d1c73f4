/** The ways in which a result can be shown as a table. */
import { escapeControls } from "../../base/terminal.ts";
import type { Cell, Column, PlacedSeries, Row } from "../../series/layout/layout.ts";
import { stampAt } from "../../series/point-operations.ts";
import { formatOffset } from "../../time/local-time.ts";
import { findSentOffset } from "../../time/stamp.ts";
import { nameZone, NETWORK_ZONE, type Zone } from "../../time/zone.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import type { LaidSeries } from "../format.ts";
import { listedRows, seriesRows, type TableRows } from "./rows.ts";
import { printText } from "./texts.ts";
import { listLabelLists, orderLabelNames } from "../../series/order.ts";

export interface View {
  readonly rows: TableRows;
  /** The text columns with one value in all rows, by their index. */
  readonly constants: ReadonlyMap<number, string>;
  /** Columns that may be left out of a narrow table, the first ones first, where those that stay and vary are known. */
  readonly listMinor: (varying: ReadonlySet<number>) => readonly number[];
  /** What the columns do not say. */
  readonly facts: readonly string[];
  readonly zone: string | undefined;
}

export function viewList(columns: readonly Column[], rows: readonly Row[]): View {
  const minor = columns
    .flatMap((column, index) => (column.minor === undefined ? [] : [{ index, order: column.minor }]))
    .toSorted((a, b) => a.order - b.order)
    .map(({ index }) => index);
  const constants = minor.flatMap((index) => {
    const texts = new Set(rows.map((row) => printText(row[index] ?? null)));
    return rows.length > 1 && texts.size === 1 ? [[index, [...texts].join("")] as const] : [];
  });
  return { rows: listedRows(columns, rows), constants: new Map(constants), listMinor: () => minor, facts: [], zone: undefined };
}

export interface SeriesFacts {
  readonly timeSeries: readonly TimeSeries[];
  readonly zone: Zone;
  /** The label whose values are columns. */
  readonly pivot?: string | undefined;
}

export function viewSeries(laid: LaidSeries, { timeSeries, zone, pivot }: SeriesFacts): View {
  const rows = seriesRows(laid, zone);
  const metrics = [...new Set(timeSeries.map(({ metric }) => metric))];
  return {
    rows,
    constants: findConstants(rows),
    listMinor: (varying) => listImplied(rows, varying),
    facts: pivot !== undefined && metrics.length === 1 ? [escapeControls(`${metrics[0]} by ${pivot}`)] : [],
    zone: describeZone(zone, laid.placed),
  };
}

function describeZone(zone: Zone, placed: readonly PlacedSeries[]): string | undefined {
  if (zone !== NETWORK_ZONE) return nameZone(zone);
  const filled = placed.filter(({ points }) => points.instants.length > 0);
  const offsets = new Set(filled.map(({ networkOffset, points }) => networkOffset ?? findSentOffset(stampAt(points, 0))));
  const [offset] = offsets;
  if (offset === undefined) return undefined;
  return offsets.size === 1 ? `UTC${formatOffset(offset)}` : "network time";
}

/** The text columns with one value in all rows, by their index. */
export function findConstants(rows: TableRows): ReadonlyMap<number, string> {
  const [first = [], ...others] = rows.labelSets;
  const isConstant = (cell: Cell, at: number) =>
    others.every((cells) => cells[at] === cell || printText(cells[at] ?? null) === printText(cell));
  const texts = listTextColumns(rows);
  return new Map(first.flatMap((cell, at) => (isConstant(cell, at) ? [[texts[at] as number, printText(cell)] as const] : [])));
}

/** The text columns that another one implies, the last first: what stands in the other tells what stands in them. */
function listImplied(rows: TableRows, varying: ReadonlySet<number>): number[] {
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
