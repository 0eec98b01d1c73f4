/** Scales and ticks of a picture, shared by all painters. A range is in the painter's units, one per dot. */
import { bisectRight, range } from "d3-array";
import { format } from "d3-format";
import { type ScaleLinear, scaleLinear, scaleLog, type ScaleLogarithmic, scaleSymlog, type ScaleSymLog, scaleUtc } from "d3-scale";
import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { printFigure, toHyphen } from "./legend.ts";
import type { ColumnSpans, Panel, Spike, TimeAxis } from "./picture.ts";
import { findRule, isDayOrLonger } from "../../../base/intervals.ts";
import { nameInterval } from "../../../time/interval-names.ts";
import { DAY } from "../../../time/local-time.ts";

/** Maps an instant or a value to a position; `invert` does the reverse. */
export type Scale = ScaleLinear<number, number> | ScaleLogarithmic<number, number> | ScaleSymLog<number, number>;

export interface Tick {
  /** An instant or a value. */
  readonly at: number;
  readonly text: string;
}

type Range = readonly [from: number, to: number];

/** The number of dots in a range, at least one. */
export function measureRange(scale: Scale): number {
  const ends = scale.range();
  return Math.max(1, Math.abs((ends.at(-1) ?? 0) - (ends[0] ?? 0)));
}

export function createTimeScale({ domain }: Pick<TimeAxis, "domain">, to: Range): ScaleLinear<number, number> {
  return scaleLinear(domain, to);
}

/**
 * Widens the panel's domain to round numbers, unless most of the part above or below zero would be empty. Values beyond the domain
 * are placed at its ends. `ticks`: approximate number of ticks.
 */
export function createValueScale(
  { domain: [low, high], yScale, least = 1 }: Pick<Panel, "domain" | "yScale" | "least">,
  to: Range,
  ticks: number,
): Scale {
  if (yScale === "log") return createLogScale([low, high], to, least);
  const scale = scaleLinear([low, high], to).nice(ticks);
  const [lowest = low, highest = high] = scale.domain();
  return scale.domain([low < 0 && lowest < 2 * low ? low : lowest, high > 0 && highest > 2 * high ? high : highest]).clamp(true);
}

/** Powers of ten that a logarithmic axis with zero or negative values has, from the largest; it is linear near zero. */
const DECADES = 3;

function createLogScale([low, high]: Range, to: Range, least: number): Scale {
  if (low > 0) return scaleLog([findRound(low, Math.floor), findRound(high, Math.ceil)], to).clamp(true);
  const largest = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high)) || 1));
  return scaleSymlog([low, high], to)
    .constant(10 ** Math.max(Math.floor(Math.log10(least)), largest - DECADES))
    .clamp(true);
}

const ROUND = [1, 2, 5, 10];

/** The nearest of 1, 2, 5, 10, 20 and so on, downwards or upwards. */
function findRound(value: number, direction: typeof Math.floor): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const numbers = ROUND.map((round) => round * power);
  return (direction(0.5) === 0 ? numbers.findLast((round) => round <= value) : numbers.find((round) => round >= value)) ?? value;
}

/** Lists at most `count` round numbers, but at least two if there are. */
export function listValueTicks(scale: Scale, count: number): Tick[] {
  const { values, print } =
    "base" in scale ? listLog(scale, count) : "constant" in scale ? listPowers(scale, count) : listRound(scale, count);
  return values.map((at) => ({ at, text: toHyphen(print(at)) }));
}

interface RoundValues {
  readonly values: readonly number[];
  readonly print: (value: number) => string;
}

/** d3 uses the step nearest to the count, which may give more numbers, or fewer. */
function listRound(scale: ScaleLinear<number, number>, count: number): RoundValues {
  for (let wanted = count; wanted > 0; wanted--) {
    const values = scale.ticks(wanted);
    if (values.length > 1 && values.length <= count) return { values, print: scale.tickFormat(wanted) };
  }
  return { values: scale.ticks(count + 1), print: scale.tickFormat(count + 1) };
}

