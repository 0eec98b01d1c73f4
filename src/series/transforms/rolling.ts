/** `--rolling`: means or sums over the last so many intervals, each included. */
import { rollingStart } from "../../query/transforms.ts";
import { countIntervals } from "../../time/calendar.ts";
import type { Duration } from "../../time/duration.ts";
import type { LocalTime } from "../../time/local-time.ts";
import { PointList, UNKNOWN } from "../computed/align.ts";
import { DecimalSum, isDecimal } from "../computed/decimals.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import type { Points } from "../points.ts";
import { sumsUp, type TimeSeries } from "../time-series.ts";
import type { SeriesClock } from "./series-clock.ts";

interface Kept {
  readonly start: LocalTime;
  /** JSON text of the value or, of a ratio, of what is divided by what; empty without a value. */
  readonly parts: readonly string[];
  /** True for a further value of the same interval. */
  readonly isRepeated: boolean;
}

/** The intervals of one series that are in the duration. Sums are exact, so that they do not depend on what came before. */
export class Rolling {
  readonly #duration: Duration;
  readonly #clock: SeriesClock;
  readonly #isSum: boolean;
  #kept: Kept[] = [];
  /** Where the duration begins in what is kept. */
  #first = 0;
  readonly #sums = [new DecimalSum(), new DecimalSum()] as const;
  #values = 0;
  #repeated = 0;

  constructor(duration: Duration, clock: SeriesClock, item: TimeSeries) {
    this.#duration = duration;
    this.#clock = clock;
    this.#isSum = sumsUp(item);
  }

  /** A point for each one: null until the duration is full, and where one of its intervals has no value. */
  roll(points: Points): Points {
    const { instants, ratio } = points;
    const list = new PointList(ratio?.most);
    for (let index = 0; index < instants.length; index++) {
      const at = { instant: instants[index] as number, timestamp: timestampAt(points, index) };
      const start = this.#clock.startOf(at.instant);
      const { rule } = this.#clock;
      this.#add(start, readParts(points, index));
      const from = rollingStart(rule, start, this.#duration);
      this.#removeBefore(from);
      const isFull =
        this.#repeated === 0 &&
        this.#values === countIntervals(rule, from, start) &&
        this.#kept.length - this.#first === this.#values;
      const [sum, under] = this.#sums;
      if (ratio) list.addRatio(at, isFull ? { over: Number(sum.text), under: Number(under.text) } : UNKNOWN);
      else if (!isFull) list.add(at, null);
      else list.add(at, this.#isSum ? sum.text : String(Number(sum.text) / this.#values));
    }
    return list.points;
  }

  #add(start: LocalTime, parts: readonly string[]): void {
    const isRepeated = this.#kept.at(-1)?.start === start;
    this.#kept.push({ start, parts, isRepeated });
    for (const [index, part] of parts.entries()) this.#sums[index]?.add(part);
    if (parts.length > 0) this.#values++;
    if (isRepeated) this.#repeated++;
  }

  #removeBefore(from: LocalTime): void {
    for (let old = this.#kept[this.#first]; old && old.start < from; old = this.#kept[++this.#first]) {
      for (const [index, part] of old.parts.entries()) this.#sums[index]?.subtract(part);
      if (old.parts.length > 0) this.#values--;
      if (old.isRepeated) this.#repeated--;
    }
    if (2 * this.#first < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}

/** Empty for what is no number, and for a ratio that is null. */
function readParts(points: Points, index: number): string[] {
  const value = valueAt(points, index);
  if (value === null || !isDecimal(value)) return [];
  const { over, under } = points.ratio ?? {};
  return over && under ? [String(over[index]), String(under[index])] : [value];
}
