/** Joins answers: batches of codes, or windows without common instants. */
import { joinFields } from "./edges.ts";
import { keyOfItem, keySeries } from "./keyed.ts";
import { joinPoints } from "./point-operations.ts";
import type { Series, TimeSeries } from "./time-series.ts";

/** The union of all series. A series in several parts gets the points of all, by instant, then in the order of the parts. */
export function joinTimeSeries(parts: readonly (readonly TimeSeries[])[]): TimeSeries[] {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length <= 1) return [...(filled[0] ?? [])];
  const joined = new Map<string, JoinedItem>();
  for (const part of filled) {
    for (const item of part) openItem(joined, item).members.push(item);
    for (const { key, item, series } of keySeries(part).values()) append(openItem(joined, item).series, key, series);
  }
  return Array.from(joined.values(), ({ members, series }) => ({
    ...(members[0] as TimeSeries),
    fields: joinFields(members),
    series: Array.from(series.values(), joinSeries),
  }));
}

/** The parts of a TimeSeries, and those of its series by key. */
interface JoinedItem {
  readonly members: TimeSeries[];
  readonly series: Map<string, Series[]>;
}

function openItem(items: Map<string, JoinedItem>, item: TimeSeries): JoinedItem {
  const key = keyOfItem(item);
  const open = items.get(key) ?? { members: [], series: new Map() };
  items.set(key, open);
  return open;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function joinSeries(members: readonly Series[]): Series {
  const [first] = members as [Series];
  if (members.length === 1) return first;
  return { ...first, fields: joinFields(members), points: joinPoints(members.map(({ points }) => points)) };
}
