/** Rows that cannot stand behind those that are kept: of another unit, of buckets that start at another time, or spelled otherwise. */
import { type BucketRule, INTERVALS } from "../../../base/vocabulary.ts";
import { keySeries } from "../../../series/keyed.ts";
import { lowerBound, stampAt } from "../../../series/point-operations.ts";
import { keyLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { Series, TimeSeries } from "../../../series/time-series.ts";
import { bucketLengths } from "../../../time/buckets.ts";
import { findSuffix } from "../../../time/stamp.ts";
import { findLast } from "../../package/kept.ts";
import { createNetworkClock, findKnownOffset } from "./network-clock.ts";
import type { KeptRows } from "./gap-watch.ts";

export class RowWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** Of their newest rows. */
  readonly #units = new Map<string, string>();
  /** Whether a series has no bucket where the last one is that is kept of it, and one beside that. */
  #isShifted = false;
  /** Undefined where it is not looked at: without a description, all of the last rows are. */
  readonly #bucket: BucketRule | undefined;
  /** As of the description. */
  readonly #offset: number | undefined;
  /** The newest timestamp that is kept, and how it ends; undefined where nothing tells it. */
  readonly #last: number;
  readonly #suffix: string | undefined;
  /** How it ends now, or the newest one, by series. */
  readonly #suffixes = new Map<string, string>();

  constructor({ descriptor: { series, offset, stampSuffix }, isDescribed, from, interval }: KeptRows) {
    this.#offset = offset;
    this.#last = findLast(series);
    this.#suffix = Number.isFinite(from) ? stampSuffix : undefined;
    this.#bucket = isDescribed && interval !== undefined ? INTERVALS[interval].bucket : undefined;
    // Those, too, of which no row stays: they tell of the others.
    this.#known = keyLogged(Number.isFinite(from) ? series : []);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const known = this.#known.get(key);
      const { instants } = series.points;
      if (instants.length === 0) continue;
      this.#readSuffix(key, item, series);
      if (!known) continue;
      this.#units.set(key, item.unit);
      // A bucket that the end of a window cuts may be stamped with it.
      if (!this.#bucket || !areAlike(known, this.#bucket, this.#offset)) continue;
      const next = lowerBound(series.points, known.last);
      const { [next - 1]: left = Number.NEGATIVE_INFINITY, [next]: right = Number.POSITIVE_INFINITY } = instants;
      if (right === known.last) continue;
      const { shortest } = bucketLengths(this.#bucket);
      this.#isShifted ||= right - known.last < shortest || known.last - left < shortest;
    }
  }

  /** With all that came: why rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    for (const [key, unit] of this.#units) {
      const { metric, unit: before = "" } = this.#known.get(key) ?? {};
      // Without one, an answer says nothing of it.
      if (before !== "" && unit !== "" && before !== unit) return `the unit of ${metric} is ${unit} now, and was ${before}`;
    }
    if (this.#isShifted) return "the buckets start at another time now";
    const suffixes = [...this.#suffixes.values()];
    // Series may differ.
    if (suffixes.length === 0 || suffixes.some((suffix) => suffix === this.#suffix)) return undefined;
    return `timestamps end in ${suffixes[0]} now, and ended in ${this.#suffix}`;
  }

  #readSuffix(key: string, { network }: TimeSeries, { points }: Series): void {
    if (this.#suffix === undefined) return;
    const index = Math.min(lowerBound(points, this.#last), points.instants.length - 1);
    const suffix = findSuffix(stampAt(points, index));
    if (suffix === undefined) return;
    // A network that ents does not know may have daylight saving, and other offsets at other times.
    const isSame = points.instants[index] === this.#last && (suffix === "Z") !== (this.#suffix === "Z");
    if (suffix === this.#suffix || isSame || findKnownOffset(network) !== undefined) this.#suffixes.set(key, suffix);
  }
}

/**
 * Whether the first and the last timestamp of a series stand at the same place of a bucket: months and years may be stamped with
 * any of their days. Of one alone nothing is known. `described`: the offset that the description has.
 */
function areAlike({ network, first, last }: LoggedSeries, bucket: BucketRule, described: number | undefined): boolean {
  if (first === last) return false;
  if ("ms" in bucket) return (last - first) % bucket.ms === 0;
  const { offset } = createNetworkClock(network, described);
  const [one, other] = [first, last].map((instant) => new Date(instant + offset).toISOString().slice(DAY_OF_MONTH)) as [string, string];
  return one === other;
}

/** Of `2025-01-31T00:00:00.000Z`. */
const DAY_OF_MONTH = "2025-01-".length;
