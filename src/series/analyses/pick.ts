/** `--above` and `--below`: the rows with a value beyond a limit. */
import { groupBy } from "../../base/group-by.ts";
import { formatCount } from "../../base/phrases.ts";
import type { Shape } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { createNumberReader, filterPoints } from "../point-operations.ts";
import type { Points } from "../points.ts";
import { countPoints } from "../overlap.ts";
import { watchUnits } from "../unit-watch.ts";
import { dropFigures, keyOfRow, type Series, type TimeSeries } from "../time-series.ts";
import { checkChunk, type Analysis } from "./analysis.ts";

/** Values beyond are above `above`, below `below` or, with both, outside of the two. */
export interface ValueLimits {
  readonly metric: string;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

/** False for NaN, which stands for null. */
export function isBeyond(value: number | undefined, { above, below }: Pick<ValueLimits, "above" | "below">): boolean {
  return value !== undefined && ((above !== undefined && value > above) || (below !== undefined && value < below));
}

export function countBeyond(points: Points, limits: ValueLimits): number {
  const read = createNumberReader(points);
  let count = 0;
  for (let index = 0; index < points.instants.length; index++) if (isBeyond(read(index), limits)) count++;
  return count;
}

interface Picking {
  readonly limits: ValueLimits;
  /** True if a picture is drawn, which shows all points. */
  readonly isDrawn: boolean;
  /** The label whose values are columns. */
  readonly pivot: string | undefined;
  /** Of a table, which shows few of all rows and so does not choose it by itself. */
  readonly shape: Shape | undefined;
}

export class PickAnalysis implements Analysis {
  readonly shape: Shape | undefined;
  readonly #picking: Picking;

  constructor(picking: Picking) {
    this.#picking = picking;
    this.shape = picking.shape;
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const { limits, isDrawn, pivot } = this.#picking;
    const watchUnit = watchUnits();
    for await (const chunk of chunks) {
      checkChunk(chunk);
      for (const item of chunk.timeSeries) if (item.metric === limits.metric) watchUnit(item);
      const picked = pickRows(chunk.timeSeries, limits, pivot);
      yield isDrawn
        ? { ...chunk, analysis: { picked, about: countMarked(picked, limits) } }
        : { ...chunk, timeSeries: picked, analysis: {} };
    }
  }
}

/** `above 300`, `above 300 or below 0` */
export function describeValueLimits({ above, below }: ValueLimits): string {
  return [above === undefined ? [] : `above ${above}`, below === undefined ? [] : `below ${below}`].flat().join(" or ");
}

function countMarked(picked: readonly TimeSeries[], limits: ValueLimits): string {
  const count = countPoints(dropFigures(picked).filter(({ metric }) => metric === limits.metric));
  return `marked: ${formatCount(count, "value")} ${describeValueLimits(limits)}`;
}

/**
 * Keeps the values beyond and, of the same time and labels, those of other metrics. With a label whose values are
 * columns, rows are kept whole.
 */
export function pickRows(timeSeries: readonly TimeSeries[], limits: ValueLimits, pivot?: string): TimeSeries[] {
  const rows = groupBy(
    timeSeries.flatMap((item) =>
      item.series.map((series) => ({ item, series, key: keyOfRow(item, dropLabel(series, pivot)) })),
    ),
    ({ key }) => key,
  );
  const kept = new Map<Series, Series>();
  for (const sharing of rows.values()) {
    const isOwn = ({ item, series }: (typeof sharing)[number]) =>
      item.metric === limits.metric && series.figure === undefined;
    const own = sharing.filter(isOwn);
    const instants = own.length < sharing.length || pivot !== undefined ? listInstantsBeyond(own, limits) : undefined;
    for (const member of sharing) {
      const { series } = member;
      const { points } = series;
      const read = createNumberReader(points);
      const isFree = !isOwn(member) || pivot !== undefined;
      const isKept = isFree
        ? (index: number) => instants?.has(points.instants[index] as number) === true
        : (index: number) => isBeyond(read(index), limits);
      kept.set(series, { ...series, points: filterPoints(points, isKept) });
    }
  }
  return timeSeries.map((item) => ({ ...item, series: item.series.map((series) => kept.get(series) ?? series) }));
}

function dropLabel({ labels }: Series, name: string | undefined): Pick<Series, "labels"> {
  return { labels: Object.fromEntries(Object.entries(labels).filter(([label]) => label !== name)) };
}

/** The times of values beyond. */
function listInstantsBeyond(own: readonly { readonly series: Series }[], limits: ValueLimits): Set<number> {
  const instants = new Set<number>();
  for (const { series } of own) {
    const { points } = series;
    const read = createNumberReader(points);
    for (let index = 0; index < points.instants.length; index++)
      if (isBeyond(read(index), limits)) instants.add(points.instants[index] as number);
  }
  return instants;
}
