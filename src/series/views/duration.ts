/** `--duration`: the values of each series from the largest down, by share of time. */
import { LosslessNumber } from "../../base/json.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { Column } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { NumberList } from "../number-list.ts";
import type { Points } from "../points.ts";
import { Collected, readValues } from "./collected.ts";
import { readChunks, type View, type ViewOptions } from "./view.ts";

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

  async *apply(chunks: AsyncIterable<Chunk>, { isWhole }: ViewOptions): AsyncGenerator<Chunk> {
    const collected = new Collected(() => new NumberList());
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (numbers, of) =>
        readValues(of, this.#partial, (value) => {
          if (!Number.isNaN(value)) numbers.add(value);
        }),
      ),
    );
    const viewed = { about: "from the largest value down, by share of time", axis: "share" } as const;
    const sorted = new Map(collected.list().map(({ value }) => [value, value.take()]));
    const rows = [...sorted.values()].reduce((sum, { length }) => sum + length, 0);
    const parts = isWhole ? 1 : Math.ceil(rows / AT_ONCE) || 1;
    for (let part = 0; part < parts; part++) {
      const timeSeries = collected.toTimeSeries((numbers) =>
        cutCurve(sorted.get(numbers) as Float64Array, part / parts, (part + 1) / parts),
      );
      yield { heads: part === 0 ? heads : [], timeSeries, viewed };
    }
  }
}

/** Rows of one chunk. */
const AT_ONCE = 10_000;

/** The points beyond one share of the time, from 0 to 1, and up to another. */
function cutCurve(ascending: Float64Array, from: number, to: number): Points {
  const count = ascending.length;
  const first = Math.floor(from * count);
  const places = Array.from({ length: Math.floor(to * count) - first }, (_, index) => first + index);
  const instants = Float64Array.from(places, (place) => ((place + 1) / count) * 100);
  return {
    timestamps: Array.from(instants, String),
    instants,
    values: places.map((place) => String(ascending[count - 1 - place])),
  };
}
