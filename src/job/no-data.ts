import type { Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { findNearest, formatList } from "../base/suggest.ts";
import { FUELTECH_GROUP_OF, findNetwork, type Interval } from "../base/vocabulary.ts";
import { nextBucketStart } from "../time/buckets.ts";
import { formatLocalTime } from "../time/local-time.ts";

const MAX_UNKNOWN = 10;

/** A note, line by line: no data, and the unknown codes that may be why. v4.md lists no codes, so none is refused. */
export function explainNoData({ network, parameters, units, interval, window }: Query): [string, ...string[]] {
  if (isEmptyWindow(window)) return [`no bucket has ended since ${formatLocalTime(window.start ?? 0)}; nothing was requested`];
  const groups = [...new Set(Object.values(FUELTECH_GROUP_OF))].filter((group) => group !== null);
  const known: Readonly<Record<string, readonly string[]>> = {
    network_region: findNetwork(network)?.regions ?? [],
    fueltech: Object.keys(FUELTECH_GROUP_OF),
    fueltech_group: groups,
  };
  // Those that were picked are known.
  const asked = units ? [] : parameters;
  const unknown = asked.flatMap(({ name, values }) => values.flatMap((value) => describeUnknown(name, value, known) ?? []));
  return ["the service has no data for this query", ...unknown.slice(0, MAX_UNKNOWN), ...describeExclusiveEnd(window, interval)];
}

/** The service's values are for five minutes. */
const FINEST: Interval = "5m";

/** A window with nothing but its end, which some services leave out (in-practice.md, Windows), and an end that includes its bucket. */
function describeExclusiveEnd({ start, end }: Window, interval: Interval = FINEST): string[] {
  if (start === undefined || end === undefined || nextBucketStart(FINEST, start - 1) !== end) return [];
  const last = formatLocalTime(nextBucketStart(interval, end) - 1000).replace("T23:59:59", "");
  return [`services may leave out the end of a window; to include its bucket, use ${QUERY_OPTIONS.dateEnd.short} ${last}`];
}

function describeUnknown(name: string, value: string, known: Readonly<Record<string, readonly string[]>>): string | undefined {
  const { [name]: codes = [], fueltech_group: groups = [] } = known;
  const kind = name.replaceAll("_", " ");
  if (name.endsWith("_code")) return describeOddCode(kind, value);
  if (codes.length === 0 || codes.includes(value)) return undefined;
  const group = name === "fueltech" && groups.includes(value) ? [`or ${QUERY_FLAGS.fueltechGroup} ${value}`] : [];
  const nearest = findNearest(value, codes);
  const suggestion = group.length > 0 ? [...nearest, ...group].join(", ") : formatList(nearest, "or");
  return `unknown ${kind} "${value}"${suggestion === "" ? "" : `; did you mean ${suggestion}?`}`;
}

/** A file without its `@`, or a code in lower case. */
function describeOddCode(kind: string, value: string): string | undefined {
  const meant = /\.(?:txt|csv|tsv|xlsx)$/i.test(value) ? `@${value}` : value.toUpperCase();
  return meant === value ? undefined : `${kind} "${value}": did you mean ${meant}?`;
}
