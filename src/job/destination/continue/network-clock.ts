import { findNetwork } from "../../../base/vocabulary.ts";
import { DAY, MINUTE } from "../../../time/local-time.ts";

/** Network time, as far as it is known. */
export interface NetworkClock {
  /** Milliseconds by which it is ahead of UTC; 0 if unknown. */
  readonly offset: number;
  /** A window may begin so much earlier or later than this offset says, in milliseconds. */
  readonly slack: number;
}

/**
 * `described`: the offset that the description of the output has. Of a network that ents does not know, a service may tell
 * one and read windows by another, with daylight saving: none is a day away.
 */
export function createNetworkClock(network: string, described: number | undefined): NetworkClock {
  const known = findKnownOffset(network);
  return known === undefined ? { offset: described ?? 0, slack: DAY } : { offset: known, slack: 0 };
}

/** Of the networks that ents knows, in milliseconds. */
export function findKnownOffset(network: string): number | undefined {
  const minutes = findNetwork(network)?.offsetMinutes;
  return minutes === undefined ? undefined : minutes * MINUTE;
}
