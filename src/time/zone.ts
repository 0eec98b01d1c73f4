/** The time zone of an output: network time, UTC, or an IANA zone. */
import { DAY, formatOffset, MINUTE } from "./local-time.ts";

export interface Zone {
  /** `network`, `utc`, `+10:00`, or an IANA zone. */
  readonly name: string;
  /** Its UTC offset at an instant, in whole minutes; undefined for `network`, as each network has its own. */
  readonly offsetAt: OffsetAt | undefined;
  /**
   * Converts an instant to wall clock, in milliseconds as if that were UTC. `clockOffset`: UTC offset of the network,
   * in minutes.
   */
  readonly toWallClock: (instant: number, clockOffset: number) => number;
}

export type OffsetAt = (instant: number) => number;

export const NETWORK_ZONE = defineZone("network", undefined);
export const UTC_ZONE = defineZone("utc", () => 0);

/** What Australians call zones of a fixed offset. Without the A, most of these mean another time in America. */
const AUSTRALIAN: Readonly<Record<string, string>> = {
  AEST: "+10:00",
  AEDT: "+11:00",
  ACST: "+09:30",
  ACDT: "+10:30",
  AWST: "+08:00",
};

/** Finds a zone that needs no time zone data: `network`, `utc`, an offset such as `+10:00` or `UTC+10`, or `AEST`. */
export function findBuiltInZone(name: string): Zone | undefined {
  if (name === NETWORK_ZONE.name) return NETWORK_ZONE;
  if (/^(?:utc|z)$/i.test(name)) return UTC_ZONE;
  const offset = AUSTRALIAN[name.toUpperCase()] ?? name;
  const [, sign, hours = "", minutes = "00"] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(offset) ?? [];
  if (sign === undefined || Number(hours) > 14) return undefined;
  const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return ahead === 0 ? UTC_ZONE : defineZone(formatOffset(ahead), () => ahead);
}

export function nameZone(zone: Zone): string {
  if (zone === NETWORK_ZONE) return "network time";
  if (zone === UTC_ZONE) return "UTC";
  return /^[+-]/.test(zone.name) ? `UTC${zone.name}` : zone.name;
}

/**
 * The instant of a wall clock: of one that comes twice, the earlier; of one that does not exist, the first after it.
 */
export function findInstant(wall: number, offsetAt: OffsetAt): number {
  const offsets = [offsetAt(wall - DAY), offsetAt(wall + DAY)];
  const possible = offsets.map((offset) => wall - offset * MINUTE);
  const [first = Number.NaN] = possible
    .filter((instant, index) => offsetAt(instant) === offsets[index])
    .sort((a, b) => a - b);
  if (!Number.isNaN(first)) return first;
  // Clocks have gone forward, from one minute to the next.
  let [before, after] = [Math.min(...possible), Math.max(...possible)];
  while (after - before > MINUTE) {
    const middle = Math.floor((before + after) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle) === offsets[0]) before = middle;
    else after = middle;
  }
  return after;
}

/** `exactOffsetAt`: in minutes, with fractions. */
export function defineZone(name: string, exactOffsetAt: OffsetAt | undefined): Zone {
  const offsetAt = exactOffsetAt && cacheOffsets(exactOffsetAt);
  return {
    name,
    offsetAt,
    toWallClock: (instant, clockOffset) => instant + (offsetAt?.(instant) ?? clockOffset) * MINUTE,
  };
}

/**
 * Caches offsets by day: a lookup takes microseconds, millions of timestamps share few days, and offsets change at most
 * once a day.
 */
function cacheOffsets(exactOffsetAt: OffsetAt): OffsetAt {
  // Days with a change are cached by minute: St John's changed its clock at one minute past midnight until 2011.
  const change = cacheSteps(MINUTE, exactOffsetAt);
  const steady = cacheSteps(DAY, (start) => {
    const offset = exactOffsetAt(start);
    return offset === exactOffsetAt(start + DAY) ? offset : undefined;
  });
  // Before 1972 some offsets have seconds, which ISO 8601 cannot write; the instant stays correct.
  return (instant) => Math.round(steady(instant) ?? change(instant));
}

/**
 * Caches a value per step of time; `compute` gets the start of the step. Consecutive instants are mostly in the same
 * step.
 */
function cacheSteps<T>(step: number, compute: (start: number) => T): (instant: number) => T {
  const values = new Map<number, T>();
  let last: { readonly start: number; readonly value: T } | undefined;
  return (instant) => {
    const start = Math.floor(instant / step) * step;
    if (last?.start !== start) {
      if (!values.has(start)) values.set(start, compute(start));
      last = { start, value: values.get(start) as T };
    }
    return last.value;
  };
}
