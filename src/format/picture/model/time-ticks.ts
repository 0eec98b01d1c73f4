/** Ticks of a time axis, shared by all painters. */
import { bisectRight } from "d3-array";
import { scaleLinear, scaleUtc } from "d3-scale";
import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { printFigure } from "./legend.ts";
import type { AnalysisResult } from "../../../series/analyses/result.ts";
import type { ColumnSpans, Spike, TimeAxis, OtherAxis } from "./picture.ts";
import { measureRange, type Range, type Scale, type Tick } from "./scales.ts";
import { findRule, isDayOrLonger } from "../../../base/intervals.ts";
import { nameInterval } from "../../../time/interval-names.ts";
import { DAY } from "../../../time/local-time.ts";

/** Maximum number of times on an axis, and of columns that are all named. */
const MAX_TIMES = 8;
const MAX_NAMED = 13;
/** A year, and the month in progress. */
const YEAR = 400 * DAY;

/** Fewer times than this do not show the scale of a wide axis. */
const FEW = 4;

/**
 * Lists at most `count` round wall-clock times, but at least one; for columns, the middles of intervals. `isBrief`: the
 * first is no longer than the others.
 */
export function listTimeTicks(time: TimeAxis, count: number, isBrief = false): Tick[] {
  const { domain, intervals, toWallClock } = time;
  const walls = intervals
    ? pickIntervals(intervals, time, count)
    : listRoundTimes(domain.map(toWallClock), count, time.other?.domain !== undefined);
  const print = createTimePrinter(walls, time);
  // Printed as if it followed itself, a time is neither the first nor in a new year.
  const ticks = walls.map((wall, index) => ({
    at: toInstant(time, wall),
    text: print(wall, isBrief ? index + 1 : index),
  }));
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
  const most = Math.min(MAX_TIMES, Math.floor(measureRange(scale) / (measure("000") + gap)));
  const choices = [...isBrief.map((brief) => ({ brief, least: FEW })), { brief: false, least: 2 }];
  for (const { brief, least } of choices) {
    for (let count = most; count >= least; count--) {
      const ticks = listTimeTicks(time, count, brief);
      if (ticks.length >= least && isApart(ticks, gap)) return ticks;
    }
  }
  // A single tick does not show the distance to the next.
  const ends = listEndTicks(time);
  return isApart(ends, gap / 4) ? ends : listTimeTicks(time, 1);
}

/** The first and last interval or instant. */
function listEndTicks(time: TimeAxis): Tick[] {
  const { intervals, domain, toWallClock } = time;
  const ends = intervals ? [intervals.starts[0] ?? 0, intervals.starts.at(-1) ?? 0] : domain;
  const instants = [...new Set(ends)];
  const walls = instants.map(toWallClock);
  const days = walls.map((wall) => Number(utcDay(new Date(wall))));
  // Times alone would not say that the last is of another day.
  const named = days[0] === days.at(-1) ? walls : days;
  const print = createTimePrinter(named, time);
  return instants.map((at, index) => ({
    at: intervals ? findMiddle(intervals, at) : at,
    text: print(named[index] as number, index),
  }));
}

/**
 * d3 uses the step nearest to the count, which may give twice as many times, or very few: some of a finer step are
 * better then.
 */
function listRoundTimes(walls: readonly number[], count: number, isNumber = false): number[] {
  const scale = isNumber ? scaleLinear(walls, [0, 1]) : scaleUtc(walls, [0, 1]);
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
export function describeSpike({ time: at, value, of }: Spike, { toWallClock, interval, other }: TimeAxis): string[] {
  const words = printFigure(value);
  const where = of === undefined ? words : `${words} ${of}`;
  const wall = toWallClock(at);
  const when = other?.print(wall) ?? (isDayOrLonger(interval) ? printDay : printDayAndTime)(new Date(wall));
  return [`${where}, ${when}`, where, words];
}

/**
 * Formats tick labels as short as they allow. The first is unambiguous: it has the day of a time, the year of a day or
 * month.
 */
function createTimePrinter(
  walls: readonly number[],
  { interval, other }: TimeAxis,
): (wall: number, index: number) => string {
  if (other) return other.printTick;
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

const onDate = (print: (date: Date) => string) => (wall: number) => print(new Date(wall));
const printWeekTime = utcFormat("%a %H:%M");

/** By what an analysis has in place of the time. */
export const OTHER_AXES: Readonly<Record<NonNullable<AnalysisResult["axis"]>, OtherAxis>> = {
  day: { start: 0, print: onDate(printTime), printTick: onDate(printTime) },
  // 5 January 1970 was a Monday, and 1972 a leap year.
  week: {
    start: 4 * DAY,
    print: onDate(printWeekTime),
    printTick: (wall) => (wall % DAY === 0 ? utcFormat("%a") : printWeekTime)(new Date(wall)),
  },
  year: {
    start: Date.UTC(1972, 0),
    print: onDate(printDay),
    printTick: onDate((date) => (date.getUTCDate() === 1 ? printMonth : printDay)(date)),
  },
  share: {
    start: 0,
    domain: [0, 100],
    print: (share) => `${printFigure(share)} % of the time`,
    printTick: (share) => `${share} %`,
  },
};
