/** The fields of a TimeSeries and of its series that hold their first and last timestamp; older services have the second names. */
import type { Json, JsonObject } from "../base/json.ts";
import { parseStamp } from "../time/stamp.ts";
import type { TimeSeries } from "./time-series.ts";

const STARTS = ["date_start", "start"];
const ENDS = ["date_end", "end"];
export const EDGES = [...STARTS, ...ENDS];

interface Fielded {
  readonly fields: JsonObject;
}

/** Whether a series names other timestamps than its TimeSeries: its own, not those of all series (in-practice.md, The TimeSeries item). */
export function hasOwnEdges(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.some(({ fields, series }) => series.some((one) => EDGES.some((name) => one.fields[name] !== fields[name])));
}

/** The series with the timestamps of their TimeSeries. */
export function shareEdges(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return timeSeries.map((item) => {
    const edges = Object.fromEntries(EDGES.flatMap((name) => (name in item.fields ? [[name, item.fields[name] as Json]] : [])));
    return { ...item, series: item.series.map((one) => ({ ...one, fields: { ...one.fields, ...edges } })) };
  });
}

/** The fields of the first part that comes from an answer, with the earliest start and the latest end of all parts. */
export function joinFields(members: readonly Fielded[]): JsonObject {
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
