/**
 * Data for the script of a page: every value and, for stacks, what is drawn, so that the script can stack them again.
 */
import { max } from "d3-array";
import { isNamed, nameInterval } from "../../../time/interval-names.ts";
import { measureTimestamps } from "../../table/timestamps.ts";
import { orderLegend } from "../model/legend.ts";
import type { Panel, Picture, TimeAxis } from "../model/picture.ts";
import type { PlotFrame, SvgFrame } from "../svg/page.ts";
import { round } from "../svg/markup.ts";
import { stackMarks } from "../svg/marks.ts";
import type { Scale } from "../model/scales.ts";
import type { PackedTimes, PageData, PagePanel, PagePlot, ScaleSpan } from "./page-data.ts";

export function describePage({ time, panels, sharesLegend, isSplit }: Picture, views: readonly SvgFrame[]): PageData {
  const distinct: Float64Array[] = [];
  return {
    sharesLegend: sharesLegend && isSplit,
    clock: listOffsets(panels, time),
    timeLength: measureTimestamps(time.domain.map(time.toWallClock), time.interval),
    names: nameInstants(panels, time),
    panels: panels.map((panel) => describePanel(panel, distinct)),
    times: distinct.map(packTimes),
    views: views.map(({ plots }) => ({ plots: plots.map(describePlot) })),
  };
}

/** Adds new lists of times to `distinct`; each series refers to its list by index. */
function describePanel(panel: Panel, distinct: Float64Array[]): PagePanel {
  const { unit, mark, series } = panel;
  return {
    unit,
    digits: countDigits(panel),
    isColumns: mark === "column",
    isLinear: panel.yScale === "linear",
    addsUp: mark !== "line",
    order: orderLegend(panel).map((entry) => series.indexOf(entry)),
    series: series.map(({ name, times, values }) => ({
      name,
      times: indexTimes(times, distinct),
      values: toNumbers(values),
    })),
  };
}

const MAX_DIGITS = 3;
/** Digits of the largest value that are enough. */
const ENOUGH = 5;

/**
 * Decimals of all values of a panel: those of the value that needs most, up to a thousandth, and fewer if values are
 * large.
 */
function countDigits({ series }: Panel): number {
  const largest = max(series, ({ values }) => max(values, Math.abs)) ?? 0;
  const most = Math.min(MAX_DIGITS, Math.max(0, ENOUGH - 1 - Math.floor(Math.log10(largest || 1))));
  const isExact = (digits: number) =>
    series.every(({ values }) => values.every((value) => Number.isNaN(value) || hasDigits(value, digits)));
  for (let digits = 0; digits < most; digits++) if (isExact(digits)) return digits;
  return most;
}

function hasDigits(value: number, digits: number): boolean {
  const scaled = value * 10 ** digits;
  return Math.abs(scaled - Math.round(scaled)) < 1e-9 * Math.max(1, Math.abs(scaled));
}

function describePlot(plot: PlotFrame): PagePlot {
  const { panel, box, markX: x, y, valueTicks } = plot;
  const stacked = panel.mark === "line" ? undefined : stackMarks(plot);
  return {
    left: box.x,
    width: box.width,
    top: box.y,
    height: box.height,
    x: spanOf(x),
    y: spanOf(y),
    ticks: Math.max(2, valueTicks.length),
    stack: stacked && {
      starts: Array.from(stacked.times, (time) => round(x(time))),
      ends: Array.from(stacked.ends ?? [], (time) => round(x(time))),
      values: stacked.layers.map(({ values }) => toNumbers(values)),
    },
  };
}

function spanOf(scale: Scale): ScaleSpan {
  const [[first = 0, second = 1], [from = 0, to = 0]] = [scale.domain(), scale.range()];
  return [first, second, from, to];
}

function indexTimes(times: Float64Array, distinct: Float64Array[]): number {
  const index = distinct.findIndex(
    (known) => known.length === times.length && known.every((time, at) => time === times[at]),
  );
  return index < 0 ? distinct.push(times) - 1 : index;
}

/** Nine decimals are exact for what services send, and leave out the noise of a division. */
function toNumbers(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : Math.round(value * NOISE) / NOISE));
}

const NOISE = 1e9;

function packTimes(times: Float64Array): PackedTimes {
  const runs: [step: number, count: number][] = [];
  for (let index = 1; index < times.length; index++) {
    const step = (times[index] as number) - (times[index - 1] as number);
    const run = runs.at(-1);
    if (run?.[0] === step) run[1]++;
    else runs.push([step, 1]);
  }
  return [times[0] ?? 0, ...runs];
}

function nameInstants(panels: readonly Panel[], { toWallClock, interval, other }: TimeAxis): PageData["names"] {
  const times =
    isNamed(interval) || other ? panels.flatMap(({ series }) => series.flatMap((member) => [...member.times])) : [];
  const named = times.flatMap((time) => {
    const name = other?.print(toWallClock(time)) ?? nameInterval(interval, toWallClock(time));
    return name === undefined ? [] : [[time, name] as const];
  });
  return Object.fromEntries(named);
}

/**
 * Lists the UTC offsets of the wall clock: each applies from an instant on, in milliseconds ahead of UTC. Daylight
 * saving changes it.
 */
function listOffsets(panels: readonly Panel[], { toWallClock }: TimeAxis): [from: number, ahead: number][] {
  const times = new Set(panels.flatMap(({ series }) => series.flatMap((member) => [...member.times])));
  const offsets: [from: number, ahead: number][] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const ahead = toWallClock(time) - time;
    if (offsets.at(-1)?.[1] !== ahead) offsets.push([time, ahead]);
  }
  return offsets;
}
