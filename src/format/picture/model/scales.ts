/**
 * Scales of a picture and the ticks of values, shared by all painters. A range is in the painter's units, one per dot.
 */
import { mean, range } from "d3-array";
import { format } from "d3-format";
import {
  type ScaleLinear,
  scaleLinear,
  scaleLog,
  type ScaleLogarithmic,
  scaleSymlog,
  type ScaleSymLog,
} from "d3-scale";
import { toHyphen } from "./legend.ts";
import type { Panel, TimeAxis } from "./picture.ts";

/** Maps an instant or a value to a position; `invert` does the reverse. */
export type Scale = ScaleLinear<number, number> | ScaleLogarithmic<number, number> | ScaleSymLog<number, number>;

export interface Tick {
  /** An instant or a value. */
  readonly at: number;
  readonly text: string;
}

export type Range = readonly [from: number, to: number];

/** The number of dots in a range, at least one. */
export function measureRange(scale: Scale): number {
  const ends = scale.range();
  return Math.max(1, Math.abs((ends.at(-1) ?? 0) - (ends[0] ?? 0)));
}

export function createTimeScale({ domain }: Pick<TimeAxis, "domain">, to: Range): ScaleLinear<number, number> {
  return scaleLinear(domain, to);
}

/** The time scale of a panel's marks: beside panels of columns, a point stands in the middle of its interval, too. */
export function createMarkScale(axis: Scale, { intervals }: TimeAxis, { mark }: Panel): Scale {
  if (!intervals || mark === "column") return axis;
  const half = (mean(intervals.starts, (start, index) => (intervals.ends[index] as number) - start) ?? 0) / 2;
  return axis.copy().domain(axis.domain().map((instant) => instant - half));
}

/**
 * Widens the panel's domain to round numbers, unless most of the part above or below zero would be empty. Values beyond
 * the domain are placed at its ends. `ticks`: approximate number of ticks.
 */
export function createValueScale(
  { domain: [low, high], yScale, least = 1 }: Pick<Panel, "domain" | "yScale" | "least">,
  to: Range,
  ticks: number,
): Scale {
  if (yScale === "log") return createLogScale([low, high], to, least);
  const scale = scaleLinear([low, high], to).nice(ticks);
  const [lowest = low, highest = high] = scale.domain();
  return scale
    .domain([low < 0 && lowest < 2 * low ? low : lowest, high > 0 && highest > 2 * high ? high : highest])
    .clamp(true);
}

/** Powers of ten that a logarithmic axis with zero or negative values has, from the largest; it is linear near zero. */
const DECADES = 3;

function createLogScale([low, high]: Range, to: Range, least: number): Scale {
  if (low > 0) return scaleLog([findRound(low, "down"), findRound(high, "up")], to).clamp(true);
  const largest = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high)) || 1));
  return scaleSymlog([low, high], to)
    .constant(10 ** Math.max(Math.floor(Math.log10(least)), largest - DECADES))
    .clamp(true);
}

const ROUND = [1, 2, 5, 10];

/** The nearest of 1, 2, 5, 10, 20 and so on. */
function findRound(value: number, direction: "down" | "up"): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const numbers = ROUND.map((round) => round * power);
  return (
    (direction === "down" ? numbers.findLast((round) => round <= value) : numbers.find((round) => round >= value)) ??
    value
  );
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
    const values = [...kept.map((power) => -power).reverse(), 0, ...kept].filter(
      (value) => value >= low && value <= high,
    );
    if (values.length <= Math.max(count, 3) || step > DECADES) return { values, print: printRound };
  }
}

const printRound = format(",~r");

/** Maximum number of values on an axis, however long it is. */
export const MAX_TICKS = 6;
