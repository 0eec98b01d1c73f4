import type { BucketRule } from "../base/vocabulary.ts";
import { addDuration } from "../time/calendar.ts";
import { bucketStartBy, nextBucketStartBy } from "../time/buckets.ts";
import { type Duration, durationMs } from "../time/duration.ts";
import { DAY, type LocalTime } from "../time/local-time.ts";
import type { Limits } from "./limits.ts";

/** A window with both ends, inclusive. */
export interface ClosedWindow {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/**
 * Bucket starts at which to split a window so that each part is within the limit; each is the end of one part and the
 * start of the next. None for a window that fits. They are instants of a fixed calendar, so that windows that overlap
 * share all parts but their first and last. Undefined where the limit is shorter than what may not be split.
 */
export function cutWindow({ start, end }: ClosedWindow, { maxWindow, bucket }: Limits): LocalTime[] | undefined {
  if (maxWindow === undefined || !(end > addDuration(start, maxWindow))) return [];
  return listCuts({ start, end }, { maxWindow, bucket, spareMs: 0 });
}

/**
 * Where to split a window without an end; `end` is now. Values of the last day may still come in, so no cut is there;
 * with a limit under two days, or without room for a bucket and a day, some must be.
 */
export function cutOpenWindow({ start, end }: ClosedWindow, { maxWindow, bucket }: Limits): LocalTime[] | undefined {
  if (maxWindow === undefined || !(end > addDuration(start, maxWindow))) return [];
  const isRoomy = addDuration(start, maxWindow) >= start + 2 * DAY;
  const cuts = isRoomy ? listCuts({ start, end: end - DAY }, { maxWindow, bucket, spareMs: DAY }) : undefined;
  return cuts ?? cutWindow({ start, end }, { maxWindow, bucket });
}

interface Calendar {
  readonly maxWindow: Duration;
  readonly bucket: BucketRule;
  /** By how much parts are shorter than the limit. */
  readonly spareMs: number;
}

/** The calendar's cuts inside a window; undefined where a part is shorter than a bucket. */
function listCuts({ start, end }: ClosedWindow, calendar: Calendar): LocalTime[] | undefined {
  const cuts: LocalTime[] = [];
  for (let cut = findCutBefore(start, calendar); cut < end; ) {
    if (cut > start) cuts.push(cut);
    const next = nextCut(cut, calendar);
    const following = nextBucketStartBy(calendar.bucket, cut);
    // A bucket that is longer than a part does no harm outside of the window.
    if (next <= cut && Math.min(following, end) > endOfPart(Math.max(cut, start), calendar)) return undefined;
    cut = Math.max(next, following);
  }
  return cuts;
}

/** A cut at or before `start`: the last of a calendar in steps of one length, else the first. The calendar begins in 1970. */
function findCutBefore(start: LocalTime, calendar: Calendar): LocalTime {
  const { maxWindow, bucket } = calendar;
  const first = bucketStartBy(bucket, 0);
  if (!("ms" in bucket) || durationMs(maxWindow) === undefined) return Math.min(first, bucketStartBy(bucket, start));
  const step = Math.max(nextCut(first, calendar) - first, bucket.ms);
  return first + Math.floor((start - first) / step) * step;
}

function nextCut(cut: LocalTime, calendar: Calendar): LocalTime {
  return bucketStartBy(calendar.bucket, endOfPart(cut, calendar));
}

function endOfPart(start: LocalTime, { maxWindow, spareMs }: Calendar): LocalTime {
  return addDuration(start, maxWindow) - spareMs;
}
