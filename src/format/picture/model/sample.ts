/** Reduces stacks to as many points as can be seen: one unit of a range is one dot. */
import { mean, sum } from "d3-array";
import { stack, stackOffsetDiverging } from "d3-shape";
import type { Panel, PictureSeries } from "./picture.ts";
import { measureRange, type Scale } from "./scales.ts";

/** Groups neighbouring points that share a dot. */
function listBins(times: Float64Array, scale: Scale): { readonly from: number; readonly to: number }[] {
  const bins: { from: number; to: number }[] = [];
  let dot = Number.NaN;
  for (const [index, time] of times.entries()) {
    const at = Math.floor(scale(time));
    if (at !== dot) bins.push({ from: index, to: index });
    dot = at;
    (bins.at(-1) as { to: number }).to = index + 1;
  }
  return bins;
}

/** A stack of series at the same times. */
export interface Stack extends Pick<Panel, "ends"> {
  readonly times: Float64Array;
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly series: PictureSeries;
  readonly values: Float64Array;
  /** The low and high end at each time; the high end of a gap is NaN. */
  readonly bands: readonly Band[];
}

export type Band = readonly [low: number, high: number];

/** True if a band is below the axis. */
export function isBelow(band: Band | undefined): boolean {
  return band !== undefined && band[1] <= 0;
}

/** Stacks the series of a panel. If several times share a dot, each series has the mean of its values there. */
export function stackPanel({ series, ends }: Panel, scale: Scale): Stack {
  const times = series[0]?.times ?? new Float64Array();
  const bins = times.length > 2 * measureRange(scale) ? listBins(times, scale) : undefined;
  const columns = series.map(({ values }) =>
    bins ? Float64Array.from(bins, ({ from, to }) => mean(values.subarray(from, to)) ?? Number.NaN) : values,
  );
  const stacked = columns.map(replaceZeros);
  const shownTimes = bins ? Float64Array.from(bins, ({ from }) => times[from] as number) : times;
  const layers = stack<number, number>()
    .keys(series.keys())
    .value((index, key) => stacked[key]?.[index] as number)
    .offset(stackOffsetDiverging)(shownTimes.keys());
  return {
    times: shownTimes,
    ends: ends && bins ? Float64Array.from(bins, ({ to }) => ends[to - 1] as number) : ends,
    layers: series.map((layer, index) => ({
      series: layer,
      values: columns[index] as Float64Array,
      bands: layers[index]?.map(([low, high]): Band => [low, high]) ?? [],
    })),
  };
}

/** d3 places a zero on the axis; a tiny value keeps its place in the stack, next to its neighbours. */
function replaceZeros(values: Float64Array): Float64Array {
  const nearlyZero = sum(values) < 0 ? -1e-9 : 1e-9;
  return values.map((value) => (value === 0 ? nearlyZero : value));
}
