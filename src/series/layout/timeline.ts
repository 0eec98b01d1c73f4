import type { Points } from "../points.ts";

/** The points `from` (included) to `to` (excluded) of series `series`, all at one instant. */
export interface Span {
  readonly series: number;
  readonly from: number;
  readonly to: number;
}

/** Walks series side by side: instant by instant, the points of each series at it, in the order of the series. */
export function* walkTimeline(columns: readonly Points[]): Generator<Span[]> {
  const positions = columns.map(() => 0);
  for (;;) {
    const instant = findEarliest(columns, positions);
    if (instant === Number.POSITIVE_INFINITY) return;
    yield takeSpans(columns, positions, instant);
  }
}

function findEarliest(columns: readonly Points[], positions: readonly number[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (let series = 0; series < columns.length; series++) {
    const instant = columns[series]?.instants[positions[series] as number];
    if (instant !== undefined && instant < earliest) earliest = instant;
  }
  return earliest;
}

function takeSpans(columns: readonly Points[], positions: number[], instant: number): Span[] {
  const spans: Span[] = [];
  for (let series = 0; series < columns.length; series++) {
    const instants = (columns[series] as Points).instants;
    const from = positions[series] as number;
    let to = from;
    while (instants[to] === instant) to++;
    if (to > from) spans.push({ series, from, to });
    positions[series] = to;
  }
  return spans;
}
