/** How instants are printed in a time zone. */
import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { findNearest, formatList } from "../base/suggest.ts";
import { formatOffset, MINUTE } from "./local-time.ts";

/** The longest stretch in which no zone of the database changes its offset except at its ends. */
const OFFSET_GRAIN = 15 * MINUTE;

/**
 * A printer of timestamps: `network` (as the service sent them), `utc`, or an IANA zone.
 * @throws {EntsError} usage: no such zone.
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

/** Prints a timestamp as the service sent it. */
export function printAsSent(stamp: string): string {
  return stamp;
}

/** Asking a zone costs microseconds a stamp, and millions of stamps share few quarters of an hour. */
function cacheOffsets(zone: IANAZone): (instant: number) => number {
  let grain = Number.NaN;
  let offset = 0;
  return (instant) => {
    const at = Math.floor(instant / OFFSET_GRAIN);
    if (at !== grain) {
      grain = at;
      // Before 1972 some zones were off by seconds, for which an offset has no place: the instant stays the same.
      offset = Math.round(zone.offset(instant));
    }
    return offset;
  };
}

function formatClock(local: number, suffix: string): string {
  const iso = new Date(local).toISOString();
  return (iso.endsWith(".000Z") ? iso.slice(0, 19) : iso.slice(0, -1)) + suffix;
}

function unknownZone(zone: string): Error {
  const nearest = findNearest(zone, Intl.supportedValuesOf("timeZone"));
  const near = nearest.length > 0 ? `; did you mean ${formatList(nearest, "or")}?` : "";
  return usageError(`unknown time zone "${zone}"${near}`, "use network, utc, or a zone such as Australia/Sydney");
}
