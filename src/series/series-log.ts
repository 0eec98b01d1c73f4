import type { JsonObject } from "../base/json.ts";
import { keySeries } from "./keyed.ts";
import type { Label, TimeSeries } from "./time-series.ts";

/** A series of an output, without its points. */
export interface LoggedSeries {
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly labels: Readonly<Record<string, Label>>;
  /** Its first and last point, in milliseconds since 1970 UTC. */
  readonly first: number;
  readonly last: number;
}

/** The series of an output, from when to when. Two may have the same labels: they are told apart by their number, as in `keySeries`. */
export class SeriesLog {
  readonly #series = new Map<string, LoggedSeries>();

  /** Series of a chunk, later than those before. */
  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const { network, metric, unit } = item;
      const { labels, points } = series;
      const [first, last] = [points.instants[0], points.instants.at(-1)];
      if (first === undefined || last === undefined) continue;
      const known = this.#series.get(key) ?? { unit, first, last };
      // An answer without a unit says nothing of it.
      const one = { network, metric, unit: unit || known.unit, labels };
      this.#series.set(key, { ...one, first: Math.min(known.first, first), last: Math.max(known.last, last) });
    }
  }

  list(): LoggedSeries[] {
    return [...this.#series.values()];
  }
}

/** As JSON, with instants as UTC timestamps. */
export function toJson({ first, last, ...one }: LoggedSeries): JsonObject {
  return { ...one, first: formatInstant(first), last: formatInstant(last) };
}

export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace(".000Z", "Z");
}
