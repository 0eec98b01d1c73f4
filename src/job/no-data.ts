import type { Parameter, Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import type { Interval } from "../base/vocabulary.ts";
import { describeOffers } from "./failure.ts";
import { nextBucketStart } from "../time/buckets.ts";
import { formatLocalTime } from "../time/local-time.ts";

const MAX_ODD = 10;

/** A note, line by line: no data, and what may be why. Unknown regions and fueltechs were told before, and so were codes where a list is at hand. */
export function explainNoData(query: Query, { checksCodes }: { readonly checksCodes: boolean }): [string, ...string[]] {
  const { parameters, units, interval, window } = query;
  if (isEmptyWindow(window)) return [`no bucket has ended since ${formatLocalTime(window.start ?? 0)}; nothing was requested`];
  const offers = describeOffers(query);
  return [
    "the service has no data for this query",
    ...(offers === undefined ? [] : [offers]),
    ...(checksCodes || units ? [] : parameters.flatMap(describeOddCodes).slice(0, MAX_ODD)),
    ...describeExclusiveEnd(window, interval),
  ];
}

/** The service's values are for five minutes. */
const FINEST: Interval = "5m";

/** A window with nothing but its end, which some services leave out (in-practice.md, Windows), and an end that includes its bucket. */
function describeExclusiveEnd({ start, end }: Window, interval: Interval = FINEST): string[] {
  if (start === undefined || end === undefined || nextBucketStart(FINEST, start - 1) !== end) return [];
  const last = formatLocalTime(nextBucketStart(interval, end) - 1000).replace("T23:59:59", "");
  return [`services may leave out the end of a window; to include its bucket, use ${QUERY_OPTIONS.dateEnd.short} ${last}`];
}

/** A file without its `@`, or a code in lower case. */
function describeOddCodes({ name, values }: Parameter): string[] {
  if (!name.endsWith("_code")) return [];
  return values.flatMap((value) => {
    const meant = /\.(?:txt|csv|tsv|xlsx)$/i.test(value) ? `@${value}` : value.toUpperCase();
    return meant === value ? [] : [`${name.replaceAll("_", " ")} "${value}": did you mean ${meant}?`];
  });
}
