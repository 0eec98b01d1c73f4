/** `--latest`: the newest value of each series, and its age. */
import { LosslessNumber } from "../../base/json.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import type { Column, Shape } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import { findNetworkOffset } from "../time-series.ts";
import { Collected, createPoints } from "./collected.ts";
import { readChunks, type View } from "./view.ts";

interface Newest {
  readonly instant: number;
  readonly timestamp: string;
  readonly value: string;
}

export class LatestView implements View {
  readonly shape: Shape;
  readonly keys: readonly Column[];
  readonly #print: TimestampPrinter;
  /** By timestamp, as the service sent it. */
  readonly #known = new Map<string, { readonly printed: string; readonly instant: number }>();

  /** `now`: milliseconds since 1970 UTC. */
  constructor({ printTimestamp, now, isLong }: { printTimestamp: TimestampPrinter; now: number; isLong: boolean }) {
    this.shape = isLong ? "long" : "wide";
    this.#print = printTimestamp;
    const age = (instant: number) => new LosslessNumber(String(Math.round((now - instant) / 1000)));
    this.keys = [
      { name: "timestamp", kind: "timestamp", key: { as: "instant", of: ({ timestamp }) => this.#known.get(timestamp)?.printed ?? null } },
      {
        name: "age_seconds",
        kind: "timestamp",
        isNumber: true,
        key: {
          as: "number",
          of: ({ timestamp }) => {
            const known = this.#known.get(timestamp);
            return known ? age(known.instant) : null;
          },
        },
      },
    ];
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const collected = new Collected<{ newest?: Newest }>(() => ({}));
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (found, { item, series: { points } }) => {
        for (let index = points.instants.length - 1; index >= 0; index--) {
          const [instant, value] = [points.instants[index] as number, valueAt(points, index)];
          if (value === null || instant < (found.newest?.instant ?? Number.NEGATIVE_INFINITY)) continue;
          const timestamp = timestampAt(points, index);
          found.newest = { instant, timestamp, value };
          this.#known.set(timestamp, { instant, printed: this.#print(timestamp, instant, findNetworkOffset(item)) });
          break;
        }
      }),
    );
    // At one instant, rows are in the order of their series.
    const timeSeries = collected.toTimeSeries(({ newest }) =>
      createPoints([{ at: 0, timestamp: newest?.timestamp ?? "", value: newest?.value ?? null }]),
    );
    yield { heads, timeSeries };
  }
}
