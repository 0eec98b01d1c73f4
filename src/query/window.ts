import { usageError } from "../base/errors.ts";
import { formatCount, formatList } from "../base/phrases.ts";
import { subtractDuration } from "../time/calendar.ts";
import { bucketStart, nextBucketStart } from "../time/buckets.ts";
import { DAY, formatLocalTime, formatShort, type LocalTime, MINUTE } from "../time/local-time.ts";
import { describeMonths, listPartialSeasons, wholeOf } from "../time/seasons.ts";
import { type Interval, INTERVALS } from "../base/vocabulary.ts";
import { checkYear, isRelative, localNow, parseWhen, type WhenContext } from "../time/when.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";

/** A period of network time, both ends inclusive; empty if it ends before it starts. The service chooses an end that is undefined. */
export interface Window {
  readonly start: LocalTime | undefined;
  readonly end: LocalTime | undefined;
}

/** The shortest of v4. The service leaves out its newest bucket of this length itself where no end is sent. */
const FINEST: Interval = "5m";

/** A window that ends at the last second of a bucket includes all of it, whether the service's end is inclusive or not. */
const SECOND = 1000;

/** So many months at most may be meant by `m`. */
const MAX_MONTHS = 60;

/** Whether no bucket of it has ended yet: there is nothing to ask for. */
export function isEmptyWindow({ start, end }: Window): boolean {
  return start !== undefined && end !== undefined && end < start;
}

/** `follow`: no end, and only whole buckets. */
export type WindowValues = QueryValues & { readonly follow?: boolean };

/** @throws {EntsError} usage: an invalid date, or a reversed window. */
export function resolveWindow(
  options: WindowValues,
  interval: Interval | undefined,
  context: WhenContext,
): { window: Window; warnings: string[] } {
  const start = findStart(options, interval ?? FINEST, context);
  if (options.follow) return followFrom(options, start, interval);
  const end = options.dateEnd === undefined ? undefined : parseWhen(options.dateEnd, "end", context);
  if (start !== undefined && end !== undefined && start > end) throw reversedWindow(start, end);
  const window = options.complete ? leaveOutPartial({ start, end }, interval, context) : { start, end };
  const now = context.offsetMinutes === undefined ? undefined : localNow(context, "now");
  return {
    window,
    warnings:
      interval === undefined
        ? warnOfMinutes(options, FINEST)
        : [...warnOfMinutes(options, interval), ...warnOfPartial(window, interval, now)],
  };
}

function followFrom(options: QueryValues, start: LocalTime | undefined, interval: Interval | undefined) {
  if (interval === undefined || start === undefined) return { window: { start, end: undefined }, warnings: [] };
  return { window: { start: nextBucketStart(interval, start - 1), end: undefined }, warnings: warnOfMinutes(options, interval) };
}

/** A start that is counted from now is the start of its bucket, so that the first bucket is whole. */
function findStart({ last, dateStart }: QueryValues, interval: Interval, context: WhenContext): LocalTime | undefined {
  if (last !== undefined) {
    const from = bucketStart(wholeOf(interval), subtractDuration(localNow(context, QUERY_FLAGS.last), last));
    return checkYear(from, `the start of ${QUERY_FLAGS.last}`, `use a shorter ${QUERY_FLAGS.last}, such as 7d or 20y`);
  }
  if (dateStart === undefined) return undefined;
  const start = parseWhen(dateStart, "start", context);
  return isRelative(dateStart) ? checkYear(bucketStart(wholeOf(interval), start), `"${dateStart}"`) : start;
}

