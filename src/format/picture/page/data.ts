/** Data for the script of a page: every value and, for stacks, what is drawn, so that the script can stack them again. */
import { measureStamps } from "../../table/stamps.ts";
import { orderLegend } from "../model/legend.ts";
import type { Picture, TimeAxis } from "../model/picture.ts";
import type { PlotFrame, SvgFrame } from "../svg/frame.ts";
import { round } from "../svg/markup.ts";
import { stackMarks } from "../svg/paint-svg.ts";

export function describePage({ time }: Picture, { plots, x }: SvgFrame): object {
  const distinct: Float64Array[] = [];
  const panels = plots.map((plot) => describePlot(plot, distinct));
  return {
    // Two instants and their positions.
    x: [...x.domain(), ...x.range()],
    clock: listOffsets(distinct, time),
    // Characters of `2026-11-20 18:05` that are shown.
    timeLength: measureStamps(time.domain.map(time.toWallClock), time.interval),
    times: distinct.map(packTimes),
    panels,
  };
}

/** Adds new lists of times to `distinct`; each series refers to its list by index. */
function describePlot(plot: PlotFrame, distinct: Float64Array[]): object {
  const { panel, box, x, y } = plot;
  const stacked = panel.mark === "line" ? undefined : stackMarks(plot);
  return {
    unit: panel.unit,
    isColumns: stacked?.ends !== undefined,
    top: box.y,
    height: box.height,
    // Two values and their positions.
    y: [...y.domain(), ...y.range()],
    order: orderLegend(panel).map((series) => panel.series.indexOf(series)),
    series: panel.series.map(({ name, times, values }) => ({ name, times: findTimes(times, distinct), values: toNumbers(values) })),
    stack: stacked && {
      starts: Array.from(stacked.times, (time) => round(x(time))),
      ends: Array.from(stacked.ends ?? [], (time) => round(x(time))),
      values: stacked.layers.map(({ values }) => toNumbers(values)),
    },
  };
}

function findTimes(times: Float64Array, distinct: Float64Array[]): number {
  const index = distinct.findIndex((known) => known.length === times.length && known.every((time, at) => time === times[at]));
  return index < 0 ? distinct.push(times) - 1 : index;
}

function toNumbers(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}

/** Packs times as the first instant, then runs: the step and how often it repeats. */
function packTimes(times: Float64Array): readonly [first: number, ...runs: [step: number, count: number][]] {
  const runs: [step: number, count: number][] = [];
  for (let index = 1; index < times.length; index++) {
    const step = (times[index] as number) - (times[index - 1] as number);
    const run = runs.at(-1);
    if (run?.[0] === step) run[1]++;
    else runs.push([step, 1]);
  }
  return [times[0] ?? 0, ...runs];
}

/** Lists the UTC offsets of the wall clock: each applies from an instant on, in milliseconds ahead of UTC. Daylight saving changes it. */
function listOffsets(distinct: readonly Float64Array[], { toWallClock }: TimeAxis): [from: number, ahead: number][] {
  const offsets: [from: number, ahead: number][] = [];
  for (const time of [...new Set(distinct.flatMap((times) => [...times]))].sort((a, b) => a - b)) {
    const ahead = toWallClock(time) - time;
    if (offsets.at(-1)?.[1] !== ahead) offsets.push([time, ahead]);
  }
  return offsets;
}
