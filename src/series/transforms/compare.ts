/** `--compare`: the value of each interval so long before, and the change since. */
import { addDuration, type Duration, subtractDuration } from "../../time/duration.ts";
import type { LocalTime } from "../../time/local-time.ts";
import { PointList } from "../computed/align.ts";
import { subtractDecimals } from "../computed/decimals.ts";
import { COMPARED_COLUMNS } from "../layout/layout.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import type { Points } from "../points.ts";
import type { SeriesClock } from "./series-clock.ts";

/** What stands beside the value, in order of columns. */
export const FIGURES = COMPARED_COLUMNS.slice(1).map(({ name }) => name);

/** The values of one series since so long before its newest. */
export class EarlierValues {
  readonly #duration: Duration;
  readonly #clock: SeriesClock;
  #starts: LocalTime[] = [];
  #values: (string | null)[] = [];
  #next = 0;

  constructor(duration: Duration, clock: SeriesClock) {
    this.#duration = duration;
    this.#clock = clock;
  }

  /** The points of each figure. */
  compare(points: Points): readonly Points[] {
    const lists = FIGURES.map(() => new PointList());
    for (let index = 0; index < points.instants.length; index++) {
      const at = { instant: points.instants[index] as number, timestamp: timestampAt(points, index) };
      const value = valueAt(points, index);
      const start = this.#clock.startOf(at.instant);
      const before = this.#findBefore(start);
      this.#starts.push(start);
      this.#values.push(value);
      const change = subtractDecimals(value, before);
      const percent = change === null ? Number.NaN : (100 * Number(change)) / Math.abs(Number(before));
      const figures = [before, change, Number.isFinite(percent) ? String(percent + 0) : null];
      for (const [order, list] of lists.entries()) list.add(at, figures[order] ?? null);
    }
    return lists.map((list) => list.points);
  }

  /** Null if there is no such day: 29 February, or the 31st of a shorter month. */
  #findBefore(start: LocalTime): string | null {
    const wanted = subtractDuration(start, this.#duration);
    if (addDuration(wanted, this.#duration) !== start) return null;
    // Of several values of one time, the last.
    while ((this.#starts[this.#next + 1] ?? Number.POSITIVE_INFINITY) <= wanted) this.#next++;
    const before = this.#starts[this.#next] === wanted ? (this.#values[this.#next] ?? null) : null;
    if (2 * this.#next < this.#starts.length) return before;
    this.#starts = this.#starts.slice(this.#next);
    this.#values = this.#values.slice(this.#next);
    this.#next = 0;
    return before;
  }
}
