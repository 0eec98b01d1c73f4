import { SlabPool } from "./rows.ts";
import { SystemDay } from "./system.ts";

/** A day takes some 700 kB once all of it has been asked for. */
const KEPT = 40;

/**
 * The days worked out last: neighbouring requests and the series of one request share them.
 * A day is good until the next call of `at`: it may be pushed out by then, and its memory used again.
 */
export class DayStore {
  readonly #days = new Map<number, SystemDay>();
  readonly #pool = new SlabPool();

  at(day: number): SystemDay {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= KEPT) this.#pushOut();
    const made = new SystemDay(day, this.#pool);
    this.#days.set(day, made);
    return made;
  }

  #pushOut(): void {
    const [oldest, pushed] = this.#days.entries().next().value!;
    pushed.release();
    this.#days.delete(oldest);
  }
}
