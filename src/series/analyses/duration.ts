/** `--duration`: the values of each series from the largest down, by share of time. */
import { LosslessNumber } from "../../base/json.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { RowKeys } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { NumberList } from "../number-list.ts";
import type { Points } from "../points.ts";
import type { Zone } from "../../time/zone.ts";
import { findClockOffset } from "../time-series.ts";
import { Collected, type Dates, collectNumbers, createPoints } from "./collected.ts";
import { readChunks, type Analysis, type ApplyOptions } from "./analysis.ts";

/** Positions are percents. */
const SHARE: RowKeys = {
  columns: [{ name: "share_of_time", kind: "key", unit: "%", isNumber: true }],
  cellsAt: (position) => [new LosslessNumber(String(position))],
};

interface DurationOptions {
  /** The starts of intervals that are not complete, in network time, which are left out. */
  readonly partial: readonly LocalTime[];
  readonly zone: Zone;
  /** True if values of several series stand in one row: those of one rank. */
  readonly isByRank: boolean;
  /** Those of the values, of all periods. */
  readonly dates: Dates;
}

export class DurationAnalysis implements Analysis {
  readonly keys = SHARE;
  readonly #options: DurationOptions;

  constructor(options: DurationOptions) {
    this.#options = options;
  }

  async *apply(chunks: AsyncIterable<Chunk>, { isWhole }: ApplyOptions): AsyncGenerator<Chunk> {
    const { dates } = this.#options;
    let offset = 0;
    const collected = new Collected((item) => {
      offset = findClockOffset(item);
      return new NumberList();
    });
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (numbers, of) =>
        collectNumbers(of, this.#options.partial, (value, { instant }) => {
          dates.add(instant);
          if (!Number.isNaN(value)) numbers.add(value);
        }),
      ),
    );
    const about = ["from the largest value down, by share of time", dates.describe(this.#options.zone, offset)]
      .filter(Boolean)
      .join(", ");
    const analysis = { about, axis: "share" } as const;
    const sorted = new Map(collected.list().map(({ value }) => [value, value.take()]));
    const lengths = [...sorted.values()].map(({ length }) => length);
    const [least, most] = [Math.min(...lengths), Math.max(0, ...lengths)];
    const isByRank = this.#options.isByRank && least < most;
    const note = `series have ${least} to ${most} values: a row has those of one rank, and its share_of_time is of ${most}`;
    const rows = lengths.reduce((sum, length) => sum + length, 0);
    const parts = isWhole ? 1 : Math.ceil(rows / AT_ONCE) || 1;
    for (let part = 0; part < parts; part++) {
      const timeSeries = collected.toTimeSeries((numbers) => {
        const values = sorted.get(numbers) as Float64Array;
        return cutCurve(values, isByRank ? most : values.length, [part / parts, (part + 1) / parts]);
      });
      yield {
        heads: part === 0 ? heads : [],
        timeSeries,
        analysis: isByRank && part === 0 ? { ...analysis, note } : analysis,
      };
    }
  }
}

/** Rows of one chunk. */
const AT_ONCE = 10_000;

/**
 * The points beyond one share of the time, from 0 to 1, and up to another. `count`: of the values that are the whole
 * time.
 */
function cutCurve(ascending: Float64Array, count: number, [from, to]: readonly [number, number]): Points {
  const placeOf = (share: number) => Math.min(Math.floor(share * count), ascending.length);
  const first = placeOf(from);
  const places = Array.from({ length: placeOf(to) - first }, (_, index) => first + index);
  return createPoints(
    places.map((place) => ({
      position: ((place + 1) / count) * 100,
      value: String(ascending[ascending.length - 1 - place]),
    })),
  );
}
