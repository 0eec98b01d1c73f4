import { usageError } from "../base/errors.ts";
import { subtractDuration } from "../time/calendar.ts";
import { bucketStart, nextBucketStart } from "../time/buckets.ts";
import { formatLocalTime, type LocalTime, MINUTE } from "../time/local-time.ts";
import type { Interval } from "../base/vocabulary.ts";
import { checkYear, localNow, parseWhen, type WhenContext } from "../time/when.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";

/** A period of network time, both ends inclusive. The service chooses an end that is undefined. */
export interface Window {
  readonly start: LocalTime | undefined;
  readonly end: LocalTime | undefined;
}

/** Start of `--last` without `--interval`: a bucket start of the finest interval. */
const FINEST: Interval = "5m";

/** @throws {EntsError} usage: an invalid date, or a reversed window. */
export function resolveWindow(
  options: QueryValues,
  interval: Interval | undefined,
  context: WhenContext,
): { window: Window; warnings: string[] } {
  if (options.last !== undefined) {
    const from = bucketStart(interval ?? FINEST, subtractDuration(localNow(context, QUERY_FLAGS.last), options.last));
    return { window: { start: checkYear(from, `the start of ${QUERY_FLAGS.last}`), end: undefined }, warnings: [] };
  }
  const start = options.dateStart === undefined ? undefined : parseWhen(options.dateStart, "start", context);
  const end = options.dateEnd === undefined ? undefined : parseWhen(options.dateEnd, "end", context);
  if (start !== undefined && end !== undefined && start > end) throw reversedWindow(start, end);
  return {
    window: { start, end },
    warnings: interval === undefined ? [] : [...warnOfPartialStart(start, interval), ...warnOfPartialEnd(end, interval)],
  };
}

function reversedWindow(start: LocalTime, end: LocalTime): Error {
  return usageError(
    `the window is reversed: its start ${formatLocalTime(start)} is after its end ${formatLocalTime(end)}`,
    `swap ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}`,
  );
}

function warnOfPartialStart(start: LocalTime | undefined, interval: Interval): string[] {
  const bucket = start === undefined ? undefined : bucketStart(interval, start);
  if (start === undefined || bucket === undefined || bucket === start) return [];
  return [`the first bucket is partial: ${formatLocalTime(start)} is inside the ${interval} bucket that starts ${formatLocalTime(bucket)}`];
}

/** Values are for five minutes: an end in the last five minutes of a bucket includes all of it. */
function warnOfPartialEnd(end: LocalTime | undefined, interval: Interval): string[] {
  const next = end === undefined ? undefined : nextBucketStart(interval, end);
  if (end === undefined || next === undefined || end >= next - 5 * MINUTE) return [];
  return [
    `the last bucket is partial: ${formatLocalTime(end)} is before the end of its ${interval} bucket; the next starts ${formatLocalTime(next)}`,
  ];
}
