import { SystemDay } from "./system.ts";

/** A day takes some 300 kB once all of it has been asked for. */
const KEPT = 64;

/** The days worked out last: neighbouring requests and the series of one request share them. */
export class DayStore {
  readonly #days = new Map<number, SystemDay>();

  at(day: number): SystemDay {
    const known = this.#days.get(day);
    if (known) return known;
    const made = new SystemDay(day);
    this.#days.set(day, made);
    if (this.#days.size > KEPT) this.#days.delete(this.#days.keys().next().value!);
    return made;
  }
}
