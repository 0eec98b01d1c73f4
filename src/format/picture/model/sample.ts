/** As many points as can be seen: a range has one unit per dot. */
import type { ScaleLinear } from "d3-scale";
import type { PictureSeries } from "./picture.ts";

type Scale = ScaleLinear<number, number>;

/** What of a line can be seen in so many dots: of each dot the first, the lowest, the highest and the last point. */
export function sampleLine({ times, values }: PictureSeries, scale: Scale): Pick<PictureSeries, "times" | "values"> {
  const dots = measureRange(scale);
  if (times.length <= 4 * dots) return { times, values };
  const kept: number[] = [];
  for (const { from, to } of listBins(times, scale)) {
    let low = from;
    let high = from;
    for (let index = from; index < to; index++) {
      const value = values[index] as number;
      if (value < (values[low] as number) || Number.isNaN(values[low])) low = index;
      if (value > (values[high] as number) || Number.isNaN(values[high])) high = index;
    }
    kept.push(...[...new Set([from, low, high, to - 1])].sort((a, b) => a - b));
  }
  return {
    times: Float64Array.from(kept, (index) => times[index] as number),
    values: Float64Array.from(kept, (index) => values[index] as number),
  };
}

export function measureRange(scale: Scale): number {
  const [from = 0, to = 0] = scale.range();
  return Math.max(1, Math.abs(to - from));
}

/** Neighbouring points that share a dot. */
export function listBins(times: Float64Array, scale: Scale): { readonly from: number; readonly to: number }[] {
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
