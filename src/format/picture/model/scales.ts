/** Scales, ticks and stacks of a picture: the same for all painters. A range is in the painter's own units, one per dot. */
import { bisectRight, mean, sum } from "d3-array";
import { type ScaleLinear, scaleLinear, scaleUtc } from "d3-scale";
import { stack, stackOffsetDiverging } from "d3-shape";
import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { toHyphen } from "./legend.ts";
import type { Panel, PictureSeries, TimeAxis } from "./picture.ts";
import { measureRange, listBins } from "./sample.ts";
import { INTERVALS } from "../../../base/vocabulary.ts";

/** From an instant or a value to a position; `invert` leads back. */
export type Scale = ScaleLinear<number, number>;

export interface Tick {
  /** An instant or a value. */
  readonly at: number;
  readonly text: string;
}

type Range = readonly [from: number, to: number];

export function createTimeScale({ domain }: TimeAxis, range: Range): Scale {
  return scaleLinear(domain, range);
}

/** The panel's domain widened to round numbers, unless most would be empty below or above zero. `ticks`: about how many there will be. */
export function createValueScale({ domain: [low, high] }: Panel, range: Range, ticks: number): Scale {
  const scale = scaleLinear([low, high], range).nice(ticks);
  const [lowest = low, highest = high] = scale.domain();
  return scale.domain([low < 0 && lowest < 2 * low ? low : lowest, high > 0 && highest > 2 * high ? high : highest]);
}

/** Round numbers, about `count` of them. */
export function listValueTicks(scale: Scale, count: number): Tick[] {
  const print = scale.tickFormat(count);
  return scale.ticks(count).map((at) => ({ at, text: toHyphen(print(at)) }));
}

/** More are not needed, however long an axis is. */
export const MAX_TICKS = 40;

/** At most `count` round times of the wall clock, or one; of columns, the middles of buckets. */
export function listTimeTicks(time: TimeAxis, count: number): Tick[] {
  const { domain, buckets, toWallClock } = time;
  const walls = buckets ? pickBuckets(time, count) : listRoundTimes(domain.map(toWallClock), count);
  const print = createTimePrinter(walls, time.interval);
  const ticks = walls.map((wall, index) => ({ at: toInstant(time, wall), text: print(wall, index) }));
  if (!buckets) return ticks.filter(({ at }) => at >= domain[0] && at <= domain[1]);
  return ticks.map(({ at, text }) => ({ at: findMiddle(buckets, at), text }));
}

/** As many as there is room for. `character`: the width of one; `gap`: at least so much between two texts. */
export function fitTimeTicks(
  time: TimeAxis,
  scale: Scale,
  { character, gap }: { readonly character: number; readonly gap: number },
): Tick[] {
  const room = Math.floor(measureRange(scale) / (3 * character + gap));
  for (let count = Math.min(room, MAX_TICKS); count > 1; count--) {
    const ticks = listTimeTicks(time, count);
    const ends = ticks.map(({ at, text }) => ({
      from: scale(at) - (text.length * character) / 2,
      to: scale(at) + (text.length * character) / 2,
    }));
    if (ends.every(({ from }, index) => index === 0 || from - (ends[index - 1] as { to: number }).to >= gap)) return ticks;
  }
  return listTimeTicks(time, 1);
}

/** d3 takes the step that is nearest to the count, which may give twice as many. */
function listRoundTimes(walls: readonly number[], count: number): number[] {
  const scale = scaleUtc(walls, [0, 1]);
  for (let wanted = count; wanted > 1; wanted--) {
    const times = scale.ticks(wanted);
    if (times.length <= count) return times.map(Number);
  }
  return scale.ticks(1).slice(0, 1).map(Number);
}

/** Round starts of buckets on the wall clock. */
function pickBuckets(time: TimeAxis, count: number): number[] {
  const { starts } = time.buckets as NonNullable<TimeAxis["buckets"]>;
  const walls = Array.from(starts, time.toWallClock);
  const isRegular = time.interval === "1d" || time.interval === "7d" || time.interval === "1M";
  const nth = Math.ceil(walls.length / Math.max(1, count));
  if (nth <= 1 || !isRegular) return walls.filter((_, index) => index % nth === 0);
  const round = listRoundTimes([walls[0] as number, walls.at(-1) as number], count);
  const picked = round.map((tick) => walls[Math.max(0, bisectRight(walls, tick) - 1)] as number);
  return [...new Set(picked)];
}

