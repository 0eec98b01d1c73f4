/** What an update of a dataset fetches, and which of its partitions it writes. */
import type { Interval } from "../../../base/vocabulary.ts";
import type { Query } from "../../../query/query.ts";
import type { Duration } from "../../../time/duration.ts";
import { formatLocalTime, type LocalTime } from "../../../time/local-time.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { findFirst, findLast } from "../../package/kept.ts";
import type { Period } from "../target.ts";
import { createNetworkClock } from "../continue/network-clock.ts";
import { openWindow, reachBack, reviseFrom } from "../continue/revise.ts";
import { partitionStart } from "./partition.ts";

export interface Extent {
  readonly query: Query;
  /** The start of the first partition that is written; undefined: all are. */
  readonly from: LocalTime | undefined;
}

export interface Upkeep {
  readonly period: Period;
  readonly revise: Duration;
  readonly interval: Interval;
  /** See `More`. */
  readonly since: number | undefined;
  /** By the clock of this machine. */
  readonly now: number;
}

/**
 * From the start of the partition in which values may be restated. Fetching begins one bucket earlier, so that the first bucket
 * of the partition is whole, wherever the service's buckets start.
 */
export function findExtent(
  query: Query,
  descriptor: Descriptor,
  { period, revise, interval, now, since = findLast(descriptor.series) }: Upkeep,
): Extent {
  const { unfinished, series } = descriptor;
  const clock = createNetworkClock(query.network, descriptor.offset);
  const { offset, slack } = clock;
  // A season or a year may have the timestamp of a day in the future.
  const last = Math.min(findLast(series), now + slack) + offset;
  const first = findFirst(series) + offset;
  const start = descriptor.start ?? (Number.isFinite(first) ? first : query.window.start);
  const all = { query: start === undefined ? query : startFrom(query, start), from: undefined };
  if (since === Number.NEGATIVE_INFINITY || !Number.isFinite(last) || (unfinished && unfinished.from === undefined)) return all;
  const revised = Math.min(reviseFrom(last, revise, interval), reachBack(since + offset, interval));
  const from = Math.min(partitionStart(period, revised), unfinished?.from ?? Number.POSITIVE_INFINITY);
  const opening = openWindow(from, interval, clock);
  return opening <= (start ?? first) ? all : { query: startFrom(query, opening), from };
}

/** The query with another start. */
function startFrom(query: Query, start: LocalTime): Query {
  const parameter = { name: "date_start", values: [formatLocalTime(start)] };
  const { parameters } = query;
  const at = parameters.findIndex(({ name }) => name === parameter.name);
  return {
    ...query,
    window: { ...query.window, start },
    // At the same position: answers are found by the text of their requests.
    parameters: at < 0 ? [...parameters, parameter] : parameters.with(at, parameter),
  };
}
