/** Joins answers: batches of codes, or windows without common instants. */
import { keyOfItem, keySeries } from "./keyed.ts";
import { joinPoints } from "./point-operations.ts";
import type { Series, TimeSeries } from "./time-series.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { parseStamp } from "../time/stamp.ts";

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

/** The fields of a TimeSeries and of its series that hold their first and last timestamp; older services have the second names. */
const STARTS = ["date_start", "start"];
const ENDS = ["date_end", "end"];
export const DATE_RANGE = [...STARTS, ...ENDS];

interface Fielded {
  readonly fields: JsonObject;
}

/** Whether a series names other timestamps than its TimeSeries: its own, not those of all series (in-practice.md, The TimeSeries item). */
export function hasOwnDateRange(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.some(({ fields, series }) => series.some((one) => DATE_RANGE.some((name) => one.fields[name] !== fields[name])));
}

/** The series with the timestamps of their TimeSeries. */
export function shareDateRange(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return timeSeries.map((item) => {
    const dateRange = Object.fromEntries(DATE_RANGE.flatMap((name) => (name in item.fields ? [[name, item.fields[name] as Json]] : [])));
    return { ...item, series: item.series.map((one) => ({ ...one, fields: { ...one.fields, ...dateRange } })) };
  });
}

/** The fields of the first part that comes from an answer, with the earliest start and the latest end of all parts. */
function joinFields(members: readonly Fielded[]): JsonObject {
  // Parts that are known from earlier runs have no fields.
  const joined: Record<string, Json> = { ...members.find(({ fields }) => Object.keys(fields).length > 0)?.fields };
  for (const name of STARTS) joinEdge(joined, name, { members, sign: 1 });
  for (const name of ENDS) joinEdge(joined, name, { members, sign: -1 });
  return joined;
}

interface Parts {
  readonly members: readonly Fielded[];
  /** 1 for the earliest, -1 for the latest. */
  readonly sign: 1 | -1;
}

function joinEdge(joined: Record<string, Json>, name: string, { members, sign }: Parts): void {
  if (!(name in joined)) return;
  const stamps = members.map(({ fields }) => fields[name]).filter((stamp) => typeof stamp === "string");
  const known = stamps.map((stamp) => ({ stamp, instant: parseStamp(stamp, "") })).filter(({ instant }) => instant !== undefined);
  const [extreme] = known.sort((a, b) => sign * ((a.instant ?? 0) - (b.instant ?? 0)));
  if (extreme) joined[name] = extreme.stamp;
}
