const STAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const HAS_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The instant of an ISO 8601 timestamp, in milliseconds since 1970 UTC; undefined if it is not valid.
 * Without an offset it is network time, with the offset `networkOffset` (`+10:00`).
 */
export function parseStamp(stamp: string, networkOffset: string): number | undefined {
  if (!STAMP.test(stamp)) return undefined;
  const instant = Date.parse(stamp.length > 10 && HAS_OFFSET.test(stamp) ? stamp : withOffset(stamp, networkOffset));
  return Number.isNaN(instant) ? undefined : instant;
}

function withOffset(stamp: string, networkOffset: string): string {
  const clock = stamp.length === 10 ? `${stamp}T00:00:00` : stamp;
  return clock + (HAS_OFFSET.test(networkOffset) ? networkOffset : "Z");
}