function findMiddle({ starts, ends }: NonNullable<TimeAxis["buckets"]>, instant: number): number {
  const index = Math.max(0, bisectRight(starts, instant) - 1);
  return ((starts[index] as number) + (ends[index] as number)) / 2;
}

/** The instant at which the clock shows a time; the offset of a zone changes, so the guess is corrected once. */
function toInstant({ toWallClock, domain: [start] }: TimeAxis, wall: number): number {
  const guess = wall - (toWallClock(start) - start);
  return wall - (toWallClock(guess) - guess);
}

/** A stack of series at common times. */
export interface Stack {
  readonly times: Float64Array;
  /** The ends of columns. */
  readonly ends?: Float64Array | undefined;
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly series: PictureSeries;
  readonly values: Float64Array;
  /** The low and the high end at each time; the high one of a gap is NaN. */
  readonly bands: readonly Band[];
}

export type Band = readonly [low: number, high: number];

/** Whether a band is on the lower side of the axis. */
export function isBelow(band: Band | undefined): boolean {
  return band !== undefined && band[1] <= 0;
}

/** The stack of a panel in so many dots: where several times share a dot, each series has the mean of its values there. */
export function stackPanel({ series, ends }: Panel, scale: Scale): Stack {
  const times = series[0]?.times ?? new Float64Array();
  const bins = times.length > 2 * measureRange(scale) ? listBins(times, scale) : undefined;
  const columns = series.map(({ values }) =>
    bins ? Float64Array.from(bins, ({ from, to }) => mean(values.subarray(from, to)) ?? Number.NaN) : values,
  );
  const shownTimes = bins ? Float64Array.from(bins, ({ from }) => times[from] as number) : times;
  // d3 puts a zero on the axis: as next to nothing it stays where its neighbours are.
  const sides = columns.map((values) => (sum(values) < 0 ? -NEXT_TO_NOTHING : NEXT_TO_NOTHING));
  const layers = stack<number, number>()
    .keys(series.keys())
    .value((index, key) => (columns[key]?.[index] === 0 ? (sides[key] as number) : (columns[key]?.[index] as number)))
    .offset(stackOffsetDiverging)(shownTimes.keys());
  return {
    times: shownTimes,
    ends: ends && bins ? Float64Array.from(bins, ({ to }) => ends[to - 1] as number) : ends,
    layers: layers.map((bands, index) => ({
      series: series[index] as PictureSeries,
      values: columns[index] as Float64Array,
      bands: bands.map(([low, high]) => [low, high]),
    })),
  };
}

const NEXT_TO_NOTHING = 1e-9;

const printTime = utcFormat("%H:%M");
const printDay = utcFormat("%-d %b");
const printMonth = utcFormat("%b");
const printMonthOfYear = utcFormat("%b %Y");
const printYear = utcFormat("%Y");

/** As short as the ticks allow: the day stands at midnight, the year in January, else at its first tick. */
function createTimePrinter(walls: readonly number[], bucket: TimeAxis["interval"]): (wall: number, index: number) => string {
  const isOn = (interval: typeof utcDay) => walls.every((wall) => Number(interval(new Date(wall))) === wall);
  if (!isOn(utcDay)) return (wall) => (Number(utcDay(new Date(wall))) === wall ? printDay : printTime)(new Date(wall));
  // One time alone does not show how far it is to the next.
  const isShort = walls.length === 1 && (bucket === undefined || "ms" in INTERVALS[bucket].bucket);
  if (isShort || !isOn(utcMonth)) return (wall) => printDay(new Date(wall));
  if (isOn(utcYear)) return (wall) => printYear(new Date(wall));
  return (wall, index) => {
    const date = new Date(wall);
    const previous = walls[index - 1];
    if (date.getUTCMonth() === 0) return printYear(date);
    const isNewYear = previous === undefined || new Date(previous).getUTCFullYear() !== date.getUTCFullYear();
    return (isNewYear ? printMonthOfYear : printMonth)(date);
  };
}
