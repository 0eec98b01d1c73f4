/** Windows in order of time → series that no later window has a say in any more, in order of time. */
import { joinTimeSeries } from "./join.ts";
import { countPoints, type Disagreement, findFirstInstant, settleWindows, splitTimeSeries } from "./settle.ts";
import type { TimeSeries } from "./time-series.ts";

/**
 * Yields the merged series piece by piece: every instant of one is before every instant of the next.
 * Holds two windows at a time.
 */
export async function* mergeWindows(windows: AsyncIterable<TimeSeries[]>, warn: (text: string) => void): AsyncGenerator<TimeSeries[]> {
  let pending: TimeSeries[] = [];
  let horizon = Number.NEGATIVE_INFINITY;
  for await (const window of windows) {
    const [strays, later] = splitTimeSeries(window, horizon);
    const strayCount = countPoints(strays);
    if (strayCount > 0) warn(`${strayCount} points came from before the window that was asked for; they were left out`);
    const first = findFirstInstant(later);
    if (!Number.isFinite(first)) {
      // Nothing settles what is pending: the window after this one may still have a say in it.
      pending = joinTimeSeries([pending, later]);
      continue;
    }
    const { settled, carried, disagreements } = settleWindows(pending, later);
    for (const disagreement of disagreements) warn(describe(disagreement));
    yield settled;
    horizon = first;
    pending = countPoints(carried) === 0 ? later : joinTimeSeries([carried, later]);
  }
  yield pending;
}

function describe({ series, stamp, earlier, later }: Disagreement): string {
  return `two answers disagree on ${series} at ${stamp}: ${earlier} in the earlier, ${later} in the later, which is taken`;
}
