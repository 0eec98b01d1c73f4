import type { Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import type { Interval } from "../base/vocabulary.ts";
import { describeOffers } from "./failure.ts";
import { nextBucketStart } from "../time/buckets.ts";
import { formatLocalTime } from "../time/local-time.ts";

/** A note, line by line: no data, and what may be why. Unknown regions and fueltechs were told before; codes are told by their list. */
export function explainNoData(query: Query): [string, ...string[]] {
  const { interval, window } = query;
  if (query.units?.length === 0) return ["no unit matches; nothing was requested"];
  if (isEmptyWindow(window)) return [`no bucket has ended since ${formatLocalTime(window.start ?? 0)}; nothing was requested`];
  const offers = describeOffers(query);
  return ["the service has no data for this query", ...(offers === undefined ? [] : [offers]), ...describeExclusiveEnd(window, interval)];
}

/** The service's values are for five minutes. */
const FINEST: Interval = "5m";

/** A window with nothing but its end, which some services leave out (in-practice.md, Windows), and an end that includes its bucket. */
function describeExclusiveEnd({ start, end }: Window, interval: Interval = FINEST): string[] {
  if (start === undefined || end === undefined || nextBucketStart(FINEST, start - 1) !== end) return [];
  const last = formatLocalTime(nextBucketStart(interval, end) - 1000).replace("T23:59:59", "");
  return [`services may leave out the end of a window; to include its bucket, use ${QUERY_OPTIONS.dateEnd.short} ${last}`];
}
