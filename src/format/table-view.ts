/** The ways in which a result can be shown as a table. */
import { escapeControls } from "../base/terminal.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { Column, Row } from "../series/layout/table.ts";
import { stampAt } from "../series/point-operations.ts";
import { formatOffset } from "../time/local-time.ts";
import { findSentOffset } from "../time/stamp.ts";
import type { Zone } from "../time/zones.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { LaidSeries } from "./format.ts";
import { listedRows, seriesRows, type TableRows } from "./table-rows.ts";
import { findConstants } from "./table-labels.ts";

export interface View {
  readonly rows: TableRows;
  /** The text columns with one value in all rows, by their index. */
  readonly constants: ReadonlyMap<number, string>;
  /** What the columns do not say. */
  readonly facts: readonly string[];
  readonly zone: string | undefined;
}

export function viewList(columns: readonly Column[], rows: readonly Row[]): View {
  return { rows: listedRows(columns, rows), constants: new Map(), facts: [], zone: undefined };
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
    facts: pivot !== undefined && metrics.length === 1 ? [escapeControls(`${metrics[0]} by ${pivot}`)] : [],
    zone: describeZone(zone, laid.placed),
  };
}

function describeZone({ name }: Zone, placed: readonly PlacedSeries[]): string | undefined {
  if (name !== "network") return name.toLowerCase() === "utc" ? "UTC" : name;
  const filled = placed.filter(({ points }) => points.instants.length > 0);
  const offsets = new Set(filled.map(({ networkOffset, points }) => networkOffset ?? findSentOffset(stampAt(points, 0))));
  const [offset] = offsets;
  if (offset === undefined) return undefined;
  return offsets.size === 1 ? `UTC${formatOffset(offset)}` : "network time";
}
