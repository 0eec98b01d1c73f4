/** Reads dates and times as users write them (`<when>` on the command line) as network-local time. */
import { DateTime } from "luxon";
import { usageError } from "../base/errors.ts";
import { addDuration, subtractDuration, WALL_CLOCK } from "./calendar.ts";
import { DAY, formatOffset, type LocalTime, MINUTE } from "./local-time.ts";
import { parseDuration } from "./duration.ts";

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
  if (period) return periodEdge(parseExisting(text, text), period[3] ? "day" : period[2] ? "month" : "year", edge);
  const moment = DATE_TIME.exec(text);
  if (moment) return moment[3] ? convertFromOffset(text, context) : parseExisting(`${moment[1]}T${moment[2]}`, text);
  return parseRelative(text, edge, context);
}

/** The network's wall clock now, in whole seconds. `source`: the value or flag that needs it, for the message. */
export function localNow(context: WhenContext, source: string): LocalTime {
  const now = context.now + offsetOf(context, source) * MINUTE;
  return now - (now % 1000);
}

function parseRelative(text: string, edge: Edge, context: WhenContext): LocalTime {
  if (text === "now") return localNow(context, `"${text}"`);
  if (text === "today") return periodEdge(localNow(context, `"${text}"`), "day", edge);
  if (text === "yesterday") return periodEdge(localNow(context, `"${text}"`) - DAY, "day", edge);
  const back = text.startsWith("-") ? parseDuration(text.slice(1)) : undefined;
  if (back) return subtractDuration(localNow(context, `"${text}"`), back);
  throw usageError(`cannot read "${text}" as a date; use ${EXAMPLES}`);
}

function periodEdge(local: LocalTime, period: "day" | "month" | "year", edge: Edge): LocalTime {
  const start = DateTime.fromMillis(local, WALL_CLOCK).startOf(period);
  return edge === "start" ? start.toMillis() : addDuration(start.toMillis(), { amount: 1, unit: `${period}s` }) - 1000;
}

function parseExisting(iso: string, text: string): LocalTime {
  const parsed = DateTime.fromISO(iso, WALL_CLOCK);
  if (parsed.isValid) return parsed.toMillis();
  throw usageError(`the date or time "${text}" does not exist`, `use a date such as ${EXAMPLES}`);
}

function convertFromOffset(text: string, context: WhenContext): LocalTime {
  return parseExisting(text.replace(" ", "T"), text) + offsetOf(context, `"${text}"`) * MINUTE;
}

function offsetOf(context: WhenContext, source: string): number {
  if (context.offsetMinutes !== undefined) return context.offsetMinutes;
  throw usageError(
    `${source} needs the UTC offset of network ${context.network}, which is unknown (known: NEM and AU ${formatOffset(600)}, WEM ${formatOffset(480)})`,
    "use dates in network time without an offset, such as 2025-01-31T14:05",
  );
}
