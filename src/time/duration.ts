/** Durations as users write them: `12h`, `7d`, `6M`. */
import { DAY, HOUR, MINUTE, type LocalTime } from "./local-time.ts";

export interface Duration {
  readonly amount: number;
  readonly unit: DurationUnit;
}

const DURATION_UNITS = {
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
  w: "weeks",
  M: "months",
  y: "years",
} as const;
type DurationUnit = (typeof DURATION_UNITS)[keyof typeof DURATION_UNITS];

/** `30s`, `90m`, `12h`, `7d`, `2w`, `6M`, `1y`; undefined for anything else, `0d` included. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^(\d{1,9})([smhdwMy])$/.exec(text);
  const amount = Number(match?.[1]);
  if (!match || amount === 0) return undefined;
  return { amount, unit: DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS] };
}

const IN_WORDS = /^(?:the |a |an )?(?:last |past |previous )?(\d{1,5})? ?(min|minute|hour|day|week|month|year)s?$/i;

/** Finds the duration that words such as `7 days`, `week` or `last month` mean: `7d`, `7d`, `1M`. */
export function findMeantDuration(text: string): string | undefined {
  const [, amount = "1", unit = ""] = IN_WORDS.exec(text) ?? [];
  if (unit === "" || Number(amount) === 0) return undefined;
  const letter = unit.toLowerCase() === "month" ? "M" : unit.charAt(0).toLowerCase();
  return letter === "w" ? `${7 * Number(amount)}d` : `${Number(amount)}${letter}`;
}

/** `8d` for 8 days. */
export function formatDuration({ amount, unit }: Duration): string {
  const letter = Object.entries(DURATION_UNITS).find(([, name]) => name === unit)?.[0];
  return `${amount}${letter}`;
}

const AGE_UNITS = { d: DAY, h: HOUR, m: MINUTE };

/** Formats an age in one unit, rounded down: `45s`, `12m`, `26h`, `5d`. */
export function formatAge(ms: number): string {
  const [letter, unit] = Object.entries(AGE_UNITS).find(([, length]) => ms >= 2 * length) ?? ["s", 1000];
  return `${Math.max(0, Math.floor(ms / unit))}${letter}`;
}

const UNIT_MS: Partial<Record<DurationUnit, number>> = {
  seconds: 1000,
  minutes: MINUTE,
  hours: HOUR,
  days: DAY,
  weeks: 7 * DAY,
};

/** Milliseconds of a duration of fixed length; undefined for months and years. */
export function durationMs({ amount, unit }: Duration): number | undefined {
  const ms = UNIT_MS[unit];
  return ms === undefined ? undefined : ms * amount;
}

/** Milliseconds of any duration, for comparisons; months and years count at their mean length. */
export function approximateMs(duration: Duration): number {
  return durationMs(duration) ?? countMonths(duration) * MEAN_MONTH;
}

const MEAN_MONTH = (365.2425 / 12) * DAY;

/** Months and years are calendar months and years: 31 March minus 1M is the last day of February. */
export function subtractDuration(from: LocalTime, { amount, unit }: Duration): LocalTime {
  return addDuration(from, { amount: -amount, unit });
}

export function addDuration(from: LocalTime, duration: Duration): LocalTime {
  const ms = durationMs(duration);
  return ms === undefined ? addMonths(from, countMonths(duration)) : from + ms;
}

function countMonths({ amount, unit }: Duration): number {
  return unit === "years" ? 12 * amount : amount;
}

/**
 * Keeps the day of the month, or takes the last one. Planning takes thousands of such steps: no library is fast enough.
 */
function addMonths(from: LocalTime, months: number): LocalTime {
  const date = new Date(from);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(date);
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(new Date(from).getUTCDate(), lastDay.getUTCDate()));
}
