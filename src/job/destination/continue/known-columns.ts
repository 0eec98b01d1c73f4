import { NO_POINTS } from "../../../series/points.ts";
import type { LoggedSeries } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";

/** Series without points, for their columns. */
export function toItems(series: readonly LoggedSeries[]): TimeSeries[] {
  return series.map(({ network, metric, unit, labels }) => ({
    fields: {},
    network,
    metric,
    unit,
    series: [{ fields: {}, labels, points: NO_POINTS }],
  }));
}
