/** Series that come back after longer than an update looks back: a service that fills gaps has nulls there, and a file that is updated has not. */
import type { Interval } from "../../../base/vocabulary.ts";
import { createStep, showFilling } from "../../../series/gap-evidence.ts";
import { keySeries } from "../../../series/keyed.ts";
import { stampAt } from "../../../series/point-operations.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import { nameSeries, type TimeSeries } from "../../../series/time-series.ts";
import { toItems } from "./known-columns.ts";

export class GapWatch {
  readonly #lasts = new Map<string, number>();
  readonly #from: number;
  readonly #interval: Interval | undefined;
  #fills: boolean | undefined;
  #first: string | undefined;
  #count = 0;

  /** `series`: those of the old file; rows from `from` on are replaced. */
  constructor(series: readonly LoggedSeries[], from: number, interval: Interval | undefined) {
    for (const one of series) for (const key of keySeries(toItems([one])).keys()) this.#lasts.set(key, one.last);
    this.#from = from;
    this.#interval = interval;
  }

  add(timeSeries: readonly TimeSeries[]): void {
    if (this.#fills !== false) this.#fills = showFilling(timeSeries, this.#interval) ?? this.#fills;
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const { points } = series;
      if (points.instants.length === 0) continue;
      const last = this.#lasts.get(key);
      this.#lasts.delete(key);
      if (last === undefined || last >= this.#from) continue;
      if ((createStep(item, this.#interval)?.next(last) ?? this.#from) >= this.#from) continue;
      this.#count++;
      this.#first ??= `${nameSeries(series)} from ${new Date(last).toISOString().slice(0, 16)}Z to ${stampAt(points, 0)}`;
    }
  }

  /** Undefined where no gap is left. */
  get warning(): string | undefined {
    if (this.#count === 0 || this.#fills === false) return undefined;
    const others = this.#count > 1 ? `, and ${this.#count - 1} more` : "";
    return `rows without a value ${this.#fills ? "are" : "may be"} missing in gaps longer than --revise: ${this.#first}${others}; fetch all again to fill them`;
  }
}
