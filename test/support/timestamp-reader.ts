/** Reads printed timestamps of a time zone and format. */
import { DAY, formatOffset, MINUTE } from "../../src/time/local-time.ts";
import { hasOffset, parseTimestamp } from "../../src/time/timestamp.ts";
import type { TimeFormat } from "../../src/time/timestamp-printer.ts";
import type { OffsetAt, Zone } from "../../src/time/zone.ts";

/**
 * Reads what the printer of the same zone and format has printed; undefined for anything else, and for a network's wall
 * clock if its offset is unknown. For a time that a wall clock shows twice, returns the first that is not before
 * `after`.
 */
export type TimestampReader = (text: string, after?: number) => number | undefined;

export function createTimestampReader(
  zone: Zone,
  format: TimeFormat,
  networkOffset: number | undefined,
): TimestampReader {
  if (format === "unix" || format === "unix-ms") {
    const unit = format === "unix" ? 1000 : 1;
    return (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * unit) : undefined);
  }
  const network = networkOffset === undefined ? undefined : formatOffset(networkOffset);
  if (format === "iso")
    return (text) => (network !== undefined || hasOffset(text) ? parseTimestamp(text, network ?? "") : undefined);
  const { offsetAt } = zone;
  if (offsetAt === undefined) {
    return (text) => (WALL_CLOCK.test(text) && network !== undefined ? parseTimestamp(text, network) : undefined);
  }
  return (text, after = Number.NEGATIVE_INFINITY) => {
    const instants = WALL_CLOCK.test(text) ? findInstants(parseTimestamp(text, "Z") ?? Number.NaN, offsetAt) : [];
    return instants.find((instant) => instant >= after) ?? instants[0];
  };
}

const WALL_CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;

/** In order: none, one, or two if the clock goes back. */
function findInstants(local: number, offsetAt: OffsetAt): number[] {
  const aheadAt = (instant: number) => offsetAt(instant) * MINUTE;
  const instants = [local - DAY, local + DAY].map((near) => local - aheadAt(near));
  return [...new Set(instants)].filter((instant) => instant + aheadAt(instant) === local);
}

/** Whether the zone's wall clock changes its offset within a day of an instant, so that a time may be ambiguous. */
export function isNearChange({ offsetAt }: Zone, instant: number): boolean {
  return offsetAt !== undefined && offsetAt(instant - DAY) !== offsetAt(instant + DAY);
}
