/** Share: of the sum of what generates in the same interval and region. */
import type { TimeSeries } from "../../time-series.ts";
import { computeRows, type MetricContext, sumPart } from "../computed-series.ts";
import type { RowStep } from "../rows.ts";

export function computeShare(context: MetricContext): TimeSeries[] {
  let [of, under]: [readonly RowStep[] | undefined, number] = [undefined, Number.NaN];
  return computeRows("share", context, {
    parts: [context.query.computation.shared],
    isShare: true,
    divide: ({ counted, whole }) => {
      if (of !== whole) {
        const all = whole.flatMap((step) => (step.row.isLoad ? [] : step.counted));
        [of, under] = [whole, sumPart(all, 0)];
      }
      return { over: 100 * sumPart(counted, 0), under };
    },
  });
}
