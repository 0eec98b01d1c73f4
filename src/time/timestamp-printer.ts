import type { Interval } from "../base/intervals.ts";
import { printName } from "./interval-names.ts";
import { DAY, formatOffset, MINUTE } from "./local-time.ts";
import { createTimestampShifter, findSentOffset } from "./timestamp.ts";
import { UTC_ZONE, type Zone } from "./zone.ts";

/**
 * `iso`: with offset; `local`: the wall clock alone, as `2026-10-01 00:00:00`; `unix`, `unix-ms`: since 1970 UTC;
 * `name`: what people call the interval.
 */
export type TimeFormat = "iso" | "local" | "unix" | "unix-ms" | "name";

/**
 * Prints an instant; `timestamp` is the service's timestamp, `networkOffset` the UTC offset of the network's time, in
 * minutes.
 */
export interface TimestampPrinter {
  (timestamp: string, instant: number, networkOffset?: number): string;
  /** For the start and the end of an interval, if they are printed otherwise than its timestamp. */
  readonly ofEdges?: TimestampPrinter;
}

/** In network time, `iso` prints timestamps as the service sent them, and `local` prints the network's wall clock. */
export function createZonedPrinter(zone: Zone, format: TimeFormat = "iso", interval?: Interval): TimestampPrinter {
  if (format === "name") return createNamePrinter(zone, interval);
  if (format === "unix") return (_, instant) => String(instant / 1000);
  if (format === "unix-ms") return (_, instant) => String(instant);
  const print = createWallClockPrinter(format === "local" ? " " : "T");
  const { offsetAt } = zone;
  if (format === "local") {
    return (timestamp, instant, networkOffset) => {
      const offset = offsetAt?.(instant) ?? networkOffset ?? findSentOffset(timestamp);
      return print(instant + offset * MINUTE);
    };
  }
  if (offsetAt === undefined) return printAsSent;
  if (zone === UTC_ZONE) return (_, instant) => `${print(instant)}Z`;
  return (_, instant) => {
    const offset = offsetAt(instant);
    return print(instant + offset * MINUTE) + formatOffset(offset);
  };
}

/** `interval`: that of the timestamps. */
function createNamePrinter({ toWallClock }: Zone, interval: Interval | undefined): TimestampPrinter {
  const print: TimestampPrinter = (timestamp, instant, networkOffset) =>
    printName(interval, toWallClock(instant, networkOffset ?? findSentOffset(timestamp)));
  const ofEdges: TimestampPrinter = (timestamp, instant, networkOffset) =>
    printName("1d", toWallClock(instant, networkOffset ?? findSentOffset(timestamp)));
  return Object.assign(print, { ofEdges });
}

export function printAsSent(timestamp: string): string {
  return timestamp;
}

/** Writes the timestamp of instant `to` in the spelling of `timestamp`, the timestamp of `instant`. */
export function createCachedTimestampShifter(): (timestamp: string, instant: number, to: number) => string {
  const print = createWallClockPrinter("T");
  let suffix = "Z";
  let offset = 0;
  return (timestamp, instant, to) => {
    if (!timestamp.endsWith(suffix))
      [suffix, offset] = [timestamp.slice("2025-01-31T14:05:00".length), findSentOffset(timestamp)];
    const isUsual = timestamp === print(instant + offset * MINUTE) + suffix;
    return isUsual ? print(to + offset * MINUTE) + suffix : createTimestampShifter(timestamp)(to - instant);
  };
}

/**
 * Prints a wall clock, given as if it were UTC. Caches days and times of day, as millions of timestamps share few of
 * them.
 */
function createWallClockPrinter(separator: string): (local: number) => string {
  const times = new Map<number, string>();
  let day = Number.NaN;
  let date = "";
  return (local) => {
    const current = Math.floor(local / DAY);
    if (current !== day) {
      day = current;
      date = new Date(current * DAY).toISOString().slice(0, -"T00:00:00.000Z".length) + separator;
    }
    const timeOfDay = local - current * DAY;
    let time = times.get(timeOfDay);
    if (time === undefined) {
      const isWhole = timeOfDay % 1000 === 0;
      time = new Date(timeOfDay).toISOString().slice("1970-01-01T".length, isWhole ? -".000Z".length : -"Z".length);
      if (isWhole) times.set(timeOfDay, time);
    }
    return date + time;
  };
}
