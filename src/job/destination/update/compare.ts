/** Compares the rows of the new file with those of the old one, value by value. */
import type { Line } from "./read-lines.ts";
import { countValues, type Group, keyOfPoint, listPoints, type Point, type RowReading, splitRow } from "./rows.ts";

/** A value of the old file that the new one lacks or has otherwise. */
export interface Change {
  /** As printed. */
  readonly stamp: string;
  readonly point: Point;
  /** Undefined if withdrawn. */
  readonly now: string | undefined;
}

/** Counted in values that are not null. */
export interface Comparison {
  readonly added: number;
  readonly restated: number;
  readonly withdrawn: number;
  /** The first instant of a withdrawn value. */
  readonly withdrawnSince: number | undefined;
  readonly unchanged: number;
  /** The restated value that changed most. */
  readonly largest: Change | undefined;
  /** Instants of both files, and those between them that only the new file has. */
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

/** Takes the changes of one instant. */
export type TakeChanges = (changes: readonly Change[]) => Promise<void>;

/** Both in order of time. Holds the rows of one instant in memory. */
export async function compareRows(
  older: Side,
  newer: Side,
  { signal, take }: { readonly signal: AbortSignal; readonly take?: TakeChanges | undefined },
): Promise<Comparison> {
  const counts: Counts = {
    added: 0,
    restated: 0,
    withdrawn: 0,
    withdrawnSince: undefined,
    unchanged: 0,
    largest: undefined,
    shared: 0,
    between: 0,
    oldRows: 0,
    until: undefined,
  };
  const isAlike = older.reading.grid.names.join("\n") === newer.reading.grid.names.join("\n");
  const both = { older: older.reading, newer: newer.reading, isAlike };
  let [old, now] = [await next(older), await next(newer)];
  while (old || now) {
    signal.throwIfAborted();
    const instant = Math.min(old?.instant ?? Number.POSITIVE_INFINITY, now?.instant ?? Number.POSITIVE_INFINITY);
    const [before, after] = [old, now].map((group) => (group?.instant === instant ? group : undefined));
    if (before && after) counts.shared++;
    else if (after && old) counts.between++;
    const changes = compareGroups({ before, after, ...both }, counts);
    for (const change of changes) countChange(change, counts);
    if (counts.withdrawn > 0) counts.withdrawnSince ??= instant;
    if (changes.length > 0) await take?.(changes);
    if (before) old = await next(older);
    if (after) now = await next(newer);
  }
  return counts;
}

async function next({ groups }: Side): Promise<Group | undefined> {
  const { value } = await groups.next();
  return value ?? undefined;
}

function countChange(change: Change, counts: Counts): void {
  if (change.now === undefined) counts.withdrawn++;
  else {
    counts.restated++;
    if (sizeOf(change) > (counts.largest ? sizeOf(counts.largest) : -1)) counts.largest = change;
  }
}

interface Pair {
  readonly before: Group | undefined;
  readonly after: Group | undefined;
  readonly older: RowReading;
  readonly newer: RowReading;
  /** Whether they have the same columns. */
  readonly isAlike: boolean;
}

/** Returns the changes of one instant, and counts the other values. */
function compareGroups({ before, after, older, newer, isAlike }: Pair, counts: Counts): Change[] {
  const [was, is] = [before?.rows ?? [], after?.rows ?? []];
  counts.oldRows += was.length;
  counts.until = after?.stamp ?? counts.until;
  const isSame = (index: number) => isAlike && was[index]?.text === is[index]?.text;
  // Most rows are the same: they are not split into points.
  for (const [index, row] of was.entries()) if (isSame(index)) counts.unchanged += countValues(splitRow(older, row), older);
  const listOthers = (rows: readonly Line[], reading: RowReading) =>
    rows.filter((_, index) => !isSame(index)).flatMap((row) => listPoints(splitRow(reading, row), reading));
  const values = groupValues(listOthers(is, newer));
  const changes: Change[] = [];
  for (const point of listOthers(was, older)) {
    const value = values.get(keyOfPoint(point))?.shift();
    if (value !== undefined && isEqual(value, point.value)) counts.unchanged++;
    else changes.push({ stamp: before?.stamp ?? "", point, now: value });
  }
  for (const { length } of values.values()) counts.added += length;
  return changes;
}

/** By series: a service may send several values of a series at one instant. */
function groupValues(points: readonly Point[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const point of points) {
    const key = keyOfPoint(point);
    const own = values.get(key);
    if (own) own.push(point.value);
    else values.set(key, [point.value]);
  }
  return values;
}

/** `40.0` and `40.00` are one value. */
function isEqual(a: string, b: string): boolean {
  return a === b || (a !== "" && b !== "" && Number(a) === Number(b));
}

function sizeOf({ point, now }: Change): number {
  return Math.abs(Number(now) - Number(point.value)) || 0;
}
