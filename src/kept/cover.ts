/** Which kept answers cover a window, and what is missing of it. Pure. */
import type { BucketRule } from "../base/vocabulary.ts";
import type { Window } from "../query/window.ts";
import { bucketStartBy, nextBucketStartBy } from "../time/buckets.ts";
import type { LocalTime } from "../time/local-time.ts";

export interface ReceivedWindow {
  /** The window of its request. */
  readonly window: Window;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  /** The number of the run that received it: clocks may step back, and runs do not. */
  readonly run: number;
}

/** A part of a window, its end excluded, with the answer that has it: undefined where none has. */
export interface Piece<T> {
  readonly from: LocalTime;
  /** Infinity: with the window's end. */
  readonly until: LocalTime;
  readonly answer: T | undefined;
}

/** Window ends stand a second before a bucket, or on its start; no value is for less than five minutes. */
const SECOND = 1000;

/**
 * Pieces that tile the window. Where several answers have a bucket whole, the newest has it; a bucket that the window itself
 * divides is only had by an answer to a window that divides it there.
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

/** What an answer has whole, of a wanted window; nothing where `from` is not before `until`. */
function findUsable(
  { start, end }: Window,
  wanted: Parameters<typeof cover>[0],
  bucket: BucketRule,
): { readonly from: LocalTime; readonly until: LocalTime } {
  if (start === undefined || end === undefined) return { from: 0, until: 0 };
  const from = start === wanted.start ? start : nextBucketStartBy(bucket, Math.max(start, wanted.start) - 1);
  if (end === wanted.end) return { from, until: from <= end ? Number.POSITIVE_INFINITY : from };
  const last = Math.min(end, wanted.end ?? end);
  return { from, until: bucketStartBy(bucket, last + SECOND) };
}
