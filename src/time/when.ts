/** Reads dates and times as users write them (`<when>` on the command line) as network-local time. */
import { usageError } from "../base/errors.ts";
import type { Interval } from "../base/intervals.ts";
import { intervalStart, nextIntervalStart } from "./calendar.ts";
import { addDuration, subtractDuration, parseDuration } from "./duration.ts";
import { DAY, formatLocalTime, formatOffset, type LocalTime, MINUTE } from "./local-time.ts";
import { parseOffset, parseTimestamp } from "./timestamp.ts";

/** A day, month or year means its first instant as a start, and its last second as an end. */
export type Edge = "start" | "end";

export interface WhenContext {
  readonly network: string;
  /** The network's UTC offset, in minutes; undefined for a network unknown to ents. */
  readonly offsetMinutes: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const DAYS: readonly string[] = ["today", "yesterday", "tomorrow"];
const EXAMPLES = "2025-01-31, 2025-01-31T14:05, 2025-01, yesterday, -7d or +2d";

/** @throws {EntsError} usage: not a date, a date that does not exist, or one that needs an unknown UTC offset. */
export function parseWhen(text: string, edge: Edge, context: WhenContext): LocalTime {
  return checkYear(readWhen(text, edge, context), `"${text}"`);
}

/** JavaScript, and much else, reads years below 100 as 19xx. */
const FIRST_SECOND = Date.parse("0100-01-01T00:00:00Z");
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z");

/** Requires a year of four digits, as ISO 8601 does. @throws {EntsError} usage: another year, as from `-3000y`. */
export function checkYear(local: LocalTime, name: string, hint = `use a date such as ${EXAMPLES}`): LocalTime {
  if (local >= FIRST_SECOND && local <= LAST_SECOND) return local;
  throw usageError(`${name} is outside the years 0100 to 9999`, hint);
}

/** True for a time relative to now: `now`, `-7d`, `+2d`. */
export function isRelative(text: string): boolean {
  return text === "now" || text.startsWith("-") || isAhead(text);
}

/** True for a time so long after now: `+2d`. */
export function isAhead(text: string): boolean {
  return text.startsWith("+");
}

/** True for a time that depends on the clock: `-7d`, `today`. */
export function isOfNow(text: string): boolean {
  return isRelative(text) || DAYS.includes(text);
}

/** True for a day, month or year. */
export function isPeriod(text: string): boolean {
  return DATE.test(text) || DAYS.includes(text);
}

function readWhen(text: string, edge: Edge, context: WhenContext): LocalTime {
  const period = DATE.exec(text);
  if (period) {
    const [, year, month = "01", day = "01"] = period;
    return periodEdge(parseExisting(`${year}-${month}-${day}`, text), period[3] ? "1d" : period[2] ? "1M" : "1y", edge);
  }
  const moment = DATE_TIME.exec(text);
  if (moment) {
    const [, date, time, offset] = moment;
    const clock = parseExisting(`${date}T${time}`, text);
    return offset === undefined ? clock : clock + (offsetOf(context, `"${text}"`) - parseOffset(offset)) * MINUTE;
  }
  return parseRelative(text, edge, context);
}

/** The network's wall clock now, in whole seconds. `source`: the value or flag that needs it, for the message. */
export function localNow(context: WhenContext, source: string): LocalTime {
  const now = context.now + offsetOf(context, source) * MINUTE;
  return now - (now % 1000);
}

function parseRelative(text: string, edge: Edge, context: WhenContext): LocalTime {
  if (text === "now") return localNow(context, `"${text}"`);
  if (text === "today") return periodEdge(localNow(context, `"${text}"`), "1d", edge);
  if (text === "yesterday") return periodEdge(localNow(context, `"${text}"`) - DAY, "1d", edge);
  if (text === "tomorrow") return periodEdge(localNow(context, `"${text}"`) + DAY, "1d", edge);
  const distance = text.startsWith("-") || isAhead(text) ? parseDuration(text.slice(1)) : undefined;
  const move = isAhead(text) ? addDuration : subtractDuration;
  if (distance) return move(localNow(context, `"${text}"`), distance);
  const meant = findMeant(text, edge, context);
  throw usageError(`cannot read "${text}" as a date; use ${EXAMPLES}`, meant && `for "${text}", use ${meant}`);
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const CALENDAR = /^(this|last|previous) (week|month|year)$/;
const AGO = /^(?:(?:the |this )?(?:last |past |previous )?)([1-9]\d{0,4}|an?|) ?(minute|min|hour|day|week|month|year)s?(?: ago)?$/;

/**
 * Suggests what to use for a date in words: a value such as `-7d` for `7 days ago`, or the last Monday's date for `monday`; as a
 * start, also flags: `--during 2025-02` for `last month`.
 */
function findMeant(text: string, edge: Edge, context: WhenContext): string | undefined {
  if (parseDuration(text)) return `-${text}`;
  const words = text.toLowerCase();
  const [, which, period] = CALENDAR.exec(words) ?? [];
  const [, amount = "", unit] = period === undefined ? (AGO.exec(words) ?? []) : [];
  if (unit !== undefined) return describeAgo(Number(amount) || 1, unit);
  const weekday = WEEKDAYS.findIndex((name) => [name, name.slice(0, 3)].includes(words.replace(/^(?:last|this) /, "")));
  if (context.offsetMinutes === undefined || (period === undefined && weekday < 0)) return undefined;
  const now = localNow(context, `"${text}"`);
  if (period === undefined) return printDay(now - daysSince(weekday, now) * DAY);
  const [first, last] = period === "week" ? findWeek(now, which === "this") : findPeriod(now, period, which === "this");
  if (edge === "end") return last;
  if (which === "this") return `-s ${first}`;
  return first === last ? `--during ${first}` : `-s ${first} -e ${last}`;
}

function printDay(local: LocalTime): string {
  return formatLocalTime(local).slice(0, "2025-01-31".length);
}

/** The Monday and Sunday of this week or the last one. */
function findWeek(now: LocalTime, isThis: boolean): [first: string, last: string] {
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * DAY - (isThis ? 0 : 7 * DAY);
  return [printDay(monday), printDay(monday + 6 * DAY)];
}

/** This month or year, or the last one. */
function findPeriod(now: LocalTime, period: string, isThis: boolean): [first: string, last: string] {
  const [interval, length] = period === "year" ? (["1y", "2025".length] as const) : (["1M", "2025-01".length] as const);
  const current = intervalStart(interval, now);
  const name = formatLocalTime(isThis ? current : intervalStart(interval, current - 1)).slice(0, length);
  return [name, name];
}

/** Formats a duration to suggest. Weeks become days, which everybody knows: `-7d`. */
function describeAgo(amount: number, unit: string): string {
  if (unit === "week") return `-${7 * amount}d`;
  return `-${amount}${unit === "month" ? "M" : unit.charAt(0)}`;
}

/** Days since the last such weekday, 1 to 7. */
function daysSince(weekday: number, now: LocalTime): number {
  return (new Date(now).getUTCDay() - weekday + 7) % 7 || 7;
}

function periodEdge(local: LocalTime, period: Interval, edge: Edge): LocalTime {
  return edge === "start" ? intervalStart(period, local) : nextIntervalStart(period, local) - 1000;
}

/** Parses a date, with or without a time, as wall clock. @throws {EntsError} usage: it does not exist. */
function parseExisting(clock: string, text: string): LocalTime {
  const local = parseTimestamp(clock, "Z");
  const day = parseTimestamp(clock.slice(0, 10), "Z");
  // JavaScript reads 30 February as 2 March.
  if (local !== undefined && day !== undefined && clock.startsWith(formatLocalTime(day).slice(0, 10))) return local;
  throw usageError(`the date or time "${text}" does not exist`, `use a date such as ${EXAMPLES}`);
}

function offsetOf(context: WhenContext, source: string): number {
  if (context.offsetMinutes !== undefined) return context.offsetMinutes;
  throw usageError(
    `${source} needs the UTC offset of network ${context.network}, which is unknown (known: NEM and AU ${formatOffset(600)}, WEM ${formatOffset(480)})`,
    "use dates in network time without an offset, such as 2025-01-31T14:05",
  );
}
