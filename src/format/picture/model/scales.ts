/** Scales and ticks of a picture, shared by all painters. A range is in the painter's units, one per dot. */
import { bisectRight } from "d3-array";
import { format } from "d3-format";
import { type ScaleLinear, scaleLinear, scaleSymlog, type ScaleSymLog, scaleUtc } from "d3-scale";
import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { toHyphen } from "./legend.ts";
import type { ColumnSpans, Panel, TimeAxis } from "./picture.ts";
import { findRule } from "../../../base/intervals.ts";
import { nameInterval } from "../../../time/interval-names.ts";

/** Maps an instant or a value to a position; `invert` does the reverse. */
export type Scale = ScaleLinear<number, number> | ScaleSymLog<number, number>;

export interface Tick {
  /** An instant or a value. */
  readonly at: number;
  readonly text: string;
}

type Range = readonly [from: number, to: number];

/** The number of dots in a range, at least one. */
export function measureRange(scale: Scale): number {
  const [from = 0, to = 0] = scale.range();
  return Math.max(1, Math.abs(to - from));
}

export function createTimeScale({ domain }: Pick<TimeAxis, "domain">, range: Range): ScaleLinear<number, number> {
  return scaleLinear(domain, range);
}

/**
 * Widens the panel's domain to round numbers, unless most of the part above or below zero would be empty. Values beyond the domain
 * are placed at its ends. `ticks`: approximate number of ticks.
 */
export function createValueScale({ domain: [low, high], yScale }: Pick<Panel, "domain" | "yScale">, range: Range, ticks: number): Scale {
  if (yScale === "log") return createLogScale([low, high], range);
  const scale = scaleLinear([low, high], range).nice(ticks);
  const [lowest = low, highest = high] = scale.domain();
  return scale.domain([low < 0 && lowest < 2 * low ? low : lowest, high > 0 && highest > 2 * high ? high : highest]).clamp(true);
}

/** Powers of ten that a logarithmic axis has, from the largest; it is linear near zero. */
const DECADES = 3;

function createLogScale([low, high]: Range, range: Range): Scale {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  return scaleSymlog([Math.min(low, 0), high], range)
    .constant(10 ** (Math.floor(Math.log10(largest || 1)) - DECADES))
    .clamp(true);
}

/** Lists at most `count` round numbers, but at least two if there are. */
export function listValueTicks(scale: Scale, count: number): Tick[] {
  const { values, print } = "constant" in scale ? listPowers(scale, count) : listRound(scale, count);
  return values.map((at) => ({ at, text: toHyphen(print(at)) }));
}

/** d3 uses the step nearest to the count, which may give more numbers, or fewer. */
function listRound(scale: ScaleLinear<number, number>, count: number): { values: number[]; print: (value: number) => string } {
  for (let wanted = count; wanted > 0; wanted--) {
    const values = scale.ticks(wanted);
    if (values.length > 1 && values.length <= count) return { values, print: scale.tickFormat(wanted) };
  }
  return { values: scale.ticks(count + 1), print: scale.tickFormat(count + 1) };
}

/** Zero and powers of ten on both sides, leaving out as many as needed. */
function listPowers(scale: ScaleSymLog<number, number>, count: number): { values: number[]; print: (value: number) => string } {
  const [low = 0, high = 0] = scale.domain();
  const first = Math.round(Math.log10(scale.constant()));
  const powers = Array.from({ length: DECADES + 2 }, (_, index) => 10 ** (first + index));
  for (let step = 1; ; step++) {
    const kept = powers.filter((_, index) => (powers.length - 2 - index) % step === 0);
    const values = [...kept.map((power) => -power).reverse(), 0, ...kept].filter((value) => value >= low && value <= high);
    if (values.length <= Math.max(count, 3) || step > DECADES) return { values, print: printRound };
  }
}

const printRound = format(",~r");

/** Maximum number of ticks, however long the axis. */
export const MAX_TICKS = 6;

/** Lists at most `count` round wall-clock times, but at least one; for columns, the middles of intervals. */
export function listTimeTicks(time: TimeAxis, count: number): Tick[] {
  const { domain, intervals, toWallClock } = time;
  const walls = intervals ? pickIntervals(intervals, time, count) : listRoundTimes(domain.map(toWallClock), count);
  const print = createTimePrinter(walls, time.interval);
  const ticks = walls.map((wall, index) => ({ at: toInstant(time, wall), text: print(wall, index) }));
  if (!intervals) return ticks.filter(({ at }) => at >= domain[0] && at <= domain[1]);
  return ticks.map(({ at, text }) => ({ at: findMiddle(intervals, at), text }));
}

/** The room for the texts of an axis. */
export interface TickRoom {
  /** The width of a text. */
  readonly measure: (text: string) => number;
  /** Minimum distance between two texts. */
  readonly gap: number;
  /** The positions between which all texts stand; those near an end move. */
  readonly ends: Range;
}

/** Where the middle of a tick's text stands. */
export function placeText({ at, text }: Tick, scale: Scale, { measure, ends: [from, to] }: TickRoom): number {
  const half = measure(text) / 2;
  return Math.max(from + half, Math.min(scale(at), to - half));
}

