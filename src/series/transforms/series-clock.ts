import { findRule, type IntervalRule } from "../../base/intervals.ts";
import type { Query } from "../../query/query.ts";
import { intervalStart } from "../../time/calendar.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { refuseUnknownHours } from "../computed/spans.ts";
import { findInterval, findOffsetMs, type TimeSeries } from "../time-series.ts";

const HALF_DAY = DAY / 2;

/** The starts of the intervals of a series, in network time. */
export class SeriesClock {
  readonly rule: IntervalRule;
  readonly #offset: number;

  /** @throws {EntsError} refused: the service names no interval, or no UTC offset. */
  constructor(item: TimeSeries, query: Pick<Query, "interval">) {
    const interval = findInterval(item) ?? query.interval;
    const offset = findOffsetMs(item.network, [item]);
    if (interval === undefined || offset === undefined)
      throw refuseUnknownHours(interval === undefined ? "interval" : "UTC offset", item);
    this.rule = findRule(interval);
    this.#offset = offset;
  }

  /** Of months and longer, the timestamp may be a day before the start, or inside the interval. */
  startOf(instant: number): LocalTime {
    const local = instant + this.#offset;
    return "ms" in this.rule ? local : intervalStart(this.rule, local + HALF_DAY);
  }
}
