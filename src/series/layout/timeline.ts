import type { Instants } from "../points.ts";

export interface PointCursor {
  readonly instants: Instants;
  /** The index of the next point. */
  next: number;
}

/** True if the next point is at the instant. Reads nothing past the end: V8 would allocate a number for each point. */
export function isAt({ instants, next }: PointCursor, instant: number): boolean {
  return next < instants.length && instants[next] === instant;
}

/** Cursor checks allowed before a walk counts as sparse: `each` per point found, plus `more`. */
const MAX_LOOKS = { each: 32, more: 100_000 };

type DueAt<Cursor> = readonly [instant: number, due: readonly Cursor[]];

/**
 * Walks the instants of many series in order of time. The caller moves the cursors past their points at each instant.
 */
export class Timeline<Cursor extends PointCursor> {
  /** The current instant; Infinity after the last. */
  instant: number;
  /** The cursors that may have a point at the current instant, in the order given. */
  due: readonly Cursor[];
  readonly #cursors: readonly Cursor[];
  #steps = 0;
  #nextCheck = 4;
  #rest: Iterator<DueAt<Cursor>, undefined> | undefined;

  constructor(cursors: readonly Cursor[]) {
    this.#cursors = cursors;
    this.due = cursors;
    this.instant = findEarliest(cursors);
  }

  advance(): void {
    this.#steps++;
    if (this.#steps === this.#nextCheck && this.#isSparse()) this.#rest = listDueAtOnce(this.#cursors);
    if (this.#rest) [this.instant, this.due] = this.#rest.next().value ?? [Number.POSITIVE_INFINITY, []];
    else this.instant = findEarliest(this.#cursors);
  }

  /** True if only few series have a point at each instant. */
  #isSparse(): boolean {
    this.#nextCheck *= 2;
    const points = this.#cursors.reduce((sum, { next }) => sum + next, 0);
    return this.#steps * this.#cursors.length > MAX_LOOKS.each * points + MAX_LOOKS.more;
  }
}

/** Fastest if most series have a point at each instant. */
function findEarliest(cursors: readonly PointCursor[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { instants, next } of cursors) {
    if (next < instants.length) earliest = Math.min(earliest, instants[next] as number);
  }
  return earliest;
}

/** Uses memory for each point, but no time for series without a point at an instant. */
function listDueAtOnce<Cursor extends PointCursor>(cursors: readonly Cursor[]): Iterator<DueAt<Cursor>, undefined> {
  const due = new Map<number, Cursor[]>();
  for (const cursor of cursors) {
    const { instants, next } = cursor;
    for (let index = next; index < instants.length; index++) {
      const instant = instants[index] as number;
      if (index > next && instant === instants[index - 1]) continue;
      const others = due.get(instant);
      if (others) others.push(cursor);
      else due.set(instant, [cursor]);
    }
  }
  return [...due].sort(([a], [b]) => a - b).values();
}
