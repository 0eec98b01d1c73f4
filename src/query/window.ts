import { EntsError, usageError } from "../base/errors.ts";
import { formatCount, formatList } from "../base/phrases.ts";
import { subtractDuration } from "../time/duration.ts";
import {
  intervalStart,
  nextIntervalStart,
  describeMonths,
  listPartialSeasons,
  alignmentInterval,
} from "../time/calendar.ts";
import { nameInterval } from "../time/interval-names.ts";
import { DAY, formatLocalTime, formatShort, type LocalTime, MINUTE } from "../time/local-time.ts";
import { findRule, type Interval, INTERVALS } from "../base/intervals.ts";
import { isForecast } from "../base/vocabulary.ts";
import { checkYear, isAhead, isPeriod, isRelative, localNow, parseWhen, type WhenContext } from "../time/when.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";

/**
 * A period of network time, both ends inclusive; empty if it ends before it starts. The service chooses an undefined
 * start or end.
 */
export interface Window {
  readonly start: LocalTime | undefined;
  readonly end: LocalTime | undefined;
}

/** Intervals of which the window has only a part, or that have not ended. */
export interface PartialIntervals {
  /** In network time. */
  readonly starts: readonly LocalTime[];
  /** Says which, and why. */
  readonly text: string;
  /** Says why, where the intervals are marked. */
  readonly why: string;
  /** True if an edge of the window lies inside it. */
  readonly isEdge?: boolean;
}

/** The shortest interval of v4. Without an end, the service itself omits its newest interval of this length. */
const FINEST: Interval = "5m";

/**
 * A window that ends at the last second of an interval includes all of it, whether the service's end is inclusive or
 * not.
 */
const SECOND = 1000;

/** The largest amount for which `m` may be a typo of `M`. */
const MAX_MONTHS = 60;

/** True if no interval of the window has ended yet, so there is nothing to fetch. */
export function isEmptyWindow({ start, end }: Window): boolean {
  return start !== undefined && end !== undefined && end < start;
}

interface ResolvedWindow {
  readonly window: Window;
  /**
   * The end of measured data, in network time, exclusive, if forecasts in the same window go on; undefined if it is
   * that of the window.
   */
  readonly measuredUntil?: LocalTime;
}

/** `follow`: no end, and only complete intervals. */
export type WindowValues = QueryValues & { readonly follow?: boolean; readonly update?: boolean };

/** @throws {EntsError} usage: an invalid date, or a reversed window. */
export function resolveWindow(
  options: WindowValues,
  interval: Interval | undefined,
  context: WhenContext,
): ResolvedWindow & { notes: string[]; warnings: string[]; partial: PartialIntervals[] } {
  const start = nameFlag("dateStart", options, () => resolveStart(options, interval ?? FINEST, context));
  if (options.follow) return followFrom(options, start, interval);
  const end = nameFlag("dateEnd", options, () => findEnd(options, interval ?? FINEST, context));
  if (start !== undefined && end !== undefined && start > end)
    throw usageError(
      `the window is reversed: its start ${formatLocalTime(start)} is after its end ${formatLocalTime(end)}`,
      `swap ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}`,
      { flag: QUERY_FLAGS.dateStart, value: options.dateStart },
    );
  const complete = options.complete
    ? keepCompleteIntervals(options, { start, end, interval }, context)
    : { window: { start, end }, notes: [] };
  // A forecast has no interval in progress, and measured data end before it.
  const hasProgress = !options.complete && options.metrics.some((metric) => !isForecast(metric));
  const now = context.offsetMinutes === undefined || !hasProgress ? undefined : localNow(context, "now");
  // An update moves the edges of its window to those of intervals.
  const partial =
    interval === undefined
      ? []
      : findPartial(complete.window, interval, now).filter(({ isEdge }) => !(options.update && isEdge));
  const notes = [...noteOpenEnd(options, interval ?? FINEST, context), ...complete.notes];
  return { ...complete, notes, warnings: warnOfMinutes(options, interval ?? FINEST), partial };
}

function followFrom(options: QueryValues, start: LocalTime | undefined, interval: Interval | undefined) {
  if (interval === undefined || start === undefined)
    return { window: { start, end: undefined }, notes: [], warnings: [], partial: [] };
  const window = { start: nextIntervalStart(interval, start - 1), end: undefined };
  return { window, notes: [], warnings: warnOfMinutes(options, interval), partial: [] };
}

