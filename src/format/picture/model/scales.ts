/** Scales and ticks of a picture, shared by all painters. A range is in the painter's units, one per dot. */
import { bisectRight } from "d3-array";
import { type ScaleLinear, scaleLinear, scaleUtc } from "d3-scale";
import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { toHyphen } from "./legend.ts";
import type { ColumnSpans, Panel, TimeAxis } from "./picture.ts";
import { INTERVALS } from "../../../base/vocabulary.ts";
import { nameYearly } from "../../table/headings.ts";

/** Maps an instant or a value to a position; `invert` does the reverse. */
export type Scale = ScaleLinear<number, number>;

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

export function createTimeScale({ domain }: TimeAxis, range: Range): Scale {
  return scaleLinear(domain, range);
}

/**
 * Widens the panel's domain to round numbers, unless most of the part above or below zero would be empty. `ticks`: approximate
 * number of ticks.
 */
export function createValueScale({ domain: [low, high] }: Panel, range: Range, ticks: number): Scale {
  const scale = scaleLinear([low, high], range).nice(ticks);
  const [lowest = low, highest = high] = scale.domain();
  return scale.domain([low < 0 && lowest < 2 * low ? low : lowest, high > 0 && highest > 2 * high ? high : highest]);
}

/** Lists about `count` round numbers. */
export function listValueTicks(scale: Scale, count: number): Tick[] {
  const print = scale.tickFormat(count);
  return scale.ticks(count).map((at) => ({ at, text: toHyphen(print(at)) }));
}

/** Maximum number of ticks, however long the axis. */
export const MAX_TICKS = 6;

/** Lists at most `count` round wall-clock times, but at least one; for columns, the middles of buckets. */
export function listTimeTicks(time: TimeAxis, count: number): Tick[] {
  const { domain, buckets, toWallClock } = time;
  const walls = buckets ? pickBuckets(buckets, time, count) : listRoundTimes(domain.map(toWallClock), count);
  const print = createTimePrinter(walls, time.interval);
  const ticks = walls.map((wall, index) => ({ at: toInstant(time, wall), text: print(wall, index) }));
  if (!buckets) return ticks.filter(({ at }) => at >= domain[0] && at <= domain[1]);
  return ticks.map(({ at, text }) => ({ at: findMiddle(buckets, at), text }));
}

/** Lists as many ticks as fit. `character`: width of a character; `gap`: minimum distance between two texts. */
export function fitTimeTicks(
  time: TimeAxis,
  scale: Scale,
  { character, gap }: { readonly character: number; readonly gap: number },
): Tick[] {
  const room = Math.floor(measureRange(scale) / (3 * character + gap));
  const half = ({ text }: Tick) => (text.length * character) / 2;
  for (let count = Math.min(room, MAX_TICKS); count > 1; count--) {
    const ticks = listTimeTicks(time, count);
    const areApart = ticks.slice(1).every((tick, index) => {
      const before = ticks[index] as Tick;
      return scale(tick.at) - half(tick) - (scale(before.at) + half(before)) >= gap;
    });
    if (areApart) return ticks;
  }
  return listTimeTicks(time, 1);
}

/** d3 uses the step nearest to the count, which may give twice as many times. */
function listRoundTimes(walls: readonly number[], count: number): number[] {
  const scale = scaleUtc(walls, [0, 1]);
  for (let wanted = count; wanted > 1; wanted--) {
    const times = scale.ticks(wanted);
    if (times.length <= count) return times.map(Number);
  }
  return scale.ticks(1).slice(0, 1).map(Number);
}

/** Picks bucket starts that are round on the wall clock. */
function pickBuckets({ starts }: ColumnSpans, { toWallClock, interval }: TimeAxis, count: number): number[] {
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
  if (interval === "fy" || interval === "season") return (wall) => nameYearly(new Date(wall), interval);
  const isOn = (unit: typeof utcDay) => walls.every((wall) => Number(unit(new Date(wall))) === wall);
  if (!isOn(utcDay)) {
    return (wall, index) => {
      const date = new Date(wall);
      if (Number(utcDay(date)) === wall) return printDay(date);
      return (index === 0 ? printDayAndTime : printTime)(date);
    };
  }
  // A single time does not show the distance to the next.
  const isShort = walls.length === 1 && (interval === undefined || "ms" in INTERVALS[interval].bucket);
  if (isShort || !isOn(utcMonth)) return (wall, index) => (index === 0 ? printDayOfYear : printDay)(new Date(wall));
  if (isOn(utcYear) && (walls.length > 1 || interval === "1y")) return (wall) => printYear(new Date(wall));
  return (wall, index) => {
    const date = new Date(wall);
    const previous = walls[index - 1];
    const isNewYear = previous === undefined || new Date(previous).getUTCFullYear() !== date.getUTCFullYear();
    return (isNewYear ? printMonthOfYear : printMonth)(date);
  };
}
