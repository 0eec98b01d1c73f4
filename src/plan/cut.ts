import { usageError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { addDuration } from "../time/calendar.ts";
import { bucketStartBy } from "../time/buckets.ts";
import { formatDuration } from "../time/duration.ts";
import { type LocalTime } from "../time/local-time.ts";
import type { Limits } from "./limits.ts";

/** A window with both ends, inclusive. */
export interface ClosedWindow {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/**
 * Bucket starts at which to split a window so that each part is within the limit; each is the end of one part and the
 * start of the next. None for a window that fits.
 * @throws {EntsError} usage: the limit is shorter than a bucket.
 */
export function cutWindow({ start, end }: ClosedWindow, { maxWindow, bucket }: Limits): LocalTime[] {
  const cuts: LocalTime[] = [];
  if (maxWindow === undefined) return cuts;
  for (let from = start; end > addDuration(from, maxWindow); ) {
    const cut = bucketStartBy(bucket, addDuration(from, maxWindow));
    if (cut <= from) throw shorterThanBucket(formatDuration(maxWindow));
    cuts.push(cut);
    from = cut;
  }
  return cuts;
}

function shorterThanBucket(maxWindow: string): Error {
  return usageError(
    `the maximum window of one request, ${maxWindow}, is shorter than a bucket of this interval`,
    `use a finer ${QUERY_FLAGS.interval} or a longer ${FETCH_FLAGS.maxWindow}`,
  );
}
