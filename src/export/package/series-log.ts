/** The series of an output, as its description has them. */
import { keySeries, type Series, type TimeSeries } from "../../series/time-series.ts";

/** A series of an output, without its points. */
export interface LoggedSeries extends Pick<TimeSeries, "network" | "metric" | "unit">, Pick<Series, "labels"> {
  /** Instants of its first and last point, in milliseconds since 1970 UTC. */
  readonly first: number;
  readonly last: number;
}

/**
 * Records the series of an output, with their first and last instants. Series with equal labels are numbered, as in
 * `keySeries`.
 */
export class SeriesLog {
  readonly #series = new Map<string, LoggedSeries>();
  /** By their keys. */
  readonly series: ReadonlyMap<string, LoggedSeries> = this.#series;

  /** Adds the series of a chunk; chunks are in order of time. */
  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const { network, metric, unit } = item;
      const { instants } = series.points;
      const [first, last] = [instants[0], instants.at(-1)];
      if (first === undefined || last === undefined) continue;
      const known = this.#series.get(key) ?? { unit, first, last };
      this.#series.set(key, {
        network,
        metric,
        // A response without a unit does not change the known one.
        unit: unit || known.unit,
        labels: series.labels,
        first: Math.min(known.first, first),
        last: Math.max(known.last, last),
      });
    }
  }
}
