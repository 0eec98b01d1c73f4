/** The layouts in which a result can be shown as a table. */
import { escapeControls } from "../../base/terminal.ts";
import type { Column, PlacedSeries, Row } from "../../series/layout/layout.ts";
import { listLabelLists, orderLabelNames } from "../../series/order.ts";
import { stampAt } from "../../series/point-operations.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { formatOffset } from "../../time/local-time.ts";
import { findSentOffset } from "../../time/stamp.ts";
import { nameZone, NETWORK_ZONE, type Zone } from "../../time/zone.ts";
import { printText } from "../cells.ts";
import type { LaidSeries } from "../format.ts";
import { seriesRows, type TableRows } from "./rows.ts";

export interface View extends TableRows {
  /** The text columns with one value in all rows, by their index. */
  readonly constants: ReadonlyMap<number, string>;
  /** Columns that may be dropped from a narrow table, in this order, given the columns that vary. */
  readonly listMinor: (varying: ReadonlySet<number>) => readonly number[];
  /** Facts that no column shows. */
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
  return {
    columns,
    count: rows.length,
    first: (n) => rows.slice(0, n),
    last: (n) => rows.slice(Math.max(0, rows.length - n)),
    labelSets: [],
    interval: undefined,
    constants: new Map(constants),
    listMinor: () => minor,
    facts: [],
    zone: undefined,
  };
}

interface SeriesFacts {
  readonly timeSeries: readonly TimeSeries[];
  readonly zone: Zone;
  readonly pivot: string | undefined;
}

export function viewSeries(laid: LaidSeries, { timeSeries, zone, pivot }: SeriesFacts): View {
  const rows = seriesRows(laid, zone);
  const metrics = [...new Set(timeSeries.map(({ metric }) => metric))];
  return {
    ...rows,
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
export function findConstants({ columns, labelSets }: TableRows): ReadonlyMap<number, string> {
  const [first = [], ...others] = labelSets;
  const isConstant = (text: string, at: number) => others.every((texts) => texts[at] === text);
  return new Map(first.flatMap((text, at) => (isConstant(text, at) ? [[findFirstText(columns) + at, text] as const] : [])));
}

/** Lists the text columns that another column implies, the last first: the other column's text determines theirs. */
function listImplied({ columns, labelSets }: TableRows, varying: ReadonlySet<number>): number[] {
  const firstText = findFirstText(columns);
  const kept = (labelSets[0] ?? []).flatMap((_, at) => (varying.has(firstText + at) ? [at] : []));
  const dropped: number[] = [];
  for (const at of kept.toReversed()) {
    if (!kept.some((other) => other !== at && implies(labelSets, other, at))) continue;
    kept.splice(kept.indexOf(at), 1);
    dropped.push(firstText + at);
  }
  return dropped;
}

/** True if each text of one column always goes with the same text of the other. */
function implies(labelSets: TableRows["labelSets"], one: number, other: number): boolean {
  const pairs = new Set(labelSets.map((texts) => JSON.stringify([texts[one], texts[other]])));
  return pairs.size === new Set(labelSets.map((texts) => texts[one])).size;
}

/** Finds the one label that distinguishes the series of a metric. */
export function findOnlyLabel({ columns, labelSets, constants }: View, timeSeries: readonly TimeSeries[]): string | undefined {
  const metrics = columns.filter(({ kind }) => kind === "value");
  const firstText = findFirstText(columns);
  const [only, ...others] = (labelSets[0] ?? []).flatMap((_, at) => (constants.has(firstText + at) ? [] : [at]));
  if (metrics.length > 1 || only === undefined || others.length > 0) return undefined;
  // The network column precedes the labels.
  return orderLabelNames(listLabelLists(timeSeries))[only - 1];
}

/** Text columns of series are adjacent. */
function findFirstText(columns: readonly Column[]): number {
  return columns.findIndex(({ kind }) => kind === "text");
}