/** Only whole buckets that have ended: neither the one under way, nor one that the start or the end divides. */
function leaveOutPartial({ start, end }: Window, interval: Interval | undefined, context: WhenContext): Window {
  if (interval === undefined)
    throw usageError(
      `${QUERY_FLAGS.complete} needs a known ${QUERY_FLAGS.interval}: the bucket size decides which buckets have ended`,
      `use ${formatList(Object.keys(INTERVALS), "or")}`,
    );
  const whole = wholeOf(interval);
  const underWay = bucketStart(whole, localNow(context, QUERY_FLAGS.complete));
  const until = end === undefined ? underWay : Math.min(bucketStart(whole, end + 5 * MINUTE), underWay);
  return { start: start === undefined ? undefined : nextBucketStart(whole, start - 1), end: until - SECOND };
}

function reversedWindow(start: LocalTime, end: LocalTime): Error {
  return usageError(
    `the window is reversed: its start ${formatLocalTime(start)} is after its end ${formatLocalTime(end)}`,
    `swap ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}`,
  );
}

/** `--last 6m` of days, or `--last 1m`, in which no bucket ends: months are meant. */
function warnOfMinutes({ last }: QueryValues, interval: Interval): string[] {
  const least = nextBucketStart(interval, 0) < DAY ? 5 * MINUTE : DAY;
  if (last?.unit !== "minutes" || last.amount * MINUTE >= least) return [];
  const { amount } = last;
  const asMonths = amount <= MAX_MONTHS ? `; for months, use ${QUERY_FLAGS.last} ${amount}M` : "";
  return [`${QUERY_FLAGS.last} ${amount}m is ${formatCount(amount, "minute")}, less than one bucket of ${interval}${asMonths}`];
}

function warnOfPartial(window: Window, interval: Interval, now: LocalTime | undefined): string[] {
  if (interval === "season") return warnOfPartialSeasons(window, now);
  return [...warnOfPartialStart(window.start, interval), ...warnOfPartialEnd(window, interval, now)];
}

function warnOfPartialStart(start: LocalTime | undefined, interval: Interval): string[] {
  const bucket = start === undefined ? undefined : bucketStart(interval, start);
  if (start === undefined || bucket === undefined || bucket === start) return [];
  return [`the first bucket is partial: ${formatLocalTime(start)} is inside the ${interval} bucket that starts ${formatLocalTime(bucket)}`];
}

function warnOfPartialEnd({ start, end }: Window, interval: Interval, now: LocalTime | undefined): string[] {
  if (now === undefined || (end ?? now) < now) return warnOfEndInside(end, interval);
  if (interval === FINEST || (start ?? now) > now) return [];
  const underWay = bucketStart(interval, now);
  const share = (now - underWay) / (nextBucketStart(interval, now) - underWay);
  return [
    `the last bucket is partial: ${Math.floor(100 * share)} % of ${formatShort(underWay)} (${interval}) has passed; use ${QUERY_FLAGS.complete} to leave it out`,
  ];
}

/** By the stamps of the public service's seasons, and their months. */
function warnOfPartialSeasons({ start, end }: Window, now: LocalTime | undefined): string[] {
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, now ?? Number.POSITIVE_INFINITY);
  const partial = start === undefined || !Number.isFinite(last) ? [] : listPartialSeasons(start, last);
  if (partial.length === 0) return [];
  const rows = partial.map((stamp) => `${formatLocalTime(stamp).slice(0, "2025-01".length)} (${describeMonths(stamp)})`);
  const what = rows.length === 1 ? `season ${rows[0]} is` : `seasons ${formatList(rows, "and")} are`;
  return [`${what} partial: OpenElectricity's summer is January, February and December of one year; ask for whole years, or for 1M`];
}

/** Values are for five minutes: an end in the last five minutes of a bucket includes all of it. */
function warnOfEndInside(end: LocalTime | undefined, interval: Interval): string[] {
  const next = end === undefined ? undefined : nextBucketStart(interval, end);
  if (end === undefined || next === undefined || end >= next - 5 * MINUTE) return [];
  return [
    `the last bucket is partial: ${formatLocalTime(end)} is before the end of its ${interval} bucket; the next starts ${formatLocalTime(next)}`,
  ];
}