/** An end after now includes all of its interval, as measured by the clock when the command starts. */
function findEnd({ dateEnd }: QueryValues, interval: Interval, context: WhenContext): LocalTime | undefined {
  if (dateEnd === undefined) return undefined;
  const end = parseWhen(dateEnd, "end", context);
  return isAhead(dateEnd)
    ? checkYear(nextIntervalStart(alignmentInterval(interval), end - 1) - SECOND, `"${dateEnd}"`)
    : end;
}

/**
 * Notes that `-s 2024` extends to now, as only that year may be meant, unless no interval is as short. An update always
 * extends to now and needs no note.
 */
function noteOpenEnd(
  { dateStart, dateEnd, update, metrics }: WindowValues,
  interval: Interval,
  context: WhenContext,
): string[] {
  if (
    dateStart === undefined ||
    dateEnd !== undefined ||
    update ||
    !/^(?:\d|fy|last-|yesterday$)/i.test(dateStart) ||
    !isPeriod(dateStart)
  )
    return [];
  const [start, end] = [parseWhen(dateStart, "start", context), parseWhen(dateStart, "end", context)];
  if (context.offsetMinutes === undefined || end > localNow(context, "now")) return [];
  if (nextIntervalStart(alignmentInterval(interval), start) > end + SECOND) return [];
  const until = metrics.some(isForecast) ? "the end of the newest forecast" : "now";
  return [`from ${formatShort(start)} until ${until}; for ${dateStart} alone, use ${QUERY_FLAGS.during} ${dateStart}`];
}

/** Adds to the errors of `find` the flag that an edge is from, and its value. */
function nameFlag<T>(key: "dateStart" | "dateEnd", options: QueryValues, find: () => T): T {
  try {
    return find();
  } catch (error) {
    const set = (["last", "during"] as const).find((name) => options[name] !== undefined) ?? key;
    throw error instanceof EntsError
      ? error.withHint(error.hint, { flag: QUERY_FLAGS[set], value: options[key] })
      : error;
  }
}

/** Rounds a start relative to now down to the start of its interval, so that the first interval is complete. */
function resolveStart(
  { last, dateStart }: QueryValues,
  interval: Interval,
  context: WhenContext,
): LocalTime | undefined {
  if (last !== undefined) {
    const from = intervalStart(
      alignmentInterval(interval),
      subtractDuration(localNow(context, QUERY_FLAGS.last), last),
    );
    return checkYear(from, `the start of ${QUERY_FLAGS.last}`, `use a shorter ${QUERY_FLAGS.last}, such as 7d or 20y`);
  }
  if (dateStart === undefined) return undefined;
  const start = parseWhen(dateStart, "start", context);
  return isRelative(dateStart) ? checkYear(intervalStart(alignmentInterval(interval), start), `"${dateStart}"`) : start;
}

/**
 * Narrows a window to complete intervals: without any that the start or end divides, and for measured data without the
 * current one.
 */
function keepCompleteIntervals(
  { metrics }: QueryValues,
  { start, end, interval }: Window & { readonly interval: Interval | undefined },
  context: WhenContext,
): ResolvedWindow & { readonly notes: readonly string[] } {
  if (interval === undefined)
    throw usageError(
      `${QUERY_FLAGS.complete} needs a known ${QUERY_FLAGS.interval}: the interval decides which values are complete`,
      `use ${formatList(Object.keys(INTERVALS), "or")}`,
    );
  const whole = alignmentInterval(interval);
  const underWay = intervalStart(whole, localNow(context, QUERY_FLAGS.complete));
  const first = start === undefined ? undefined : nextIntervalStart(whole, start - 1);
  const last = end === undefined ? undefined : intervalStart(whole, end + 5 * MINUTE);
  const describeMove = (edge: string, was: LocalTime, is: LocalTime) =>
    `the ${edge} ${formatShort(was)} is inside an interval of ${interval}; ${QUERY_FLAGS.complete} uses ${formatShort(is)}`;
  const notes = [
    ...(start !== undefined && first !== undefined && first > start ? [describeMove("start", start, first)] : []),
    ...(end !== undefined && last !== undefined && last < end && last <= underWay
      ? [describeMove("end", end, last - SECOND)]
      : []),
  ];
  if (!metrics.some(isForecast))
    return { window: { start: first, end: Math.min(last ?? underWay, underWay) - SECOND }, notes };
  const window = { start: first, end: last === undefined ? undefined : last - SECOND };
  return metrics.every(isForecast) ? { window, notes } : { window, notes, measuredUntil: underWay };
}

