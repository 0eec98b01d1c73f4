/** Rows that cannot stand behind those that are kept: of another unit, or of buckets that start at another time. */
import { type BucketRule, INTERVALS } from "../../../base/vocabulary.ts";
import { keySeries } from "../../../series/keyed.ts";
import { lowerBound } from "../../../series/point-operations.ts";
import { keyLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { Points } from "../../../series/points.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { bucketLengths } from "../../../time/buckets.ts";
import { formatAge } from "../../../time/duration.ts";
import { createNetworkClock } from "./network-clock.ts";
import type { KeptRows } from "./gap-watch.ts";

export class RowWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** In their order. */
  readonly #units = new Map<string, Set<string>>();
  /** How long after the last bucket that is kept of a series it has the next, in milliseconds, where it has none in that one's place. */
  #shift: number | undefined;
  /** Less than an interval is between two buckets, in milliseconds. */
  #closest: number | undefined;
  /** Whether series came that are not known, and those that are. */
  #hasOthers = false;
  #hasKnown = false;
  readonly #goesOn: boolean;
  /** Undefined where it is not looked at: without a description, all of the last rows are. */
  readonly #bucket: BucketRule | undefined;
  /** As of the description. */
  readonly #offset: number | undefined;

  constructor({ descriptor: { series, offset }, isDescribed, from, interval }: KeptRows) {
    this.#offset = offset;
    this.#bucket = isDescribed && interval !== undefined ? INTERVALS[interval].bucket : undefined;
    // Those, too, of which no row stays: they tell of the others.
    this.#known = keyLogged(Number.isFinite(from) ? series : []);
    this.#goesOn = Number.isFinite(from) && series.some(({ last }) => last >= from);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const known = this.#known.get(key);
      const { instants } = series.points;
      if (instants.length === 0) continue;
      this.#hasKnown ||= known !== undefined;
      this.#hasOthers ||= known === undefined;
      if (!known) continue;
      const units = this.#units.get(key) ?? new Set();
      units.delete(item.unit);
      this.#units.set(key, units.add(item.unit));
      // A bucket that the end of a window cuts may be stamped with it.
      if (!this.#bucket || !areAlike(known, this.#bucket, this.#offset)) continue;
      this.#closest ??= findClosest(instants, this.#bucket);
      const next = lowerBound(series.points, known.last);
      const { [next - 1]: left = Number.NEGATIVE_INFINITY, [next]: right = Number.POSITIVE_INFINITY } = instants;
      if (right === known.last) continue;
      const { shortest } = bucketLengths(this.#bucket);
      if (right - known.last < shortest) this.#shift ??= right - known.last;
      else if (known.last - left < shortest) this.#shift ??= left - known.last;
    }
  }

  /** With all that came: why rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    const [unlike] = this.#findUnits((units) => units.slice(-1));
    if (unlike) return `the unit of ${unlike.metric} is ${unlike.unit} now, and was ${unlike.before}`;
    if (this.#shift === undefined) return undefined;
    // The place of a month may be a day of another length.
    if (!this.#bucket || !("ms" in this.#bucket)) return "the buckets start at another time now";
    return `the buckets start at another time now, ${formatAge(Math.abs(this.#shift))} ${this.#shift < 0 ? "earlier" : "later"}`;
  }

  /** How far apart its buckets are, as `30m`, where that is less than was asked for. */
  get closest(): string | undefined {
    return this.#closest === undefined ? undefined : formatAge(this.#closest);
  }

  /** Whether no series came that is known, where others have come in their place. */
  get isRenamed(): boolean {
    return this.#goesOn && this.#hasOthers && !this.#hasKnown;
  }

  /** Why some of what came may not go with the rest; undefined for nothing. */
  get mixture(): string | undefined {
    const [unlike] = this.#findUnits((units) => units.slice(0, -1));
    return unlike && `the unit of ${unlike.metric} is ${unlike.unit} in a part of what came`;
  }

  /** Those that are not as they were before. */
  #findUnits(pick: (units: readonly string[]) => readonly string[]) {
    return Array.from(this.#units).flatMap(([key, units]) => {
      const { metric = "", unit: before = "" } = this.#known.get(key) ?? {};
      // Without one, an answer says nothing of it.
      const others = pick([...units].filter((unit) => unit !== "")).filter((unit) => before !== "" && unit !== before);
      return others.map((unit) => ({ metric, unit, before }));
    });
  }
}

/** Days that follow daylight saving are an hour shorter; some services give an instant twice. */
function findClosest(instants: Points["instants"], bucket: BucketRule): number | undefined {
  if (!("ms" in bucket)) return undefined;
  for (let at = 1; at < instants.length; at++) {
    const step = (instants[at] as number) - (instants[at - 1] as number);
    if (step > 0 && step * 2 <= bucket.ms) return step;
  }
  return undefined;
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
