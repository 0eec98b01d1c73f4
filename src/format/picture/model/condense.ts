/** Draws lines of more points than can be seen as means, over the range of their values. */
import { max, mean, min } from "d3-array";
import { DAY, HOUR, MINUTE } from "../../../time/local-time.ts";
import type { Picture, PictureSeries } from "./picture.ts";

/** More points than this in one dot of a line's width are a block. */
const MOST = 3;
/** Periods that a point may stand for. */
const PERIODS: readonly (readonly [ms: number, name: string])[] = [
  ...[10, 15, 20, 30].map((count) => [count * MINUTE, `${count} minutes`] as const),
  [HOUR, "hour"],
  ...[2, 3, 4, 6, 8, 12].map((count) => [count * HOUR, `${count} hours`] as const),
  [DAY, "day"],
  ...[2, 3, 7, 14, 28, 84].map((count) => [count * DAY, `${count} days`] as const),
];

interface Resolution {
  /** The width of the drawing. */
  readonly dots: number;
  /** How many points of a line can be told apart in it. */
  readonly points: number;
}

export function condense(picture: Picture, { dots, points }: Resolution): Picture {
  const { panels, time } = picture;
  const most = max(panels, ({ mark, series }) => (mark === "line" ? max(series, ({ times }) => times.length) : 0)) ?? 0;
  const [start, end] = time.domain;
  if (time.other?.domain)
    return most <= MOST * dots ? picture : mapLines(picture, (series) => thinCurve(series, (end - start) / points));
  const found = PERIODS.find(([ms]) => (end - start) / ms <= points) ?? PERIODS.at(-1);
  if (!found || most <= MOST * dots || found[0] * most <= end - start) return picture;
  const [period, name] = found;
  const remark = `lines: mean of each ${name}; lighter: its lowest to highest value`;
  const condensed = mapLines(picture, (series) =>
    condenseSeries(series, (at) => Math.floor(time.toWallClock(at) / period)),
  );
  return { ...condensed, remarks: [remark, ...picture.remarks] };
}

function mapLines(picture: Picture, map: (series: PictureSeries) => PictureSeries): Picture {
  const panels = picture.panels.map((panel) =>
    panel.mark === "line" ? { ...panel, series: panel.series.map(map) } : panel,
  );
  return { ...picture, panels };
}

/**
 * Keeps one point in each step of a duration curve, and its last: as the curve falls, the largest and the smallest
 * value are there.
 */
function thinCurve(series: PictureSeries, step: number): PictureSeries {
  const { times, values } = series;
  const binOf = (index: number) => Math.floor((times[index] ?? -1) / step);
  const kept = [...times.keys()].filter((index) => index === times.length - 1 || binOf(index) !== binOf(index - 1));
  const pick = (list: Float64Array) => Float64Array.from(kept, (index) => list[index] as number);
  return { ...series, times: pick(times), values: pick(values) };
}

function condenseSeries(series: PictureSeries, periodOf: (time: number) => number): PictureSeries {
  const { times, values } = series;
  const bins: { from: number; to: number }[] = [];
  let last = Number.NaN;
  for (const [index, time] of times.entries()) {
    const period = periodOf(time);
    if (period !== last) bins.push({ from: index, to: index });
    last = period;
    (bins.at(-1) as { to: number }).to = index + 1;
  }
  const reduce = (of: (values: Float64Array) => number | undefined) =>
    Float64Array.from(bins, ({ from, to }) => of(values.subarray(from, to)) ?? Number.NaN);
  return {
    ...series,
    times: Float64Array.from(bins, ({ from, to }) => ((times[from] as number) + (times[to - 1] as number)) / 2),
    values: reduce((some) => mean(some)),
    range: { low: reduce((some) => min(some)), high: reduce((some) => max(some)) },
  };
}
