/** The ways in which a result can be shown as a table. */
import { escapeControls } from "../base/terminal.ts";
import type { Column, PlacedSeries, Row } from "../series/layout/layout.ts";
import { stampAt } from "../series/point-operations.ts";
import { formatOffset } from "../time/local-time.ts";
import { findSentOffset } from "../time/stamp.ts";
import { NETWORK_ZONE, nameZone, type Zone } from "../time/zone.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { LaidSeries } from "./format.ts";
import { listedRows, seriesRows, type TableRows } from "./table-rows.ts";
import { findConstants, listImplied } from "./table-labels.ts";
import { printText } from "./table-texts.ts";

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
