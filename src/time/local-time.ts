/**
 * Network-local time.
 *
 * A `LocalTime` is the wall clock of a network, in milliseconds as if that wall clock were UTC: networks have a fixed
 * offset and no daylight saving, so all planning is arithmetic on it and needs no zone.
 */
export type LocalTime = number;

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** `2025-01-31T14:05:00`: how the service reads a window's end, without an offset. */
export function formatLocalTime(local: LocalTime): string {
  return new Date(local).toISOString().slice(0, 19);
}

/** `+10:00` for 600 minutes. */
export function formatOffset(minutes: number): string {
  const sign = minutes < 0 ? "-" : "+";
  const absolute = Math.abs(minutes);
  return `${sign}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

/** `2025-01-31T14:05:00+10:00`: how the service stamps a point. */
export function formatStamp(local: LocalTime, offsetMinutes: number): string {
  return formatLocalTime(local) + formatOffset(offsetMinutes);
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
