/** Gaps that begin before what an update fetches: a service that fills gaps has nulls there, and what is kept has not. */
import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import type { GapFacts } from "../../../format/encode.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import { createStep } from "../../../series/gap-evidence.ts";
import { keySeries } from "../../../series/keyed.ts";
import { formatInstant } from "../../../series/series-log.ts";
import { nameSeries, type TimeSeries } from "../../../series/time-series.ts";
import { DAY } from "../../../time/local-time.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { NeedsMore } from "../needs-more.ts";
import { toItems } from "./known-columns.ts";

export interface GapWatching {
  readonly descriptor: Pick<Descriptor, "series" | "fillsGaps" | "unfilledSince">;
  /** Rows from this instant on are replaced. */
  readonly from: number;
  readonly interval: Interval | undefined;
  /** Whether the service has refused to give what is before. */
  readonly isRefused: boolean;
}

interface Gap {
  /** Of the series. */
  readonly name: string;
  /** The instant before it. */
  readonly since: number;
}

export class GapWatch {
  readonly #options: GapWatching;
  readonly #lasts = new Map<string, number>();
  #first: Gap | undefined;
  #end = Number.NEGATIVE_INFINITY;

  constructor(options: GapWatching) {
    this.#options = options;
    for (const one of options.descriptor.series) for (const key of keySeries(toItems([one])).keys()) this.#lasts.set(key, one.last);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const { from, interval } = this.#options;
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const end = series.points.instants.at(-1);
      if (end === undefined) continue;
      this.#end = Math.max(this.#end, end);
      const since = this.#lasts.get(key);
      this.#lasts.delete(key);
      if (since === undefined || since >= from || since >= (this.#first?.since ?? from)) continue;
      if ((createStep(item, interval)?.next(since) ?? from) < from) this.#first = { name: nameSeries(series), since };
    }
  }

  /**
   * With all that came: what is to be told of gaps that stay; undefined for none.
   * @throws {NeedsMore} few more requests can fill them.
   */
  settle({ fills }: Partial<GapFacts> = {}): string | undefined {
    const { descriptor, from, isRefused } = this.#options;
    const unfilled = fills && descriptor.fillsGaps === undefined ? descriptor.unfilledSince : undefined;
    const since = Math.min(this.#first?.since ?? from, unfilled ?? from);
    if (fills === false || since >= from) return undefined;
    const what = this.#first ? `${this.#first.name} is back after a gap` : "the service fills gaps, as it has shown now";
    const isFew = from - since <= this.#longest;
    if (isFew && !isRefused) throw new NeedsMore(what, since);
    const missing = `${what}: rows without a value ${fills ? "are" : "may be"} missing from ${formatInstant(since)} on`;
    if (isFew) return `${missing}, as the service refuses to go back so far`;
    const days = Math.ceil((this.#end - since) / DAY) + SPARE_DAYS;
    return `${missing}; to add them, run the command once with ${UPKEEP_FLAGS.revise} ${days}d`;
  }

  /** What few more requests can fetch, in milliseconds. */
  get #longest(): number {
    const { interval } = this.#options;
    if (interval === undefined || !("ms" in INTERVALS[interval].bucket)) return Number.POSITIVE_INFINITY;
    return FEW_REQUESTS * INTERVALS[interval].maxDays.community * DAY;
  }
}

/** A tenth of what a community key has in a day. */
const FEW_REQUESTS = 50;

/** The command need not be run the next day. */
const SPARE_DAYS = 7;
