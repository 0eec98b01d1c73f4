/** `--duration`: the values of each series from the largest down, by share of time. */
import { LosslessNumber } from "../../base/json.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { DecodedHead } from "../decoded-response.ts";
import type { Column } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { NumberList } from "../number-list.ts";
import { findPartialStarts } from "../partial-starts.ts";
import type { Points } from "../points.ts";
import { createNumberReader } from "../point-operations.ts";
import { findClockOffset, findInterval } from "../time-series.ts";
import { Collected } from "./collected.ts";
import { checkChunk, type View } from "./view.ts";

const SHARE: Column = {
  name: "share_of_time",
  kind: "timestamp",
  unit: "%",
  isNumber: true,
  key: { as: "number", of: ({ timestamp }) => new LosslessNumber(timestamp) },
};

export class DurationView implements View {
  readonly keys = [SHARE];
  readonly #partial: readonly LocalTime[];

  /** `partial`: the starts of intervals that are not complete, in network time, which are left out. */
  constructor(partial: readonly LocalTime[]) {
    this.#partial = partial;
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const heads: DecodedHead[] = [];
    const collected = new Collected(() => new NumberList());
    for await (const chunk of chunks) {
      checkChunk(chunk);
      heads.push(...chunk.heads);
      for (const item of chunk.timeSeries) {
        for (const series of item.series) {
          const { points } = series;
          const clocked = { points, interval: findInterval(item), offset: findClockOffset(item) };
          const skipped = new Set(findPartialStarts(clocked, this.#partial));
          const numbers = collected.of(item, series);
          const read = createNumberReader(points);
          for (let index = 0; index < points.instants.length; index++) {
            const value = read(index) ?? Number.NaN;
            if (!Number.isNaN(value) && !skipped.has(points.instants[index] as number)) numbers.add(value);
          }
        }
      }
    }
    const viewed = { about: "from the largest value down, by share of time", axis: "share" } as const;
    yield { heads, timeSeries: collected.toTimeSeries((numbers) => createCurve(numbers.take())), viewed };
  }
}

function createCurve(ascending: Float64Array): Points {
  const count = ascending.length;
  const instants = Float64Array.from(ascending, (_, index) => ((index + 1) / count) * 100);
  return {
    timestamps: Array.from(instants, String),
    instants,
    values: Array.from(ascending, (_, index) => String(ascending[count - 1 - index])),
  };
}
