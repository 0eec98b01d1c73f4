/** Which series a part of a file has: where no description tells it. */
import type { LoggedSeries } from "../../../series/series-log.ts";
import type { Label } from "../../../series/time-series.ts";
import type { Range } from "./read-lines.ts";
import { keyOfPoint, listPoints, type Point, readGroups, type RowReading } from "./rows.ts";

export interface Scan {
  readonly rows: number;
  readonly series: readonly LoggedSeries[];
}

/** @throws {EntsError} output: a row that cannot be read. */
export async function scanSeries(reading: RowReading, range: Range, pivot: string | undefined): Promise<Scan> {
  const series = new Map<string, LoggedSeries>();
  let rows = 0;
  for await (const group of readGroups(reading, range)) {
    const { instant } = group;
    rows += group.rows.length;
    for (const point of listPoints(group.rows, reading)) {
      const key = keyOfPoint(point);
      const known = series.get(key);
      series.set(key, known ? { ...known, last: instant } : { ...describe(point, reading, pivot), first: instant, last: instant });
    }
  }
  return { rows, series: [...series.values()] };
}

function describe({ network, metric, unit, labels, pivoted }: Point, { form }: RowReading, pivot: string | undefined) {
  const own = labels.map(([name, cell]) => [name.replace(/(?:_label)+$/, ""), toLabel(cell, form.read(cell))] as const);
  const all =
    pivot === undefined || pivoted === undefined || pivoted === "(none)" ? own : [...own, [pivot, toLabel(pivoted, pivoted)] as const];
  return { network, metric, unit, labels: Object.fromEntries<Label>(all) };
}

/** Booleans stand in a file as words. */
function toLabel(cell: string, text: string | null): Label {
  return cell === "true" || cell === "false" ? cell === "true" : text;
}
