import type { LoggedSeries } from "../../../series/series-log.ts";

interface Unlike {
  readonly metric: string;
  readonly unit: string;
  readonly before: string;
}

/** The units of what came, against those of what is kept. */
export class UnitWatch {
  readonly #known: ReadonlyMap<string, LoggedSeries>;
  /** By series, in their order. */
  readonly #units = new Map<string, Set<string>>();

  constructor(known: ReadonlyMap<string, LoggedSeries>) {
    this.#known = known;
  }

  /** Later rows than those before. */
  add(key: string, unit: string): void {
    // Without one, an answer says nothing of it.
    if (unit === "") return;
    const units = this.#units.get(key) ?? new Set();
    units.delete(unit);
    this.#units.set(key, units.add(unit));
  }

  /** Of the newest rows; undefined where all are as before. */
  get problem(): string | undefined {
    const unlike = this.#findUnlike((units) => units.slice(-1));
    return unlike && `the unit of ${unlike.metric} is ${unlike.unit} now, and was ${unlike.before}`;
  }

  /** Of rows before the newest. */
  get mixture(): string | undefined {
    const unlike = this.#findUnlike((units) => units.slice(0, -1));
    return unlike && `the unit of ${unlike.metric} is ${unlike.unit} in a part of what came`;
  }

  #findUnlike(pick: (units: readonly string[]) => readonly string[]): Unlike | undefined {
    for (const [key, units] of this.#units) {
      const { metric = "", unit: before = "" } = this.#known.get(key) ?? {};
      const unit = before === "" ? undefined : pick([...units]).find((one) => one !== before);
      if (unit !== undefined) return { metric, unit, before };
    }
    return undefined;
  }
}
