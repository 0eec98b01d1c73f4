/** Timestamps in a time zone and a format. */
import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest } from "../base/suggest.ts";
import { DAY, formatOffset, MINUTE } from "./local-time.ts";
import { createMover, findSentOffset, hasOffset, parseStamp } from "./stamp.ts";

/** `iso`: with offset; `local`: the wall clock alone, as `2026-10-01 00:00:00`; `unix`, `unix-ms`: since 1970 UTC. */
export type TimeFormat = "iso" | "local" | "unix" | "unix-ms";

/** Prints an instant; `stamp` is the service's timestamp, `networkOffset` the UTC offset of the network's time, in minutes. */
export type StampPrinter = (stamp: string, instant: number, networkOffset?: number) => string;

/** A time zone that was asked for. */
export interface Zone {
  /** `network`, `utc`, or an IANA zone. */
  readonly name: string;
  /** An instant on its wall clock, in milliseconds as if that were UTC. `clockOffset`: of the network's time, in minutes. */
  readonly toWallClock: (instant: number, clockOffset: number) => number;
}

/** @throws {EntsError} usage: unknown zone. */
export function createZone(name: string): Zone {
  const offsetAt = findOffsets(name);
  return { name, toWallClock: (instant, clockOffset) => instant + (offsetAt?.(instant) ?? clockOffset) * MINUTE };
}

/**
 * `zone`: `network` (as the service sent them; a wall clock is the network's), `utc`, or an IANA zone.
 * @throws {EntsError} usage: unknown zone.
 */
export function createStampPrinter(zone: string, format: TimeFormat = "iso"): StampPrinter {
  const offsetAt = findOffsets(zone);
  if (format === "unix") return (_, instant) => String(instant / 1000);
  if (format === "unix-ms") return (_, instant) => String(instant);
  const print = createClock(format === "local" ? " " : "T");
  if (format === "local") {
    return (stamp, instant, networkOffset) => {
      const offset = offsetAt?.(instant) ?? networkOffset ?? findSentOffset(stamp);
      return print(instant + offset * MINUTE);
    };
  }
  if (offsetAt === undefined) return printAsSent;
  if (offsetAt === noOffset) return (_, instant) => `${print(instant)}Z`;
  return (_, instant) => {
    const offset = offsetAt(instant);
    return print(instant + offset * MINUTE) + formatOffset(offset);
  };
}

/**
 * Reads what the printer of the same zone and format has printed; undefined for anything else, and for a network's wall clock
 * where its offset is unknown. Of a time that a wall clock shows twice, it is the first one that is not before `after`.
 */
export type StampReader = (text: string, after?: number) => number | undefined;

export function createStampReader(zone: string, format: TimeFormat, networkOffset: number | undefined): StampReader {
  if (format === "unix" || format === "unix-ms") {
    const unit = format === "unix" ? 1000 : 1;
    return (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * unit) : undefined);
  }
  const network = networkOffset === undefined ? undefined : formatOffset(networkOffset);
  if (format === "iso") return (text) => (network !== undefined || hasOffset(text) ? parseStamp(text, network ?? "") : undefined);
  const offset = zone.toLowerCase() === "utc" ? "Z" : network;
  if (zone !== "network" && offset !== "Z") {
    const clock = IANAZone.create(zone);
    return (text, after = Number.NEGATIVE_INFINITY) => {
      const instants = WALL_CLOCK.test(text) ? findInstants(parseStamp(text, "Z") ?? Number.NaN, clock) : [];
      return instants.find((instant) => instant >= after) ?? instants[0];
    };
  }
  return (text) => (WALL_CLOCK.test(text) && offset !== undefined ? parseStamp(text, offset) : undefined);
}

const WALL_CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;

/** In order of time: none, one, or two where a clock goes back. */
function findInstants(local: number, zone: IANAZone): number[] {
  const offsetAt = (instant: number) => Math.round(zone.offset(instant)) * MINUTE;
  const instants = [local - DAY, local + DAY].map((near) => local - offsetAt(near));
  return [...new Set(instants)].filter((instant) => instant + offsetAt(instant) === local).sort((a, b) => a - b);
}

/** Whether a wall clock of the zone has changed its offset within a day of an instant: it may show a time twice. */
export function isNearChange(zone: string, instant: number): boolean {
  const offsetAt = findOffsets(zone);
  return offsetAt !== undefined && offsetAt(instant - DAY) !== offsetAt(instant + DAY);
}

export function printAsSent(stamp: string): string {
  return stamp;
}

/** The timestamp of another instant, written as one of `instant` is. */
export function createStampMover(): (stamp: string, instant: number, to: number) => string {
  const print = createClock("T");
  let suffix = "Z";
  let offset = 0;
  return (stamp, instant, to) => {
    if (!stamp.endsWith(suffix)) [suffix, offset] = [stamp.slice("2025-01-31T14:05:00".length), findSentOffset(stamp)];
    const isUsual = stamp === print(instant + offset * MINUTE) + suffix;
    return isUsual ? print(to + offset * MINUTE) + suffix : createMover(stamp)(to - instant);
  };
}

type OffsetAt = (instant: number) => number;

/** The UTC offset of a zone in minutes, by instant; undefined for `network`. */
function findOffsets(zone: string): OffsetAt | undefined {
  if (zone === "network") return undefined;
  if (zone.toLowerCase() === "utc") return noOffset;
  if (!IANAZone.isValidZone(zone)) throw unknownZone(zone);
  return cacheOffsets(IANAZone.create(zone));
}

function noOffset(): number {
  return 0;
}

/** A lookup takes microseconds; millions of timestamps share few days, and zones change their offset once in a day at most. */
function cacheOffsets(zone: IANAZone): OffsetAt {
  // St John's changed its clock at one minute past midnight until 2011.
  const change = cacheSteps(MINUTE, (instant) => zone.offset(instant));
  const steady = cacheSteps(DAY, (start) => {
    const offset = zone.offset(start);
    return offset === zone.offset(start + DAY) ? offset : undefined;
  });
  // Before 1972 some offsets have seconds, which ISO 8601 cannot write; the instant stays correct.
  return (instant) => Math.round(steady(instant) ?? change(instant));
}

/** A function of the step that an instant is in, given the start of the step. */
function cacheSteps<T>(step: number, compute: (start: number) => T): (instant: number) => T {
  let cached: { readonly start: number; readonly value: T } | undefined;
  return (instant) => {
    const start = Math.floor(instant / step) * step;
    if (cached?.start !== start) cached = { start, value: compute(start) };
    return cached.value;
  };
}

/** Prints a wall clock, given as if it were UTC. Millions of timestamps share few days, and few times of day. */
function createClock(separator: string): (local: number) => string {
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

function unknownZone(zone: string): Error {
  const nearest = findNearest(zone, Intl.supportedValuesOf("timeZone"));
  return usageError(`unknown time zone "${zone}"${didYouMean(nearest)}`, "use network, utc, or a zone such as Australia/Sydney");
}
