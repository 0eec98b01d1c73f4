import { type BucketRule, INTERVALS } from "../../../base/vocabulary.ts";
import { lowerBound } from "../../../series/point-operations.ts";
import type { Points } from "../../../series/points.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import { bucketLengths } from "../../../time/buckets.ts";
import { formatAge } from "../../../time/duration.ts";
import { createNetworkClock } from "./network-clock.ts";
import type { KeptRows } from "./gap-watch.ts";

/** Compares the buckets of the new rows with those of the rows that are kept. */
export class BucketWatch {
  /** Undefined: not compared, as without a description, where the last rows themselves are. */
  readonly #bucket: BucketRule | undefined;
  /** The offset in the description. */
  readonly #offset: number | undefined;
  /** From the last kept bucket of a series, which the answers lack, to the new bucket next to it, in milliseconds. */
  #shift: number | undefined;
  #closest: number | undefined;

  constructor({ descriptor: { offset }, isDescribed, interval }: Pick<KeptRows, "descriptor" | "isDescribed" | "interval">) {
    this.#offset = offset;
    this.#bucket = isDescribed && interval !== undefined ? INTERVALS[interval].bucket : undefined;
  }

  /** New points of a series that the output has already. */
  add(known: LoggedSeries, points: Points): void {
    // A service may stamp a bucket that the end of the window divides with that end.
    if (!this.#bucket || !areAlike(known, this.#bucket, this.#offset)) return;
    const { instants } = points;
    this.#closest ??= findClosest(instants, this.#bucket);
    const next = lowerBound(points, known.last);
    const { [next - 1]: left = Number.NEGATIVE_INFINITY, [next]: right = Number.POSITIVE_INFINITY } = instants;
    if (right === known.last) return;
    const { shortest } = bucketLengths(this.#bucket);
    if (right - known.last < shortest) this.#shift ??= right - known.last;
    else if (known.last - left < shortest) this.#shift ??= left - known.last;
  }

  /** Why the kept rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    if (this.#shift === undefined || !this.#bucket) return undefined;
    // Months differ in length, so the shift of one is not that of another.
    const how = `${formatAge(Math.abs(this.#shift))} ${this.#shift < 0 ? "earlier" : "later"}`;
    return `buckets now start ${"ms" in this.#bucket ? how : "at another time"}`;
  }

  /** The distance of the new buckets, as `30m`, where it is shorter than the interval asked for. */
  get closest(): string | undefined {
    return this.#closest === undefined ? undefined : formatAge(this.#closest);
  }
}

/** Not counted: days that daylight saving makes an hour shorter, and an instant that comes twice. */
function findClosest(instants: Points["instants"], bucket: BucketRule): number | undefined {
  if (!("ms" in bucket)) return undefined;
  for (let at = 1; at < instants.length; at++) {
    const step = (instants[at] as number) - (instants[at - 1] as number);
    if (step > 0 && step * 2 <= bucket.ms) return step;
  }
  return undefined;
}

/**
 * Whether the first and the last timestamp of a series are at the same place in their buckets: months and years may be stamped
 * with any of their days. False where they are one. `described`: the offset in the description.
 */
function areAlike({ network, first, last }: LoggedSeries, bucket: BucketRule, described: number | undefined): boolean {
  if (first === last) return false;
  if ("ms" in bucket) return (last - first) % bucket.ms === 0;
  const { offset } = createNetworkClock(network, described);
  const [one, other] = [first, last].map((instant) => new Date(instant + offset).toISOString().slice(DAY_OF_MONTH)) as [string, string];
  return one === other;
}

/** Where `2025-01-31T00:00:00.000Z` has the day of the month. */
const DAY_OF_MONTH = "2025-01-".length;
