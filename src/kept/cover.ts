/** Finds which stored responses cover a window, and which parts of it are missing. Pure. */
import type { BucketRule } from "../base/intervals.ts";
import type { Window } from "../query/window.ts";
import { bucketStart, nextBucketStart } from "../time/buckets.ts";
import type { LocalTime } from "../time/local-time.ts";

export interface ReceivedWindow {
  /** The window of its request. */
  readonly window: Window;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  /** Number of the run that received it. Unlike a clock, it never goes back. */
  readonly run: number;
}

/** Part of a window, end exclusive, and the response that covers it, if any. */
export interface Piece<T> {
  readonly from: LocalTime;
  /** Infinity: up to and including the window's end. */
  readonly until: LocalTime;
  readonly answer: T | undefined;
}

/** A window ends at the start of a bucket, or one second before it. */
const SECOND = 1000;

/**
 * Divides the window into pieces. Each bucket is taken from the newest response that has all of it. A bucket that is cut by the
 * start or end of the window itself is taken only from a response whose window cuts it at the same instant.
 */
export function cover<T extends ReceivedWindow>(
  wanted: Window & { readonly start: LocalTime },
  candidates: readonly T[],
  bucket: BucketRule,
): Piece<T>[] {
  const pieces: Piece<T>[] = [];
  let missing: Piece<T>[] = [{ from: wanted.start, until: Number.POSITIVE_INFINITY, answer: undefined }];
  for (const answer of candidates.toSorted((a, b) => b.run - a.run || b.receivedAt - a.receivedAt)) {
    const { from, until } = findUsable(answer.window, wanted, bucket);
    missing = missing.flatMap((hole) => {
      const [start, end] = [Math.max(from, hole.from), Math.min(until, hole.until)];
      if (start >= end) return [hole];
      pieces.push({ from: start, until: end, answer });
      return [
        { ...hole, until: start },
        { ...hole, from: end },
      ].filter((rest) => rest.from < rest.until);
    });
  }
  const { end = Number.POSITIVE_INFINITY } = wanted;
  return [...pieces, ...missing].filter(({ from }) => from <= end).toSorted((a, b) => a.from - b.from);
}

/** The span of complete buckets that a response has of the wanted window; empty unless `from` is before `until`. */
function findUsable(
  { start, end }: Window,
  wanted: Parameters<typeof cover>[0],
  bucket: BucketRule,
): { readonly from: LocalTime; readonly until: LocalTime } {
  if (start === undefined || end === undefined) return { from: 0, until: 0 };
  const from = start === wanted.start ? start : nextBucketStart(bucket, Math.max(start, wanted.start) - 1);
  if (end === wanted.end) return { from, until: from <= end ? Number.POSITIVE_INFINITY : from };
  const last = Math.min(end, wanted.end ?? end);
  return { from, until: bucketStart(bucket, last + SECOND) };
}
