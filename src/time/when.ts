/** Reads dates and times as users write them (`<when>` on the command line) as network-local time. */
import { usageError } from "../base/errors.ts";
import type { Interval } from "../base/vocabulary.ts";
import { bucketStart, nextBucketStart } from "./buckets.ts";
import { subtractDuration } from "./calendar.ts";
import { DAY, formatLocalTime, formatOffset, type LocalTime, MINUTE } from "./local-time.ts";
import { parseDuration } from "./duration.ts";
import { parseOffset, parseStamp } from "./stamp.ts";

/** A day, month or year means its first instant as a start, and its last second as an end. */
export type Edge = "start" | "end";

export interface WhenContext {
  readonly network: string;
  /** The network's offset from UTC in minutes; undefined for a network that ents does not know. */
  readonly offsetMinutes: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const EXAMPLES = "2025-01-31, 2025-01-31T14:05, 2025-01, yesterday or -7d";

/** @throws {EntsError} usage: not a date, a date that does not exist, or one that needs an unknown UTC offset. */
export function parseWhen(text: string, edge: Edge, context: WhenContext): LocalTime {
  return checkYear(readWhen(text, edge, context), `"${text}"`);
}

/** JavaScript, and much else, reads years below 100 as 19xx. */
const FIRST_SECOND = Date.parse("0100-01-01T00:00:00Z");
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z");

/** ISO 8601 years have four digits. @throws {EntsError} usage: any other year, such as that of `-3000y`. */
export function checkYear(local: LocalTime, name: string, hint = `use a date such as ${EXAMPLES}`): LocalTime {
  if (local >= FIRST_SECOND && local <= LAST_SECOND) return local;
  throw usageError(`${name} is outside the years 0100 to 9999`, hint);
}

/** Whether it is a moment counted from now (`now`, `-7d`), not one of the calendar. */
export function isRelative(text: string): boolean {
  return text === "now" || text.startsWith("-");
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
  const back = text.startsWith("-") ? parseDuration(text.slice(1)) : undefined;
  if (back) return subtractDuration(localNow(context, `"${text}"`), back);
  throw usageError(`cannot read "${text}" as a date; use ${EXAMPLES}`);
}

function periodEdge(local: LocalTime, period: Interval, edge: Edge): LocalTime {
  return edge === "start" ? bucketStart(period, local) : nextBucketStart(period, local) - 1000;
}

/** The wall clock of a date, with a time or without. */
function parseExisting(clock: string, text: string): LocalTime {
  const local = parseStamp(clock, "Z");
  const day = parseStamp(clock.slice(0, 10), "Z");
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
