/** What the script of a page knows: every value, and of stacks what is drawn, so that they can be stacked again. */
import type { SvgFrame, PlotFrame } from "../svg/frame.ts";
import { round } from "../svg/markup.ts";
import { measureStamps, WallClockTime } from "../../table/stamps.ts";
import { orderLegend } from "../model/legend.ts";
import { stackMarks } from "../svg/paths.ts";
import type { Picture, PictureSeries, TimeAxis } from "../model/picture.ts";

type Numbers = readonly (number | null)[];

export interface PageData {
  /** Two instants and their positions. */
  readonly x: readonly number[];
  /** From an instant on, the clock is so many milliseconds ahead of UTC. */
  readonly clock: readonly (readonly [from: number, ahead: number])[];
  /** Characters of `2026-11-20 18:05` that are shown. */
  readonly timeLength: number;
  /** Distinct lists of instants: the first, then steps and how often each comes in a row. */
  readonly times: readonly (readonly [first: number, ...runs: (readonly [step: number, count: number])[]])[];
  readonly panels: readonly PanelData[];
}

interface PanelData {
  readonly unit: string;
  readonly isColumns: boolean;
  readonly top: number;
  readonly height: number;
  /** Two values and their positions. */
  readonly y: readonly number[];
  /** Indexes of series as a legend has them. */
  readonly order: readonly number[];
  readonly series: readonly { readonly name: string; readonly times: number; readonly values: Numbers }[];
  /** Positions of areas and columns, and one list of values per series. */
  readonly stack?: { readonly starts: Numbers; readonly ends: Numbers; readonly values: readonly Numbers[] } | undefined;
}

export function describePage({ time }: Picture, frame: SvgFrame): PageData {
  const distinct: Float64Array[] = [];
  const panels = frame.plots.map((plot) => describePlot(plot, frame, (series) => findTimes(series, distinct)));
  return {
    x: [...frame.x.domain(), ...frame.x.range()],
    clock: listOffsets(distinct, time),
    timeLength: measureStamps(
      time.domain.map((instant) => new WallClockTime(instant, time.toWallClock(instant))),
      time.interval,
    ),
    times: distinct.map(packTimes),
    panels,
  };
}

function findTimes({ times }: PictureSeries, distinct: Float64Array[]): number {
  const index = distinct.findIndex((known) => known.length === times.length && known.every((time, at) => time === times[at]));
  return index < 0 ? distinct.push(times) - 1 : index;
}

function describePlot(plot: PlotFrame, { x }: SvgFrame, indexTimes: (series: PictureSeries) => number): PanelData {
  const { panel, box, y } = plot;
  const stacked = panel.mark === "line" ? undefined : stackMarks(panel, x);
  return {
    unit: panel.unit,
    isColumns: stacked?.ends !== undefined,
    top: box.y,
    height: box.height,
    y: [...y.domain(), ...y.range()],
    order: orderLegend(panel).map((series) => panel.series.indexOf(series)),
    series: panel.series.map((series) => ({ name: series.name, times: indexTimes(series), values: toNumbers(series.values) })),
    stack: stacked && {
      starts: Array.from(stacked.times, (time) => round(x(time))),
      ends: Array.from(stacked.ends ?? [], (time) => round(x(time))),
      values: stacked.layers.map(({ values }) => toNumbers(values)),
    },
  };
}

function toNumbers(values: Float64Array): Numbers {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}

function packTimes(times: Float64Array): PageData["times"][number] {
  const runs: [step: number, count: number][] = [];
  for (let index = 1; index < times.length; index++) {
    const step = (times[index] as number) - (times[index - 1] as number);
    const run = runs.at(-1);
    if (run?.[0] === step) run[1]++;
    else runs.push([step, 1]);
  }
  return [times[0] ?? 0, ...runs];
}

/** Where the clock changes, as daylight saving begins or ends. */
function listOffsets(distinct: readonly Float64Array[], { toWallClock }: TimeAxis): [number, number][] {
  const offsets: [number, number][] = [];
  for (const time of [...new Set(distinct.flatMap((times) => [...times]))].sort((a, b) => a - b)) {
    const ahead = toWallClock(time) - time;
    if (offsets.at(-1)?.[1] !== ahead) offsets.push([time, ahead]);
  }
  return offsets;
}
