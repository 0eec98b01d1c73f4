import { SlabPool } from "./rows.ts";
import { SystemDay } from "./system.ts";

/** A fully computed day takes about 700 kB. */
const MAX_DAYS = 40;

/**
 * A cache of computed days, shared by requests and series.
 * A day is valid until the next call of `at`, which may evict it and reuse its memory.
 */
export class DayStore {
  readonly #days = new Map<number, SystemDay>();
  readonly #pool = new SlabPool();

  at(day: number): SystemDay {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= MAX_DAYS) this.#evict();
    const created = new SystemDay(day, this.#pool);
    this.#days.set(day, created);
    return created;
  }

  #evict(): void {
    const [oldest, evicted] = this.#days.entries().next().value!;
    evicted.release();
    this.#days.delete(oldest);
  }
}
