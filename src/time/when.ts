/** Reads dates and times as users write them (`<when>` on the command line) as network-local time. */
import { usageError } from "../base/errors.ts";
import { type AnyInterval, intervalStart, nextIntervalStart } from "./calendar.ts";
import { addDuration, subtractDuration, parseDuration } from "./duration.ts";
import { DAY, formatLocalTime, formatOffset, type LocalTime, MINUTE } from "./local-time.ts";
import { parseOffset, parseTimestamp } from "./timestamp.ts";
import { findInstant, type Zone } from "./zone.ts";

/** A day, month or year means its first instant as a start, and its last second as an end. */
export type Edge = "start" | "end";

export interface WhenContext {
  readonly network: string;
  /** The network's UTC offset, in minutes; undefined for a network unknown to ents. */
  readonly offsetMinutes: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** The zone that dates without an offset are in; by default, network time. */
  readonly zone?: Zone | undefined;
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const DAYS: readonly string[] = ["today", "yesterday", "tomorrow"];
/** A quarter, a financial year, or a period around now. */
const QUARTER = /^(\d{4})-q([1-4])$/i;
const FINANCIAL_YEAR = /^fy(\d{4})$/i;
const QUARTER_STARTS = ["01-01", "04-01", "07-01", "10-01"];
const CURRENT = /^(this|last)-(week|month|quarter|year|fy)$/i;
/** The words for periods around now. */
export const PERIOD_WORDS = [
  ...DAYS,
  ...["week", "month", "quarter", "year", "fy"].flatMap((unit) => [`this-${unit}`, `last-${unit}`]),
];
const EXAMPLES = "2025-01-31, 2025-01-31T14:05, 2025-01, FY2025, yesterday, -7d or +2d";

/** @throws {EntsError} usage: not a date, a date that does not exist, or one that needs an unknown UTC offset. */
export function parseWhen(text: string, edge: Edge, context: WhenContext): LocalTime {
  const { zone, offsetMinutes } = context;
  const isLocal = zone?.offsetAt !== undefined && offsetMinutes !== undefined && !isMoment(text);
  return checkYear(
    isLocal ? readInZone(text, edge, { ...context, zone, offsetMinutes }) : readWhen(text, edge, context),
    `"${text}"`,
  );
}

/** True for a time that is the same in every zone: `now`, `-2h`, `2025-01-31T14:05Z`. */
function isMoment(text: string): boolean {
  return text === "now" || DATE_TIME.exec(text)?.[3] !== undefined || /^[-+]\d+[mhs]$/.test(text);
}

function readInZone(
  text: string,
  edge: Edge,
  { zone, offsetMinutes, ...context }: WhenContext & { readonly zone: Zone; readonly offsetMinutes: number },
): LocalTime {
  const offsetAt = zone.offsetAt ?? (() => offsetMinutes);
  const wall = readWhen(text, edge, { ...context, offsetMinutes: offsetAt(context.now) });
  return findInstant(wall, offsetAt) + offsetMinutes * MINUTE;
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
  return isRelative(text) || DAYS.includes(text) || CURRENT.test(text);
}

/** True for a day, a week, a month, a quarter, or a year. */
export function isPeriod(text: string): boolean {
  return DAYS.includes(text) || [DATE, QUARTER, FINANCIAL_YEAR, CURRENT].some((period) => period.test(text));
}

function readWhen(text: string, edge: Edge, context: WhenContext): LocalTime {
  const period = DATE.exec(text);
  if (period) {
    const [, year, month = "01", day = "01"] = period;
    return periodEdge(parseExisting(`${year}-${month}-${day}`, text), period[3] ? "1d" : period[2] ? "1M" : "1y", edge);
  }
  const [, ofYear, quarter] = QUARTER.exec(text) ?? [];
  if (quarter !== undefined)
    return periodEdge(parseExisting(`${ofYear}-${QUARTER_STARTS[Number(quarter) - 1]}`, text), "3M", edge);
  const [, financialYear] = FINANCIAL_YEAR.exec(text) ?? [];
  if (financialYear !== undefined) return periodEdge(parseExisting(`${financialYear}-01-01`, text), "fy", edge);
  const [, which, unit] = CURRENT.exec(text.toLowerCase()) ?? [];
  if (unit !== undefined) return readCurrent(localNow(context, `"${text}"`), { isThis: which === "this", unit, edge });
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
  const meant = suggestDate(text, edge, context);
  throw usageError(`cannot read "${text}" as a date; use ${EXAMPLES}`, meant && `for "${text}", use ${meant}`);
}

const INTERVAL_OF: Readonly<Record<string, AnyInterval>> = {
  // From Monday; the weeks of the public service are from Sunday.
  week: { ms: 7 * DAY, phase: 4 * DAY },
  month: "1M",
  quarter: "3M",
  year: "1y",
  fy: "fy",
};

/** An edge of the period under way, which ends now, or of the one before. */
function readCurrent(
  now: LocalTime,
  { isThis, unit, edge }: { readonly isThis: boolean; readonly unit: string; readonly edge: Edge },
): LocalTime {
  const period = INTERVAL_OF[unit] as AnyInterval;
  if (isThis) return edge === "start" ? intervalStart(period, now) : now;
  return periodEdge(intervalStart(period, now) - 1, period, edge);
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const CALENDAR = /^(this|last|previous|current) ?(week|month|quarter|year|fy|financial year)$/;
/** `FY25`, `2024-25`, `2024/2025`, `Q1 2025`, `2025 Q1`. */
const OTHER_YEAR = /^(?:fy ?(?:20)?(\d\d)|(?:fy ?)?20(\d\d)[-/](?:20)?(\d\d))$/;
const OTHER_QUARTER = /^(?:q([1-4])[- /]?(\d{4})|(\d{4})[ /]?q([1-4]))$/;
const AGO =
  /^(?:(?:the |this )?(?:last |past |previous )?)([1-9]\d{0,4}|an?|) ?(minute|min|hour|day|week|month|year)s?(?: ago)?$/;

/**
 * Suggests what to use for a date in words: a value such as `-7d` for `7 days ago`, or the last Monday's date for
 * `monday`; as a start, also flags: `--during 2025-02` for `last month`.
 */
function suggestDate(text: string, edge: Edge, context: WhenContext): string | undefined {
  if (parseDuration(text)) return `-${text}`;
  const words = text.toLowerCase();
  const period = findPeriodWord(words);
  if (period !== undefined) return edge === "end" ? period : `--during ${period}`;
  const [, amount = "", unit] = AGO.exec(words) ?? [];
  if (unit !== undefined) return describeAgo(Number(amount) || 1, unit);
  const weekday = WEEKDAYS.findIndex((name) => [name, name.slice(0, 3)].includes(words.replace(/^(?:last|this) /, "")));
  if (context.offsetMinutes === undefined || weekday < 0) return undefined;
  const now = localNow(context, `"${text}"`);
  return printDay(now - daysSince(weekday, now) * DAY);
}

/** The word for a period that people write in other ways: `last-month`, `FY2025`, `2025-Q1`. */
export function findPeriodWord(text: string): string | undefined {
  const words = text.toLowerCase();
  const [, which = "", period] = CALENDAR.exec(words) ?? [];
  if (period !== undefined)
    return `${/^(?:this|current)$/.test(which) ? "this" : "last"}-${period.replace("financial year", "fy")}`;
  const [, short, start, end] = OTHER_YEAR.exec(words) ?? [];
  if (short !== undefined) return `FY20${short}`;
  if (start !== undefined && Number(end) === (Number(start) + 1) % 100) return `FY20${end}`;
  const [, first, year, otherYear, other] = OTHER_QUARTER.exec(words) ?? [];
  return first === undefined && other === undefined ? undefined : `${year ?? otherYear}-Q${first ?? other}`;
}

function printDay(local: LocalTime): string {
  return formatLocalTime(local).slice(0, "2025-01-31".length);
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

function periodEdge(local: LocalTime, period: AnyInterval, edge: Edge): LocalTime {
  return edge === "start" ? intervalStart(period, local) : nextIntervalStart(period, local) - 1000;
}

/** Parses a date, with or without a time, as wall clock. @throws {EntsError} usage: it does not exist. */
function parseExisting(clock: string, text: string): LocalTime {
  const local = parseTimestamp(clock, "Z");
  const day = parseTimestamp(clock.slice(0, 10), "Z");
  // JavaScript reads 30 February as 2 March.
  if (local !== undefined && day !== undefined && clock.startsWith(formatLocalTime(day).slice(0, 10))) return local;
  const meant = findPeriodWord(text);
  const facts = { value: text, didYouMean: meant ? [meant] : [] };
  throw usageError(`the date or time "${text}" does not exist`, `use a date such as ${EXAMPLES}`, facts);
}

function offsetOf(context: WhenContext, source: string): number {
  if (context.offsetMinutes !== undefined) return context.offsetMinutes;
  throw usageError(
    `${source} needs the UTC offset of network ${context.network}, which is unknown (known: NEM and AU ${formatOffset(600)}, WEM ${formatOffset(480)})`,
    "use dates in network time without an offset, such as 2025-01-31T14:05",
  );
}
