import type { LoggedSeries } from "../../../series/series-log.ts";

/** The units of what came, against those of what is kept. */
export class UnitWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** Of their newest rows, by series. */
  readonly #units = new Map<string, string>();

  constructor(known: ReadonlyMap<string, LoggedSeries>) {
    this.#known = known;
  }

  /** Later rows than those before. */
  add(key: string, unit: string): void {
    // Without one, an answer says nothing of it.
    if (unit !== "") this.#units.set(key, unit);
  }

  /** Why those that are kept cannot stay; undefined where they can. */
  get problem(): string | undefined {
    for (const [key, unit] of this.#units) {
      const { metric, unit: before = "" } = this.#known.get(key) ?? {};
      if (before !== "" && before !== unit) return `the unit of ${metric} changed from ${before} to ${unit}`;
    }
    return undefined;
  }
}
