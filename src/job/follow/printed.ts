/** What was printed of the last buckets: what comes late, is restated or withdrawn cannot be printed any more, and is told. */
import { keySeries } from "../../series/keyed.ts";
import { lowerBound, stampAt, valueAt } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { nameSeries, type TimeSeries } from "../../series/time-series.ts";
import { cutText } from "../../base/shown-text.ts";
import { formatCount, formatList } from "../../base/phrases.ts";
import type { News } from "./tracker.ts";

/** The values of a series at an instant: more than one where the service repeats a timestamp. */
interface Entry {
  readonly instant: number;
  readonly name: string;
  readonly stamp: string;
  readonly value: string;
}

/** A value as it was printed, and as it was last told. */
interface Known extends Entry {
  readonly printed: string;
}

interface Change {
  readonly before: Known | undefined;
  readonly now: Entry;
}

/** What a service that fills gaps sends where it has no value, and what stands for one that is withdrawn. */
const NOTHING = "null";

export class Printed {
  #known = new Map<string, Known>();

  /** Remembers these points from `since` on, and no others. */
  add(timeSeries: readonly TimeSeries[], since: number): void {
    for (const [key, { instant }] of this.#known) if (instant < since) this.#known.delete(key);
    for (const [key, entry] of listEntries(timeSeries, since)) this.#known.set(key, { ...entry, printed: entry.value });
  }

  /** What is not as it was printed, or was not there then, in a line; undefined where nothing has changed. It is told once. */
  compare({ earlier, since, until }: Pick<News, "earlier" | "since" | "until">): string | undefined {
    const entries = new Map(listEntries(earlier, since));
    for (const [key, before] of this.#known) {
      const isMissing = before.instant >= since && before.instant <= until && !entries.has(key);
      if (isMissing) entries.set(key, { ...before, value: NOTHING });
    }
    const changes: Change[] = [];
    for (const [key, now] of entries) {
      const before = this.#known.get(key);
      if (now.value === (before?.value ?? NOTHING)) continue;
      changes.push({ before, now });
      this.#known.set(key, { printed: before?.printed ?? NOTHING, ...now });
    }
    return changes.length === 0 ? undefined : describe(changes);
  }
}

function describe(changes: readonly Change[]): string {
  const kinds = { late: 0, restated: 0, withdrawn: 0 };
  for (const { before, now } of changes) {
    if (now.value === NOTHING) kinds.withdrawn += 1;
    else kinds[(before?.printed ?? NOTHING) === NOTHING ? "late" : "restated"] += 1;
  }
  const { late, restated, withdrawn } = kinds;
  const counts = [
    ...(late > 0 ? [`${formatCount(late, "value")} came late`] : []),
    ...(restated > 0 ? [`${formatCount(restated, "value")} ${wasOrWere(restated)} restated`] : []),
    ...(withdrawn > 0 ? [`${formatCount(withdrawn, "value")} ${wasOrWere(withdrawn)} withdrawn`] : []),
  ];
  const [{ before, now }] = changes as [Change];
  const was = before ? ` instead of ${before.value}` : "";
  const first = `${cutText(now.name)} at ${now.stamp}, ${now.value}${was}`;
  return `${formatList(counts, "and")}, not printed: ${changes.length > 1 ? "the first is " : ""}${first}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? "was" : "were";
}

function* listEntries(timeSeries: readonly TimeSeries[], since: number): Generator<[key: string, entry: Entry]> {
  for (const { key, series } of keySeries(timeSeries).values()) {
    const { points } = series;
    for (let index = lowerBound(points, since); index < points.instants.length; index = lowerBound(points, instantAt(points, index) + 1)) {
      const instant = instantAt(points, index);
      const value = listValues(points, index).join(" and ");
      yield [`${instant} ${key}`, { instant, name: nameSeries(series), stamp: stampAt(points, index), value }];
    }
  }
}

function listValues(points: Points, from: number): string[] {
  const values: string[] = [];
  for (let index = from; points.instants[index] === points.instants[from]; index++) values.push(valueAt(points, index) ?? NOTHING);
  return values;
}

function instantAt({ instants }: Points, index: number): number {
  return instants[index] as number;
}
