import type { LoggedSeries } from "../../../series/series-log.ts";

/** Compares the units of the new rows with those of the kept ones. */
export class UnitWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** The units of the newest rows, by series. */
  readonly #units = new Map<string, string>();

  constructor(known: ReadonlyMap<string, LoggedSeries>) {
    this.#known = known;
  }

  /** Rows later than those added before. */
  add(key: string, unit: string): void {
    // An answer may name no unit: that is no change.
    if (unit !== "") this.#units.set(key, unit);
  }

  /** Why the kept rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    for (const [key, unit] of this.#units) {
      const { metric, unit: before = "" } = this.#known.get(key) ?? {};
      if (before !== "" && before !== unit) return `the unit of ${metric} changed from ${before} to ${unit}`;
    }
    return undefined;
  }
}