/** Powers of ten with 2 and 5 between them, or the powers alone, leaving out as many as needed. */
function listLog(scale: ScaleLogarithmic<number, number>, count: number): RoundValues {
  const [low = 1, high = 1] = scale.domain();
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = range(first, last + 1).map((power) => 10 ** power);
  const isShown = (value: number) => value >= low * NEARLY && value <= high / NEARLY;
  const choices = [
    powers.flatMap((power) => ROUND.slice(0, -1).map((round) => round * power)),
    ...range(1, powers.length + 1).map((step) => powers.filter((_, at) => at % step === 0)),
  ];
  const values = choices.map((choice) => choice.filter(isShown)).find(({ length }) => length <= count);
  return { values: values && values.length > 1 ? values : [low, high], print: printRound };
}

/** Powers of ten may be off by a bit. */
const NEARLY = 1 - 1e-9;

/** Zero and powers of ten on both sides, leaving out as many as needed. */
function listPowers(scale: ScaleSymLog<number, number>, count: number): RoundValues {
  const [low = 0, high = 0] = scale.domain();
  const first = Math.round(Math.log10(scale.constant()));
  const powers = range(first, first + DECADES + 2).map((power) => 10 ** power);
  for (let step = 1; ; step++) {
    const kept = powers.filter((_, index) => (powers.length - 2 - index) % step === 0);
    const values = [...kept.map((power) => -power).reverse(), 0, ...kept].filter((value) => value >= low && value <= high);
    if (values.length <= Math.max(count, 3) || step > DECADES) return { values, print: printRound };
  }
}

const printRound = format(",~r");

/** Maximum number of values on an axis, however long it is. */
export const MAX_TICKS = 6;
/** The same of times, and of columns that are all named. */
const MAX_TIMES = 8;
const MAX_NAMED = 13;
/** A year, and the month in progress. */
const YEAR = 400 * DAY;

/** Fewer times than this do not show the scale of a wide axis. */
const FEW = 4;

/** Lists at most `count` round wall-clock times, but at least one; for columns, the middles of intervals. `isBrief`: the first is no longer than the others. */
export function listTimeTicks(time: TimeAxis, count: number, isBrief = false): Tick[] {
  const { domain, intervals, toWallClock } = time;
  const walls = intervals ? pickIntervals(intervals, time, count) : listRoundTimes(domain.map(toWallClock), count);
  const print = createTimePrinter(walls, time.interval);
  // Printed as if it followed itself, a time is neither the first nor in a new year.
  const ticks = walls.map((wall, index) => ({ at: toInstant(time, wall), text: print(wall, isBrief ? index + 1 : index) }));
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
  const [start, end] = time.domain;
  // Within a year, the subtitle tells what the first does not.
  const isBrief = end - start <= YEAR ? [false, true] : [false];
  const isFew = (time.intervals?.starts.length ?? Number.POSITIVE_INFINITY) <= MAX_NAMED;
  const named = isFew ? isBrief.map((brief) => listTimeTicks(time, MAX_NAMED, brief)) : [];
  const all = named.find((ticks) => ticks.length > 1 && isApart(ticks, measure(" ")));
  if (all) return all;
  const most = Math.floor(measureRange(scale) / (measure("000") + gap));
  for (let count = Math.min(most, MAX_TIMES); count > 1; count--) {
    const choices = (count < FEW ? [false] : isBrief).map((brief) => listTimeTicks(time, count, brief));
    const fitting = choices.find((ticks) => ticks.length > 1 && isApart(ticks, gap));
    if (fitting) return fitting;
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

/** d3 uses the step nearest to the count, which may give twice as many times, or very few: some of a finer step are better then. */
function listRoundTimes(walls: readonly number[], count: number): number[] {
  const scale = scaleUtc(walls, [0, 1]);
  const most = Math.max(1, count);
  const least = Math.min(FEW, most);
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

/** What is said of a value that is cut off, the best first: `17,500 South Australia, 3 Feb 18:05`. */
export function describeSpike({ time: at, value, of }: Spike, { toWallClock, interval }: TimeAxis): string[] {
  const print = isDayOrLonger(interval) ? printDay : printDayAndTime;
  const words = printFigure(value);
  const where = of === undefined ? words : `${words} ${of}`;
  return [`${where}, ${print(new Date(toWallClock(at)))}`, where, words];
}

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
