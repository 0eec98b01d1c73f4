import { findNetwork } from "../../../base/vocabulary.ts";
import { DAY, MINUTE } from "../../../time/local-time.ts";

/** Network time, as far as it is known. */
export interface NetworkClock {
  /** Milliseconds by which it is ahead of UTC; 0 if unknown. */
  readonly offset: number;
  /** How much earlier or later than by this offset a window may begin, in milliseconds. */
  readonly slack: number;
}

/**
 * `described`: the offset in the description of the output. For a network that ents does not know, a service may state one
 * offset and read windows by another (daylight saving): they differ by less than a day.
 */
export function createNetworkClock(network: string, described: number | undefined): NetworkClock {
  const known = findKnownOffset(network);
  return known === undefined ? { offset: described ?? 0, slack: DAY } : { offset: known, slack: 0 };
}

/** The offset of a network that ents knows, in milliseconds; else undefined. */
export function findKnownOffset(network: string): number | undefined {
  const minutes = findNetwork(network)?.offsetMinutes;
  return minutes === undefined ? undefined : minutes * MINUTE;
}
