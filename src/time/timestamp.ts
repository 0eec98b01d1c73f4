import { findNetwork } from "../base/vocabulary.ts";
import { formatOffset, MINUTE } from "./local-time.ts";

const STAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;
/** `Z`, `+10:00`, `+1000` or `+10`. */
const HAS_OFFSET = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;
const SHORT_OFFSET = /([+-]\d\d)(\d\d)?$/;
const OFFSET = /^(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

/**
 * Parses ISO 8601 to milliseconds since 1970 UTC, or undefined. `networkOffset` (`+10:00`) applies if `timestamp` has
 * no offset.
 */
export function parseTimestamp(timestamp: string, networkOffset: string): number | undefined {
  if (!STAMP.test(timestamp)) return undefined;
  const instant = Date.parse(spellOffset(hasOffset(timestamp) ? timestamp : withOffset(timestamp, networkOffset)));
  return Number.isNaN(instant) ? undefined : instant;
}

export function hasOffset(timestamp: string): boolean {
  return timestamp.length > 10 && HAS_OFFSET.test(timestamp);
}

/** The UTC offset at the end of a timestamp, `Z` or `+10:00`; undefined if it has none. */
export function findSuffix(timestamp: string): string | undefined {
  return hasOffset(timestamp) ? HAS_OFFSET.exec(timestamp)?.[0] : undefined;
}

/** Returns a function that moves a valid timestamp by milliseconds and keeps its spelling. */
export function createTimestampShifter(timestamp: string): (ms: number) => string {
  const suffix = findSuffix(timestamp) ?? "";
  const clock = timestamp.slice(0, timestamp.length - suffix.length);
  const start = parseTimestamp(clock, "Z") ?? 0;
  const time = clock.slice(10, 11);
  return (ms) => {
    const moved = new Date(start + ms).toISOString();
    // Digits finer than a millisecond stay.
    return (
      (moved.slice(0, 10) + time + moved.slice(11, -1) + clock.slice(moved.length - 1)).slice(0, clock.length) + suffix
    );
  };
}

/** The UTC offset of a network's time, as the service sent it or else as ents knows it; undefined without either. */
export function findOffset(network: string, sent: unknown): string | undefined {
  if (typeof sent === "string" && OFFSET.test(sent)) return sent;
  const known = findNetwork(network)?.offsetMinutes;
  return known === undefined ? undefined : formatOffset(known);
}

/** Parses `+10:00`, `+1000`, `+10` or `Z` to minutes. */
export function parseOffset(offset: string): number {
  if (offset === "Z") return 0;
  return (
    (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(":", "")))
  );
}

/** The UTC offset of a timestamp, in minutes; 0 if it has none, as in `parseTimestamp` without a network offset. */
export function findSentOffset(timestamp: string): number {
  return parseOffset(findSuffix(timestamp) ?? "Z");
}

/** The wall clock in a valid timestamp, in milliseconds as if it were UTC. */
export function readClock(timestamp: string): number {
  return (parseTimestamp(timestamp, "Z") ?? 0) + findSentOffset(timestamp) * MINUTE;
}

function withOffset(timestamp: string, networkOffset: string): string {
  const clock = timestamp.length === 10 ? `${timestamp}T00:00:00` : timestamp;
  return clock + (HAS_OFFSET.test(networkOffset) ? networkOffset : "Z");
}

/** Turns `+1000` and `+10`, which JavaScript does not read, into `+10:00`. */
function spellOffset(timestamp: string): string {
  return timestamp.replace(SHORT_OFFSET, (_, hours: string, minutes = "00") => `${hours}:${minutes}`);
}
