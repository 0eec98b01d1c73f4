/** What is other in the rows of a new file than in those of the old one, value by value. */
import { type Group, keyOfPoint, listPoints, type Point, type RowReading } from "./rows.ts";

/** A value that the old file has and the new one has not, or has another. */
export interface Change {
  /** As printed. */
  readonly stamp: string;
  readonly point: Point;
  /** Undefined: withdrawn. */
  readonly now: string | undefined;
}

/** Counted in values that are not null. */
export interface Comparison {
  readonly added: number;
  readonly restated: number;
  readonly withdrawn: number;
  readonly unchanged: number;
  /** Of those restated, the one that is furthest from what it was. */
  readonly largest: Change | undefined;
  /** Instants that both files have rows of, and those between them that only the new one has. */
  readonly shared: number;
  readonly between: number;
  /** Rows of the old file that were compared. */
  readonly oldRows: number;
  /** The last timestamp of the new file. */
  readonly until: string | undefined;
}

type Counts = { -readonly [K in keyof Comparison]: Comparison[K] };

export interface Side {
  readonly reading: RowReading;
  readonly groups: AsyncIterator<Group, void>;
}

/** Both sides in order of time; holds the rows of one instant. `onChange` is called in that order. */
export async function compareRows(older: Side, newer: Side, onChange: (change: Change) => void): Promise<Comparison> {
  const counts: Counts = {
    added: 0,
    restated: 0,
    withdrawn: 0,
    unchanged: 0,
    largest: undefined,
    shared: 0,
    between: 0,
    oldRows: 0,
    until: undefined,
  };
  const watch = (change: Change) => {
    if (change.now === undefined) counts.withdrawn++;
    else {
      counts.restated++;
      if (sizeOf(change) > (counts.largest ? sizeOf(counts.largest) : -1)) counts.largest = change;
    }
    onChange(change);
  };
  let [old, now] = [await next(older), await next(newer)];
  while (old || now) {
    const instant = Math.min(old?.instant ?? Number.POSITIVE_INFINITY, now?.instant ?? Number.POSITIVE_INFINITY);
    const [before, after] = [old, now].map((group) => (group?.instant === instant ? group : undefined));
    if (before && after) counts.shared++;
    else if (after && old) counts.between++;
    compareGroups({ before, after, older, newer }, counts, watch);
    if (before) old = await next(older);
    if (after) now = await next(newer);
  }
  return counts;
}

async function next({ groups }: Side): Promise<Group | undefined> {
  const { value } = await groups.next();
  return value ?? undefined;
}

interface Pair {
  readonly before: Group | undefined;
  readonly after: Group | undefined;
  readonly older: Side;
  readonly newer: Side;
}

function compareGroups({ before, after, older, newer }: Pair, counts: Counts, onChange: (change: Change) => void): void {
  counts.oldRows += before?.rows.length ?? 0;
  counts.until = after?.stamp ?? counts.until;
  if (before && after && areSame(before.lines, after.lines)) {
    counts.unchanged += listPoints(before.rows, older.reading).length;
    return;
  }
  const points = new Map(after ? numberPoints(listPoints(after.rows, newer.reading)) : []);
  for (const [key, point] of before ? numberPoints(listPoints(before.rows, older.reading)) : []) {
    const now = points.get(key)?.value;
    points.delete(key);
    if (now !== undefined && isEqual(now, point.value)) counts.unchanged++;
    else onChange({ stamp: before?.stamp ?? "", point, now });
  }
  counts.added += points.size;
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** A service may give a series several values at one instant. */
function* numberPoints(points: readonly Point[]): Generator<[key: string, point: Point]> {
  const counts = new Map<string, number>();
  for (const point of points) {
    const key = keyOfPoint(point);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    yield [`${key}${count}`, point];
  }
}

/** `40.0` and `40.00` are one value. */
function isEqual(a: string, b: string): boolean {
  return a === b || (a !== "" && b !== "" && Number(a) === Number(b));
}

function sizeOf({ point, now }: Change): number {
  return Math.abs(Number(now) - Number(point.value)) || 0;
}
