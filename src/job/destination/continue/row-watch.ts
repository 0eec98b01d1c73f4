/** Rows that cannot stand behind those that are kept: of another unit, or of buckets that start at another time. */
import { INTERVALS } from "../../../base/vocabulary.ts";
import { keySeries } from "../../../series/keyed.ts";
import { lowerBound } from "../../../series/point-operations.ts";
import { keyLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import type { KeptRows } from "./gap-watch.ts";

export class RowWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** Of their newest rows. */
  readonly #units = new Map<string, string>();
  /** Series that have a bucket where the last one was that is kept of them, and those that have one beside it. */
  readonly #same = new Set<string>();
  readonly #shifted = new Set<string>();
  readonly #bucket: number;

  constructor({ descriptor: { series }, isDescribed, from, interval }: KeptRows) {
    const bucket = interval === undefined ? undefined : INTERVALS[interval].bucket;
    // Months and years may be stamped with any of their days. Without a description, all of the last rows are looked at.
    this.#bucket = isDescribed && bucket && "ms" in bucket ? bucket.ms : 0;
    // Of the others, no row stays.
    this.#known = new Map([...keyLogged(series)].filter(([, { first }]) => first < from));
  }

  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const known = this.#known.get(key);
      const { instants } = series.points;
      if (!known || instants.length === 0) continue;
      this.#units.set(key, item.unit);
      // A bucket that the end of a window cuts may be stamped with it.
      if ((known.last - known.first) % this.#bucket !== 0) continue;
      const [before, at] = [-1, 0].map((step) => instants[lowerBound(series.points, known.last) + step]);
      if (at === known.last) this.#same.add(key);
      else if (
        (at ?? Number.POSITIVE_INFINITY) - known.last < this.#bucket ||
        known.last - (before ?? Number.NEGATIVE_INFINITY) < this.#bucket
      )
        this.#shifted.add(key);
    }
  }

  /** With all that came: why rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    for (const [key, unit] of this.#units) {
      const { metric, unit: before = "" } = this.#known.get(key) ?? {};
      // Without one, an answer says nothing of it.
      if (before !== "" && unit !== "" && before !== unit) return `the unit of ${metric} is ${unit} now, and was ${before}`;
    }
    return [...this.#shifted].some((key) => !this.#same.has(key)) ? "the buckets start at another time now" : undefined;
  }
}
