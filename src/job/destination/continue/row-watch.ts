/** Finds new rows that cannot follow the kept ones: other units, buckets, timestamps or names of series. */
import { keySeries } from "../../../series/keyed.ts";
import { keyLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { BucketWatch } from "./bucket-watch.ts";
import type { KeptRows } from "./gap-watch.ts";
import { SpellingWatch } from "./spelling-watch.ts";
import { UnitWatch } from "./unit-watch.ts";

export class RowWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  readonly #units: UnitWatch;
  readonly #buckets: BucketWatch;
  readonly #spelling: SpellingWatch;
  /** Whether a known series has points in the part that is replaced. */
  readonly #goesOn: boolean;
  /** Whether such series came, and others. */
  #hasKnown = false;
  #hasOthers = false;

  constructor(kept: KeptRows) {
    const { descriptor, from, isDescribed } = kept;
    // Also series without a kept row: their units and buckets show what has changed.
    const { series, stampSuffix } = Number.isFinite(from) ? descriptor : { series: [] };
    this.#known = keyLogged(series);
    this.#units = new UnitWatch(this.#known);
    this.#buckets = new BucketWatch(kept);
    this.#spelling = new SpellingWatch({ series, stampSuffix });
    // Without a description, all of the last rows are compared instead.
    this.#goesOn = isDescribed && series.some(({ last }) => last >= from);
  }

  /** Series of a chunk, later than those before. */
  add(timeSeries: readonly TimeSeries[]): void {
    for (const keyed of keySeries(timeSeries).values()) {
      const { key, item, series } = keyed;
      if (series.points.instants.length === 0) continue;
      this.#spelling.add(keyed);
      const known = this.#known.get(key);
      this.#hasKnown ||= known !== undefined;
      this.#hasOthers ||= known === undefined;
      if (!known) continue;
      this.#units.add(key, item.unit);
      this.#buckets.add(known, series.points);
    }
  }

  /** When all has come: why the kept rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    const renamed = this.#isRenamed ? "the service now labels its series differently" : undefined;
    return this.#units.problem ?? this.#buckets.problem ?? this.#spelling.problem ?? renamed;
  }

  /** See `BucketWatch`. */
  get closest(): string | undefined {
    return this.#buckets.closest;
  }

  /** Whether no known series came, but others in their place. */
  get #isRenamed(): boolean {
    return this.#goesOn && this.#hasOthers && !this.#hasKnown;
  }
}
