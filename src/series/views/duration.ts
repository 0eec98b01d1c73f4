/** `--duration`: the values of each series from the largest down, by share of time. */
import { LosslessNumber } from "../../base/json.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { Column } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { NumberList } from "../number-list.ts";
import type { Points } from "../points.ts";
import { Collected, readValues } from "./collected.ts";
import { readChunks, type View } from "./view.ts";

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
    const collected = new Collected(() => new NumberList());
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (numbers, of) =>
        readValues(of, this.#partial, (value) => {
          if (!Number.isNaN(value)) numbers.add(value);
        }),
      ),
    );
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
