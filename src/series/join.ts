/** Joins responses: batches of codes, or windows without common instants. */
import { DATE_RANGE, keyOfItem, keySeries, type Series, type TimeSeries } from "./time-series.ts";
import { joinRuns } from "./forecast-runs.ts";
import { joinPoints } from "./point-operations.ts";
import { groupBy } from "../base/group-by.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { parseTimestamp } from "../time/timestamp.ts";

/** Merges all series. If a series is in several parts, its points are ordered by instant, then by part. */
export function joinTimeSeries(parts: readonly (readonly TimeSeries[])[]): TimeSeries[] {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length <= 1) return [...(filled[0] ?? [])];
  const keyed = filled.flatMap((part) => [...keySeries(part)]);
  const seriesOf = groupBy(keyed, ([, { item }]) => keyOfItem(item));
  return Array.from(groupBy(filled.flat(), keyOfItem), ([itemKey, members]) => ({
    ...(members[0] as TimeSeries),
    fields: joinFields(members),
    series: Array.from(groupBy(seriesOf.get(itemKey) ?? [], ([key]) => key).values(), (same) =>
      joinSeries(same.map(([, { series }]) => series)),
    ),
  }));
}

function joinSeries(members: readonly Series[]): Series {
  const [first] = members as [Series];
  if (members.length === 1) return first;
  return {
    ...first,
    fields: joinFields(members),
    points: joinPoints(members.map(({ points }) => points)),
    ...joinRuns(members),
  };
}

/** Gives every series the first and last timestamps of its TimeSeries, as a single response has them. */
export function shareDateRange(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return timeSeries.map((item) => {
    const dateRange = Object.fromEntries(
      DATE_RANGE.flatMap((name) => (name in item.fields ? [[name, item.fields[name] as Json]] : [])),
    );
    return {
      ...item,
      series: item.series.map((series) => ({ ...series, fields: { ...series.fields, ...dateRange } })),
    };
  });
}

/** The fields of the first part that has any, with the earliest start and the latest end of all parts. */
function joinFields(members: readonly Pick<TimeSeries, "fields">[]): JsonObject {
  // Parts from earlier runs have no fields.
  const joined: Record<string, Json> = { ...members.find(({ fields }) => Object.keys(fields).length > 0)?.fields };
  for (const name of DATE_RANGE.filter((each) => each in joined)) {
    const timestamps = members.map(({ fields }) => fields[name]).filter((timestamp) => typeof timestamp === "string");
    const known = timestamps
      .map((timestamp) => ({ timestamp, instant: parseTimestamp(timestamp, "") }))
      .filter(({ instant }) => instant !== undefined);
    const sign = name.endsWith("start") ? 1 : -1;
    const [extreme] = known.sort((a, b) => sign * ((a.instant ?? 0) - (b.instant ?? 0)));
    if (extreme) joined[name] = extreme.timestamp;
  }
  return joined;
}
