import type { Stretch } from "./aggregate.ts";
import { hullOf, type Range } from "./buckets.ts";

/** One item of `results`: stretches of one metric and label, and the buckets from the first to the last that any of them has. */
export interface Result extends Range {
  readonly stretches: readonly Stretch[];
}

/** The buckets `from` to `to` of a result. */
export interface Part extends Result {
  readonly result: Result;
}

/** Joins stretches that follow each other and have one metric and label. */
export function joinResults(stretches: readonly Stretch[]): Result[] {
  const groups: Stretch[][] = [];
  for (const stretch of stretches) {
    const { metric, label } = stretch.series;
    const last = groups.at(-1)?.[0]?.series;
    if (last?.metric === metric && last.label === label) groups.at(-1)!.push(stretch);
    else groups.push([stretch]);
  }
  return groups.map((group) => ({ stretches: group, ...hullOf(group) }));
}

/** Splits results into batches of at most `maxPoints`: several whole ones, or a part of a long one. */
export function* batchResults(results: readonly Result[], maxPoints: number): Generator<Part[]> {
  let batch: Part[] = [];
  let points = 0;
  for (const part of results.flatMap((result) => splitResult(result, maxPoints))) {
    const length = countPoints(part);
    if (batch.length > 0 && points + length > maxPoints) {
      yield batch;
      batch = [];
      points = 0;
    }
    batch.push(part);
    points += length;
  }
  yield batch;
}

function splitResult(result: Result, maxPoints: number): Part[] {
  const length = Math.max(1, Math.floor(maxPoints / result.stretches.length));
  const parts: Part[] = [];
  for (let from = result.from; from <= result.to; from += length) {
    const to = Math.min(result.to, from + length - 1);
    const within = result.stretches.filter((stretch) => stretch.from <= to && stretch.to >= from);
    const stretches = within.map((stretch) => ({ ...stretch, from: Math.max(from, stretch.from), to: Math.min(to, stretch.to) }));
    parts.push({ result, stretches, from, to });
  }
  return parts;
}

function countPoints({ stretches }: Part): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}
