/** What was printed of the last buckets: what comes late or is restated cannot be printed any more, and is told. */
import { keySeries } from "../../series/keyed.ts";
import { lowerBound, stampAt, valueAt } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { nameSeries, type TimeSeries } from "../../series/time-series.ts";
import { cutText } from "../../base/shown-text.ts";
import { formatCount } from "../../base/numbers.ts";

/** The values of a series at an instant: more than one where the service repeats a timestamp. */
interface Entry {
  readonly instant: number;
  readonly name: string;
  readonly stamp: string;
  readonly value: string;
}

export class Printed {
  #entries = new Map<string, Entry>();

  /** Remembers these points from `since` on, and no others. */
  add(timeSeries: readonly TimeSeries[], since: number): void {
    for (const [key, { instant }] of this.#entries) if (instant < since) this.#entries.delete(key);
    for (const [key, entry] of listEntries(timeSeries, since)) this.#entries.set(key, entry);
  }

  /** What has changed since it was printed, or was not there then, in a line; undefined where nothing has. It is told once. */
  compare(timeSeries: readonly TimeSeries[], since: number): string | undefined {
    const changes = [...listEntries(timeSeries, since)].flatMap(([key, now]) => {
      const before = this.#entries.get(key);
      // A service that fills gaps has a null where it had nothing.
      return before?.value === now.value || (!before && now.value === NOTHING) ? [] : [{ key, before, now }];
    });
    for (const { key, now } of changes) this.#entries.set(key, now);
    const [first] = changes;
    if (!first) return undefined;
    const restated = changes.filter(({ before }) => before !== undefined && before.value !== NOTHING).length;
    const late = changes.length - restated;
    const counts = [
      ...(late > 0 ? [`${formatCount(late, "value")} came late`] : []),
      ...(restated > 0 ? [`${formatCount(restated, "value")} ${restated === 1 ? "was" : "were"} restated`] : []),
    ];
    const { name, stamp, value } = first.now;
    const was = first.before ? ` instead of ${first.before.value}` : "";
    return `${counts.join(" and ")}, not printed: ${changes.length > 1 ? "the first is " : ""}${cutText(name)} at ${stamp}, ${value}${was}`;
  }
}

const NOTHING = "null";

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
