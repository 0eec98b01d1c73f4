import { usageError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { lengthsOf, intervalStart, nextIntervalStart } from "../time/calendar.ts";
import { addDuration, type Duration, formatDuration, durationMs, subtractDuration } from "../time/duration.ts";
import {
  findMaxDays,
  findSplits,
  hasFixedLength,
  type Interval,
  listMaxDays,
  type MaxDays,
} from "../base/intervals.ts";
import type { Window } from "../query/window.ts";
import { DAY, type LocalTime } from "../time/local-time.ts";

/** Limits of the window of one request. */
export interface WindowLimits {
  /** Windows are split at its starts; for seasons, only between years. */
  readonly interval: Interval;
  /** The maximum that the service accepts; undefined if unlimited. */
  readonly maxWindow: Duration | undefined;
}

/** The limits of an interval; if `maxWindow` is undefined, those of a community key of the public service. */
export function findWindowLimits(interval: Interval, maxWindow: MaxWindow | undefined): WindowLimits {
  const byDefault = defaultMaxWindow(interval, listMaxDays("community"));
  return { interval, maxWindow: maxWindow === "none" ? undefined : (maxWindow ?? byDefault) };
}

/**
 * The default maximum window if a key's plan allows `maxDays`. Undefined for months and longer: services use their own
 * calendars for those, and the history of a community key is shorter than its limits for them.
 */
export function defaultMaxWindow(interval: Interval, maxDays: MaxDays): Duration | undefined {
  return hasFixedLength(interval) ? { amount: findMaxDays(interval, maxDays), unit: "days" } : undefined;
}

/**
 * True if every interval, or for seasons every year, fits into one request. Sixteen in a row include the longest
 * possible.
 */
export function fitsEveryInterval(maxWindow: MaxWindow, interval: Interval): boolean {
  if (maxWindow === "none") return true;
  const rule = findSplits(interval);
  for (let [start, count] = [intervalStart(rule, 0), 0]; count < 16; count++) {
    const next = nextIntervalStart(rule, start);
    if (addDuration(start, maxWindow) < next) return false;
    start = next;
  }
  return true;
}

/** Names the period inside which a window is never split. */
export function describeIndivisible(interval: Interval): string {
  return interval === "season" ? "a year: seasons are only split at 1 January" : `one interval of ${interval}`;
}

export function limitTooShort({ interval, maxWindow }: WindowLimits): Error {
  const limit = maxWindow === undefined ? "" : `, ${formatDuration(maxWindow)},`;
  const longer = interval === "season" ? `${FETCH_FLAGS.maxWindow} 1y` : `a longer ${FETCH_FLAGS.maxWindow}`;
  return usageError(
    `the maximum window of one request${limit} is shorter than ${describeIndivisible(interval)}`,
    `use a finer ${QUERY_FLAGS.interval} or ${longer}`,
  );
}

/** `--max-window`: a duration, or none. */
export type MaxWindow = Duration | "none";

/**
 * Returns the interval starts at which to split a window so that each part is within the limit; each is the end of one
 * part and the start of the next. Empty if the window fits. The splits lie on a fixed calendar, so that overlapping
 * windows share all parts except their first and last. Undefined if the limit is shorter than the period inside which a
 * window is never split.
 *
 * A window without an end extends to now, if that is known. Values of its last day may still arrive, so it is not split
 * there, unless the limit is under two days or has no room for an interval and a day.
 */
export function cutWindow(
  { start, end }: Window,
  now: LocalTime | undefined,
  { interval, maxWindow }: WindowLimits,
): LocalTime[] | undefined {
  const last = end ?? now;
  if (maxWindow === undefined || start === undefined || last === undefined) return [];
  // Adding a very long limit gives NaN.
  if (!(last > addDuration(start, maxWindow))) return [];
  const isRoomy = end === undefined && addDuration(start, maxWindow) >= start + 2 * DAY;
  const cuts = isRoomy ? listCuts(start, last - DAY, { interval, maxWindow, spareMs: DAY }) : undefined;
  return cuts ?? listCuts(start, last, { interval, maxWindow, spareMs: 0 });
}

/**
 * The instants at which the fixed calendar cuts time, from the last one at or before `from` to the first one after
 * `last`.
 * @throws {EntsError} usage: a limit shorter than an interval.
 */
export function cutCalendar(
  [from, last]: readonly [LocalTime, LocalTime],
  limits: WindowLimits & { readonly maxWindow: Duration },
): LocalTime[] {
  const { interval, maxWindow } = limits;
  const { longest } = lengthsOf(findSplits(interval));
  const [start, end] = [
    Math.min(subtractDuration(from, maxWindow), from - longest),
    Math.max(addDuration(last, maxWindow), last + longest),
  ];
  const cuts = listCuts(start - 1, end + 1, { interval, maxWindow, spareMs: 0 });
  if (!cuts) throw limitTooShort(limits);
  return cuts.slice(
    cuts.findLastIndex((cut) => cut <= from),
    cuts.findIndex((cut) => cut > last) + 1,
  );
}

interface Calendar {
  readonly interval: Interval;
  readonly maxWindow: Duration;
  /** Milliseconds by which parts are shorter than the limit. */
  readonly spareMs: number;
}

/** The calendar's splits inside a window; undefined if a part is shorter than an interval. */
function listCuts(
  start: LocalTime,
  end: LocalTime,
  { interval, maxWindow, spareMs }: Calendar,
): LocalTime[] | undefined {
  const rule = findSplits(interval);
  const endOfPart = (from: LocalTime) => addDuration(from, maxWindow) - spareMs;
  const nextCut = (cut: LocalTime) => intervalStart(rule, endOfPart(cut));
  const first = intervalStart(rule, 0);
  let cut = Math.min(first, intervalStart(rule, start));
  // With steps of equal length, start just before the window instead of in 1970.
  if ("ms" in rule && durationMs(maxWindow) !== undefined) {
    const step = Math.max(nextCut(first) - first, rule.ms);
    cut = first + Math.floor((start - first) / step) * step;
  }
  const cuts: LocalTime[] = [];
  while (cut < end) {
    if (cut > start) cuts.push(cut);
    const next = nextCut(cut);
    const following = nextIntervalStart(rule, cut);
    // An interval that is longer than a part only matters inside the window.
    if (next <= cut && Math.min(following, end) > endOfPart(Math.max(cut, start))) return undefined;
    cut = Math.max(next, following);
  }
  return cuts;
}
