/** `total_records`: v4.md leaves open what a record is. */
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber } from "../base/json.ts";
import { cutText } from "../base/shown-text.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import type { Envelope } from "../series/answer.ts";
import { keyOfRow } from "../series/keyed.ts";
import { valueAt } from "../series/point-operations.ts";
import type { TimeSeries } from "../series/time-series.ts";

/** The error of an answer that is one page of several: it names more TimeSeries than came, and the number of nothing else that came. */
export function findMissingRecords({ total_records: total }: Envelope, timeSeries: readonly TimeSeries[]): EntsError | undefined {
  if (!isLosslessNumber(total)) return undefined;
  const named = Number(total.value);
  if (named <= timeSeries.length) return undefined;
  const series = timeSeries.flatMap((item) => item.series);
  const points = series.reduce((sum, one) => sum + one.points.instants.length, 0);
  if (named === series.length || named === points || listCounts(timeSeries).includes(named)) return undefined;
  return new EntsError(
    "refused",
    `the service's answer is incomplete: total_records is ${cutText(total.value)}, but ${timeSeries.length} TimeSeries with ${series.length} series and ${points} ${points === 1 ? "point" : "points"} came`,
    { hint: `ask for less in one request (${FETCH_FLAGS.maxWindow}, fewer codes), or use --format json to get the answer unchanged` },
  );
}

/** What else a service may count: timestamps, rows and values. One that fills gaps may have counted before it did. */
function listCounts(timeSeries: readonly TimeSeries[]): number[] {
  let values = 0;
  const instants = new Set<number>();
  const rows = new Set<string>();
  const filledRows = new Set<string>();
  for (const item of timeSeries) {
    for (const series of item.series) {
      const key = keyOfRow(item, series);
      for (const [index, instant] of series.points.instants.entries()) {
        instants.add(instant);
        rows.add(`${instant}${key}`);
        if (valueAt(series.points, index) === null) continue;
        values++;
        filledRows.add(`${instant}${key}`);
      }
    }
  }
  return [values, instants.size, rows.size, filledRows.size];
}
