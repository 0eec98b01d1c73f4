import { INTERVALS, type Interval } from "../../base/vocabulary.ts";
import { addBucket, nextBucketStart } from "../../time/buckets.ts";
import { DAY, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { spanOfSeason } from "../../time/seasons.ts";
import { createStampMover, printAsSent, type StampPrinter } from "../../time/stamp-printer.ts";
import { findInterval, findNetworkOffset, type TimeSeries } from "../time-series.ts";
import type { PlacedSeries } from "./layout.ts";

/** A clock that is hours ahead stamps a year with the last day of the one before. */
const HALF_DAY = DAY / 2;

/**
 * The end of the bucket of a timestamp, in milliseconds since 1970 UTC; undefined without interval, and for calendar months
 * without the offset of network time. Services name a financial year after a day inside it, and seasons in their own ways.
 */
export function findIntervalEnd(interval: Interval | undefined, instant: number, networkOffset: number | undefined): number | undefined {
  if (interval === undefined) return undefined;
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return instant + bucket.ms;
  if (networkOffset === undefined) return undefined;
  const local = instant + networkOffset * MINUTE;
  return findLocalEnd(interval, local) - networkOffset * MINUTE;
}

function findLocalEnd(interval: Interval, local: LocalTime): LocalTime {
  if (interval === "season") return spanOfSeason(local)[1];
  return interval === "fy" ? nextBucketStart("fy", local + HALF_DAY) : addBucket(INTERVALS[interval].bucket, local);
}

/** Why the ends of a TimeSeries are unknown; undefined where they are known. `asked`: the interval of the query. */
export function explainUnknownEnd(item: TimeSeries, asked: Interval | undefined): string | undefined {
  const interval = findInterval(item) ?? asked;
  if (item.series.length === 0 || (interval !== undefined && findIntervalEnd(interval, 0, findNetworkOffset(item)) !== undefined))
    return undefined;
  if (interval !== undefined) return `interval_end is empty: the UTC offset of network ${item.network} is unknown`;
  const named = item.fields["interval"];
  return `interval_end is empty: ${typeof named === "string" ? `unknown interval "${named}"` : "the service names no interval"}`;
}

/** What an interval's end depends on, besides its timestamp. */
export type BucketClock = Pick<PlacedSeries, "interval" | "networkOffset">;

/** Prints the end of the bucket of a timestamp as that is printed; null where it is unknown. */
export function createEndPrinter(printStamp: StampPrinter): (stamp: string, instant: number, clock: BucketClock) => string | null {
  const move = createStampMover();
  return (stamp, instant, { interval, networkOffset }) => {
    const end = findIntervalEnd(interval, instant, networkOffset);
    if (end === undefined) return null;
    return printStamp === printAsSent ? move(stamp, instant, end) : printStamp(stamp, end, networkOffset);
  };
}
