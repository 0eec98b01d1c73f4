/** `--compare`: a line for the values, and one for those before. */
import { addPeriodLabel } from "../../../series/analyses/periods.ts";
import type { AnalysisResult } from "../../../series/analyses/result.ts";
import { dropFigures, type TimeSeries } from "../../../series/time-series.ts";

interface ComparedResult {
  readonly timeSeries: readonly TimeSeries[];
  readonly analysis: AnalysisResult | undefined;
}

/** The lines as periods. `before`: `1 year before`. */
export function readComparison({ timeSeries, analysis }: ComparedResult, before: string): ComparedResult {
  const earlier = timeSeries.map((item) => ({
    ...item,
    series: item.series.filter(({ figure }) => figure === "before").map(({ figure: _figure, ...series }) => series),
  }));
  const now = addPeriodLabel(dropFigures(timeSeries), NOW);
  const { picked } = analysis ?? {};
  return {
    timeSeries: [...addPeriodLabel(earlier, before), ...now].map((item) => ({ ...item, addsUp: false })),
    analysis: {
      ...analysis,
      ...(picked ? { picked: addPeriodLabel(dropFigures(picked), NOW) } : {}),
      periods: { names: [before, NOW], of: "" },
      isComparison: true,
    },
  };
}

/** What the values themselves are called. */
const NOW = "at this time";
