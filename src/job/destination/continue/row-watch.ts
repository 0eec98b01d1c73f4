/** Rows that cannot stand behind those that are kept. */
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
  /** Whether a series that is known goes on in what is replaced. */
  readonly #goesOn: boolean;
  /** Whether such series came, and others. */
  #hasKnown = false;
  #hasOthers = false;

  constructor(kept: KeptRows) {
    const { descriptor, from, isDescribed } = kept;
    // Those, too, of which no row stays: they tell of the others.
    const { series, stampSuffix } = Number.isFinite(from) ? descriptor : { series: [] };
    this.#known = keyLogged(series);
    this.#units = new UnitWatch(this.#known);
    this.#buckets = new BucketWatch(kept);
    this.#spelling = new SpellingWatch({ series, stampSuffix });
    // Without a description, all of the last rows are looked at.
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

  /** With all that came: why rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    const renamed = this.#isRenamed ? "the service now labels its series differently" : undefined;
    return this.#units.problem ?? this.#buckets.problem ?? this.#spelling.problem ?? renamed;
  }

  /** As of `BucketWatch`. */
  get closest(): string | undefined {
    return this.#buckets.closest;
  }

  /** Whether no series came that is known, where others have come in their place. */
  get #isRenamed(): boolean {
    return this.#goesOn && this.#hasOthers && !this.#hasKnown;
  }
}