/** Lists as many ticks as fit. */
export function fitTimeTicks(time: TimeAxis, scale: Scale, room: TickRoom): Tick[] {
  const { measure, gap } = room;
  const isApart = (ticks: readonly Tick[], least: number) =>
    ticks.slice(1).every((tick, index) => {
      const before = ticks[index] as Tick;
      const [left, right] = [before, tick].map((at) => placeText(at, scale, room)) as [number, number];
      return right - measure(tick.text) / 2 - (left + measure(before.text) / 2) >= least;
    });
  const most = Math.floor(measureRange(scale) / (measure("000") + gap));
  for (let count = Math.min(most, MAX_TICKS); count > 1; count--) {
    const ticks = listTimeTicks(time, count);
    if (ticks.length > 1 && isApart(ticks, gap)) return ticks;
  }
  // A single tick does not show the distance to the next.
  const ends = listEnds(time);
  return isApart(ends, gap / 4) ? ends : listTimeTicks(time, 1);
}

/** The first and last interval or instant. */
function listEnds(time: TimeAxis): Tick[] {
  const { intervals, domain, toWallClock } = time;
  const ends = intervals ? [intervals.starts[0] ?? 0, intervals.starts.at(-1) ?? 0] : domain;
  const instants = [...new Set(ends)];
  const walls = instants.map(toWallClock);
  const days = walls.map((wall) => Number(utcDay(new Date(wall))));
  // Times alone would not say that the last is of another day.
  const named = days[0] === days.at(-1) ? walls : days;
  const print = createTimePrinter(named, time.interval);
  return instants.map((at, index) => ({ at: intervals ? findMiddle(intervals, at) : at, text: print(named[index] as number, index) }));
}

/** d3 uses the step nearest to the count, which may give twice as many times, or a single one: some of a finer step are better then. */
function listRoundTimes(walls: readonly number[], count: number): number[] {
  const scale = scaleUtc(walls, [0, 1]);
  const most = Math.max(1, count);
  const least = Math.min(2, most);
  for (let wanted = most; wanted > 0; wanted--) {
    const times = scale.ticks(wanted);
    if (times.length <= most && times.length >= least) return times.map(Number);
  }
  const finer = scale.ticks(2 * most).map(Number);
  return finer.filter((_, index) => index % Math.ceil(finer.length / most) === 0);
}

/** Picks interval starts that are round on the wall clock. */
function pickIntervals({ starts }: ColumnSpans, { toWallClock, interval }: TimeAxis, count: number): number[] {
  const walls = Array.from(starts, toWallClock);
  const isRegular = interval === "1d" || interval === "7d" || interval === "1M";
  const nth = Math.ceil(walls.length / Math.max(1, count));
  if (nth <= 1 || !isRegular) return walls.filter((_, index) => index % nth === 0);
  const round = listRoundTimes([walls[0] as number, walls.at(-1) as number], count);
  const picked = round.map((tick) => walls[Math.max(0, bisectRight(walls, tick) - 1)] as number);
  return [...new Set(picked)];
}

function findMiddle({ starts, ends }: ColumnSpans, instant: number): number {
  const index = Math.max(0, bisectRight(starts, instant) - 1);
  return ((starts[index] as number) + (ends[index] as number)) / 2;
}

/** The instant at which the clock shows a time. The guess is corrected once, as the zone's offset may differ there. */
function toInstant({ toWallClock, domain: [start] }: TimeAxis, wall: number): number {
  const guess = wall - (toWallClock(start) - start);
  return wall - (toWallClock(guess) - guess);
}

const printTime = utcFormat("%H:%M");
const printDay = utcFormat("%-d %b");
const printDayAndTime = utcFormat("%-d %b %H:%M");
const printDayOfYear = utcFormat("%-d %b %Y");
const printMonth = utcFormat("%b");
const printMonthOfYear = utcFormat("%b %Y");
const printYear = utcFormat("%Y");

/** Formats tick labels as short as they allow. The first is unambiguous: it has the day of a time, the year of a day or month. */
function createTimePrinter(walls: readonly number[], interval: TimeAxis["interval"]): (wall: number, index: number) => string {
  const names = walls.map((wall) => nameInterval(interval, wall));
  if (names.every((name) => name !== undefined)) return (_, index) => names[index] as string;
  const isOn = (unit: typeof utcDay) => walls.every((wall) => Number(unit(new Date(wall))) === wall);
  if (!isOn(utcDay)) {
    return (wall, index) => {
      const date = new Date(wall);
      if (Number(utcDay(date)) === wall) return printDay(date);
      return (index === 0 ? printDayAndTime : printTime)(date);
    };
  }
  // A single time does not show the distance to the next.
  const isShort = walls.length === 1 && (interval === undefined || "ms" in findRule(interval));
  if (isShort || !isOn(utcMonth)) return (wall, index) => (index === 0 ? printDayOfYear : printDay)(new Date(wall));
  if (isOn(utcYear) && (walls.length > 1 || interval === "1y")) return (wall) => printYear(new Date(wall));
  return (wall, index) => {
    const date = new Date(wall);
    const previous = walls[index - 1];
    const isNewYear = previous === undefined || new Date(previous).getUTCFullYear() !== date.getUTCFullYear();
    return (isNewYear ? printMonthOfYear : printMonth)(date);
  };
}
