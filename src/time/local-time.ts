/**
 * The network's wall clock, in milliseconds since 1970 as if it were UTC. Networks have a fixed offset and no daylight
 * saving, so planning needs no time zone.
 */
export type LocalTime = number;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `2025-01-31T14:05:00`: the format of `date_start` and `date_end`. */
export function formatLocalTime(local: LocalTime): string {
  return new Date(local).toISOString().slice(0, 19);
}

/** As users write it: `2025-01-31`, `2025-01-31T14:05`, or with seconds if it has any. */
export function formatShort(local: LocalTime): string {
  return formatLocalTime(local).replace(/(?:T00:00)?:00$/, "");
}

/** `2025-01-31 14:05` */
export function formatMinute(local: LocalTime): string {
  return formatLocalTime(local).slice(0, "2025-01-31T14:05".length).replace("T", " ");
}

/** `+10:00` for 600 minutes. */
export function formatOffset(minutes: number): string {
  const sign = minutes < 0 ? "-" : "+";
  const absolute = Math.abs(minutes);
  return `${sign}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

/** `2025-01-31T14:05:00+10:00`: the format of a point's timestamp. */
export function formatTimestamp(local: LocalTime, offsetMinutes: number): string {
  return formatLocalTime(local) + formatOffset(offsetMinutes);
}

/** An instant, in milliseconds since 1970 UTC, as `2025-01-31T04:05:00Z`. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace(".000Z", "Z");
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
