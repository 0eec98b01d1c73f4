/** Which series a part of a file has, for a file without a description. */
import type { Step } from "../../../series/gap-evidence.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import type { Label } from "../../../series/time-series.ts";
import type { Range } from "./read-lines.ts";
import { listPoints, type Point, readGroups, type RowReading, splitRow, unreadable } from "./rows.ts";

export interface Scan {
  readonly rows: number;
  readonly series: readonly LoggedSeries[];
  /** True if it has rows without a value inside a series, and no row is missing: the service fills gaps; else undefined. */
  readonly fillsGaps: true | undefined;
  /** The instant before the first gap where rows are missing. */
  readonly unfilledSince: number | undefined;
}

interface Scanning {
  readonly pivot: string | undefined;
  /** Steps from bucket to bucket. */
  readonly step: Step;
  readonly signal: AbortSignal;
}

type Span = Pick<LoggedSeries, "first" | "last">;

/** Rows with the same labels. */
interface Like {
  readonly cells: readonly string[];
  /** When each value column has values. */
  readonly spans: (Span | undefined)[];
  /** The instant of its last row, and whether that has no value and is not its first. */
  last: number | undefined;
  isNull: boolean;
}

/** @throws {EntsError} output: a row that cannot be read. */
export async function scanSeries(reading: RowReading, range: Range, { pivot, step, signal }: Scanning): Promise<Scan> {
  const { grid, form } = reading;
  const likes = new Map<string, Like>();
  const until = grid.values[0]?.at ?? grid.names.length;
  let [rows, hasNull, unfilledSince] = [0, false, Number.POSITIVE_INFINITY];
  for await (const group of readGroups(reading, range)) {
    signal.throwIfAborted();
    rows += group.rows.length;
    for (const row of group.rows) {
      const cells = splitRow(reading, row);
      const key = cells.slice(grid.network, until).join("\n");
      let like = likes.get(key);
      if (!like) likes.set(key, (like = { cells, spans: [], last: undefined, isNull: false }));
      if (like.last !== undefined && group.instant > step.next(like.last)) unfilledSince = Math.min(unfilledSince, like.last);
      hasNull ||= like.isNull && like.last !== group.instant;
      like.isNull = like.last !== undefined && grid.values.every(({ at }) => cells[at] === form.nullCell);
      like.last = group.instant;
      for (const [index, { at, pivoted }] of grid.values.entries()) {
        // A null in a long row is a point; in a wide row it may be no point, as the row may exist for other metrics.
        if (cells[at] === form.nullCell && grid.metric === undefined) continue;
        // A label that this command does not know looks like a pivot's column.
        if (pivoted !== undefined && Number.isNaN(Number(cells[at]))) throw unreadable(reading.name, `the column "${pivoted}"`);
        like.spans[index] = { first: like.spans[index]?.first ?? group.instant, last: group.instant };
      }
    }
  }
  const isWhole = unfilledSince === Number.POSITIVE_INFINITY;
  return {
    rows,
    series: [...likes.values()].flatMap((like) => listSeries(like, reading, pivot)),
    fillsGaps: (isWhole && hasNull) || undefined,
    unfilledSince: isWhole ? undefined : unfilledSince,
  };
}

function listSeries({ cells, spans }: Like, reading: RowReading, pivot: string | undefined): LoggedSeries[] {
  return spans.flatMap((span, index) => {
    const values = reading.grid.values.slice(index, index + 1);
    // Any value will do: the row stands for all with its labels.
    const row = cells.map((cell, at) => (at === values[0]?.at ? "0" : cell));
    const [point] = listPoints(row, { ...reading, grid: { ...reading.grid, values } });
    return span && point ? [{ ...describe(point, reading, pivot), ...span }] : [];
  });
}

function describe({ network, metric, unit, labels, pivoted }: Point, { form }: RowReading, pivot: string | undefined) {
  const own = labels.map(([name, cell]) => [name.replace(/(?:_label)+$/, ""), toLabel(cell, form.read(cell))] as const);
  const isPivoted = pivot !== undefined && pivoted !== undefined && pivoted !== "(none)";
  const all = isPivoted ? [...own, [pivot, toLabel(pivoted, pivoted)] as const] : own;
  return { network, metric, unit, labels: Object.fromEntries<Label>(all) };
}

/** A file has booleans as words. */
function toLabel(cell: string, text: string | null): Label {
  return cell === "true" || cell === "false" ? cell === "true" : text;
}
