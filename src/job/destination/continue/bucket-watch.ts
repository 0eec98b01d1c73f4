import { type BucketRule, INTERVALS } from "../../../base/vocabulary.ts";
import { lowerBound } from "../../../series/point-operations.ts";
import type { Points } from "../../../series/points.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import { bucketLengths } from "../../../time/buckets.ts";
import { formatAge } from "../../../time/duration.ts";
import { createNetworkClock } from "./network-clock.ts";
import type { KeptRows } from "./gap-watch.ts";

/** The buckets of what came, against those of what is kept. */
export class BucketWatch {
  /** Undefined where it is not looked at: without a description, all of the last rows are. */
  readonly #bucket: BucketRule | undefined;
  /** As of the description. */
  readonly #offset: number | undefined;
  /** How long after the last bucket that is kept of a series it has the next, in milliseconds, where it has none in that one's place. */
  #shift: number | undefined;
  #closest: number | undefined;

  constructor({ descriptor: { offset }, isDescribed, interval }: Pick<KeptRows, "descriptor" | "isDescribed" | "interval">) {
    this.#offset = offset;
    this.#bucket = isDescribed && interval !== undefined ? INTERVALS[interval].bucket : undefined;
  }

  /** Points of a series of which there are others. */
  add(known: LoggedSeries, points: Points): void {
    // A bucket that the end of a window cuts may be stamped with it.
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

  /** Why those that are kept cannot stay; undefined where they can. */
  get problem(): string | undefined {
    if (this.#shift === undefined || !this.#bucket) return undefined;
    // The place of a month may be a day of another length.
    const how = `${formatAge(Math.abs(this.#shift))} ${this.#shift < 0 ? "earlier" : "later"}`;
    return `buckets now start ${"ms" in this.#bucket ? how : "at another time"}`;
  }

  /** How far apart they are, as `30m`, where that is less than was asked for. */
  get closest(): string | undefined {
    return this.#closest === undefined ? undefined : formatAge(this.#closest);
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
