/** Timestamps in a time zone. */
import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest } from "../base/suggest.ts";
import { formatOffset, MINUTE } from "./local-time.ts";

/** Zones change their offset only at multiples of this. */
const OFFSET_STEP = 15 * MINUTE;

/**
 * `zone`: `network` (timestamps as the service sent them), `utc`, or an IANA zone.
 * @throws {EntsError} usage: unknown zone.
 */
export function createStampPrinter(zone: string): (stamp: string, instant: number) => string {
  if (zone === "network") return printAsSent;
  if (zone.toLowerCase() === "utc") return (_, instant) => formatClock(instant, "Z");
  if (!IANAZone.isValidZone(zone)) throw unknownZone(zone);
  const offsetAt = cacheOffsets(IANAZone.create(zone));
  return (_, instant) => {
    const offset = offsetAt(instant);
    return formatClock(instant + offset * MINUTE, formatOffset(offset));
  };
}

export function printAsSent(stamp: string): string {
  return stamp;
}

/** A lookup takes microseconds; millions of timestamps share few quarters of an hour. */
function cacheOffsets(zone: IANAZone): (instant: number) => number {
  let cachedStep = Number.NaN;
  let offset = 0;
  return (instant) => {
    const step = Math.floor(instant / OFFSET_STEP);
    if (step !== cachedStep) {
      cachedStep = step;
      // Before 1972 some offsets have seconds, which ISO 8601 cannot write; the instant stays correct.
      offset = Math.round(zone.offset(instant));
    }
    return offset;
  };
}

function formatClock(local: number, suffix: string): string {
  const iso = new Date(local).toISOString();
  return iso.slice(0, iso.endsWith(".000Z") ? -5 : -1) + suffix;
}

function unknownZone(zone: string): Error {
  const nearest = findNearest(zone, Intl.supportedValuesOf("timeZone"));
  return usageError(`unknown time zone "${zone}"${didYouMean(nearest)}`, "use network, utc, or a zone such as Australia/Sydney");
}
