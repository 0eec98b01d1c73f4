import { usageError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { addDuration } from "../time/calendar.ts";
import { bucketStartBy } from "../time/buckets.ts";
import { formatDuration } from "../time/duration.ts";
import { type LocalTime } from "../time/local-time.ts";
import type { Limits } from "./limits.ts";

/** A window whose ends are both known, inclusive. */
export interface ClosedWindow {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/**
 * The instants at which a window is cut so that each piece is within the limit: bucket starts, each the end of one
 * piece and the start of the next. None for a window that fits.
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
    `the longest window of one request, ${maxWindow}, is shorter than a bucket of this interval`,
    `ask for a finer ${QUERY_FLAGS.interval}, or allow longer windows with ${FETCH_FLAGS.maxWindow}`,
  );
}
