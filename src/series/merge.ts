/** Windows in order of time → series that no later window has a say in any more, in order of time. */
import { type Answer, isKnown, isUnknown, type UnknownAnswer } from "./answer.ts";
import { joinTimeSeries } from "./join.ts";
import { countPoints, type Disagreement, findFirstInstant, settleWindows, splitTimeSeries } from "./settle.ts";
import type { TimeSeries } from "./time-series.ts";

/** Merged series of a stretch of time, and the answers that came for it. */
export interface Chunk {
  readonly answers: readonly Answer[];
  readonly timeSeries: readonly TimeSeries[];
  /** An answer among them whose series could not be read. */
  readonly unknown?: UnknownAnswer;
}

/**
 * Merges windows, each given as its answers (one a batch of codes), and yields chunk by chunk: every instant of one is
 * before every instant of the next. Holds two windows at a time.
 */
export async function* mergeWindows(windows: AsyncIterable<readonly Answer[]>, warn: (text: string) => void): AsyncGenerator<Chunk> {
  let pending: readonly TimeSeries[] = [];
  let horizon = Number.NEGATIVE_INFINITY;
  for await (const answers of windows) {
    const unknown = answers.find(isUnknown);
    if (unknown) {
      yield { answers, timeSeries: [], unknown };
      continue;
    }
    const window = joinTimeSeries(answers.filter(isKnown).map(({ timeSeries }) => timeSeries));
    const [strays, later] = splitTimeSeries(window, horizon);
    const strayCount = countPoints(strays);
    if (strayCount > 0) warn(`${strayCount} ${strayCount === 1 ? "point" : "points"} from before the requested window left out`);
    const first = findFirstInstant(later);
    if (!Number.isFinite(first)) {
      // Nothing settles what is pending: the window after this one may still have a say in it.
      pending = joinTimeSeries([pending, later]);
      yield { answers, timeSeries: [] };
      continue;
    }
    const { settled, carried, disagreements } = settleWindows(pending, later);
    for (const disagreement of disagreements) warn(describe(disagreement));
    yield { answers, timeSeries: settled };
    horizon = first;
    pending = countPoints(carried) === 0 ? later : joinTimeSeries([carried, later]);
  }
  yield { answers: [], timeSeries: pending };
}

/** All chunks as one. @throws {EntsError} refused: one of several answers has an unknown shape. */
export async function joinChunks(chunks: AsyncIterable<Chunk>): Promise<Chunk> {
  const answers: Answer[] = [];
  const parts: (readonly TimeSeries[])[] = [];
  let unknown: UnknownAnswer | undefined;
  for await (const chunk of chunks) {
    answers.push(...chunk.answers);
    parts.push(chunk.timeSeries);
    unknown ??= chunk.unknown;
    // What cannot be read cannot be joined with anything.
    if (unknown && answers.length > 1) throw unknown.problem;
  }
  return { answers, timeSeries: joinTimeSeries(parts), ...(unknown ? { unknown } : {}) };
}

function describe({ series, stamp, earlier, later }: Disagreement): string {
  return `two answers disagree on ${series} at ${stamp}: ${earlier} in the earlier, ${later} in the later; using the later`;
}