/**
 * Warns if `--last` in minutes is shorter than an interval, such as `6m` with `-i 1d`, or `1m`: months may be meant.
 */
function warnOfMinutes({ last }: QueryValues, interval: Interval): string[] {
  const least = nextIntervalStart(interval, 0) < DAY ? 5 * MINUTE : DAY;
  if (last?.unit !== "minutes" || last.amount * MINUTE >= least) return [];
  const { amount } = last;
  const asMonths = amount <= MAX_MONTHS ? `; for months, use ${QUERY_FLAGS.last} ${amount}M` : "";
  return [
    `${QUERY_FLAGS.last} ${amount}m is ${formatCount(amount, "minute")}, less than one interval of ${interval}${asMonths}`,
  ];
}

function findPartial(window: Window, interval: Interval, now: LocalTime | undefined): PartialIntervals[] {
  if (interval === "season") return findPartialSeasons(window, now);
  return [...findPartialStart(window.start, interval), ...findPartialEnd(window, interval, now)];
}

function findPartialStart(start: LocalTime | undefined, interval: Interval): PartialIntervals[] {
  if (start === undefined) return [];
  const begin = intervalStart(interval, start);
  if (begin === start) return [];
  const text = `the first interval is partial: ${formatLocalTime(start)} is inside the ${interval} interval that starts ${formatLocalTime(begin)}`;
  return [{ starts: [begin], text, why: `partial: the window starts at ${formatShort(start)}`, isEdge: true }];
}

function findPartialEnd({ start, end }: Window, interval: Interval, now: LocalTime | undefined): PartialIntervals[] {
  if (now === undefined || (end ?? now) < now) return findEndInside(end, interval);
  if (interval === FINEST || (start ?? now) > now) return [];
  const underWay = intervalStart(interval, now);
  const share = (now - underWay) / (nextIntervalStart(interval, now) - underWay);
  // Midnight is an hour, too.
  const rule = findRule(interval);
  const from =
    "ms" in rule && rule.ms < DAY
      ? formatLocalTime(underWay).slice(0, "2025-01-31T14:05".length)
      : formatShort(underWay);
  const named = nameInterval(interval, underWay) ?? (NAMED[interval] ?? `the ${interval} interval from `) + from;
  const why = `still in progress (${Math.floor(100 * share)} % elapsed); ${QUERY_FLAGS.complete} leaves it out`;
  return [{ starts: [underWay], text: `${named} is ${why}`, why }];
}

/** Text before the start of an interval that says how long the interval is. */
const NAMED: Readonly<Partial<Record<Interval, string>>> = {
  "30m": "the half hour from ",
  "1h": "the hour from ",
  "1d": "",
  "7d": "the week from ",
  "1M": "the month from ",
  "1y": "the year from ",
};

/** Names seasons by the public service's timestamps, and their months. */
function findPartialSeasons({ start, end }: Window, now: LocalTime | undefined): PartialIntervals[] {
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, now ?? Number.POSITIVE_INFINITY);
  const partial = start === undefined || !Number.isFinite(last) ? [] : listPartialSeasons(start, last);
  if (partial.length === 0) return [];
  const rows = partial.map((timestamp) => `${nameInterval("season", timestamp)} (${describeMonths(timestamp)})`);
  const what = `${formatList(rows, "and")} ${rows.length === 1 ? "is" : "are"}`;
  const why =
    "partial: OpenElectricity's summer is January, February and December of one year; ask for whole years, or for 1M";
  return [{ starts: partial, text: `${what} ${why}`, why }];
}

/**
 * Finds an end inside an interval. A value covers five minutes: an end in the last five minutes includes all of the
 * interval.
 */
function findEndInside(end: LocalTime | undefined, interval: Interval): PartialIntervals[] {
  if (end === undefined) return [];
  const next = nextIntervalStart(interval, end);
  if (end >= next - 5 * MINUTE) return [];
  const text = `the last interval is partial: ${formatLocalTime(end)} is before the end of its ${interval} interval; the next starts ${formatLocalTime(next)}`;
  return [
    {
      starts: [intervalStart(interval, end)],
      text,
      why: `partial: the window ends at ${formatShort(end)}`,
      isEdge: true,
    },
  ];
}
