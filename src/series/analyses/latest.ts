/** `--latest`: the newest value of each series, and its age. */
import { LosslessNumber } from "../../base/json.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import type { Column, Shape } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import { createSpans, type FindSpans } from "../computed/spans.ts";
import type { Query } from "../../query/query.ts";
import { findInterval, findNetworkOffset, findOffsetMs } from "../time-series.ts";
import { Collected, createPoints } from "./collected.ts";
import { readChunks, type Analysis } from "./analysis.ts";

interface LatestValue {
  /** When the interval, or of a summer its newest part, begins. */
  readonly from: number;
  readonly timestamp: string;
  readonly value: string;
}

interface LatestOptions {
  readonly query: Query;
  readonly printTimestamp: TimestampPrinter;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly isLong: boolean;
}

export class LatestAnalysis implements Analysis {
  readonly shape: Shape;
  readonly keys: readonly Column[];
  readonly #print: TimestampPrinter;
  /** By timestamp, as the service sent it. */
  readonly #known = new Map<string, { readonly printed: string; readonly until: number }>();
  readonly #options: LatestOptions;

  constructor(options: LatestOptions) {
    this.#options = options;
    this.shape = options.isLong ? "long" : "wide";
    this.#print = options.printTimestamp;
    // Of an interval under way, none.
    const age = (until: number) => new LosslessNumber(String(Math.round(Math.max(0, options.now - until) / 1000)));
    this.keys = [
      {
        name: "timestamp",
        kind: "timestamp",
        key: { as: "instant", of: ({ timestamp }) => this.#known.get(timestamp)?.printed ?? null },
      },
      {
        name: "age_seconds",
        kind: "timestamp",
        isNumber: true,
        key: {
          as: "number",
          of: ({ timestamp }) => {
            const known = this.#known.get(timestamp);
            return known ? age(known.until) : null;
          },
        },
      },
    ];
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const { query, now } = this.#options;
    const collected = new Collected<{ newest?: LatestValue }>(() => ({}));
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (found, { item, series: { points } }) => {
        const interval = findInterval(item) ?? query.interval;
        const isKnown = interval !== undefined && findOffsetMs(item.network, [item]) !== undefined;
        const findSpans: FindSpans = isKnown ? createSpans(item, query) : (instant) => [[instant, instant]];
        let taken: number | undefined;
        for (let index = points.instants.length - 1; index >= 0; index--) {
          const [instant, value] = [points.instants[index] as number, valueAt(points, index)];
          if (value === null) continue;
          const spans = findSpans(instant);
          // Of a summer in two parts, the one that began last.
          const [from, until] = spans.findLast(([start]) => start <= now) ?? [instant, instant];
          // Of several values of one time, the last.
          if (from === taken || from < (found.newest?.from ?? Number.NEGATIVE_INFINITY)) continue;
          taken = from;
          const timestamp = timestampAt(points, index);
          found.newest = { from, timestamp, value };
          this.#known.set(timestamp, { until, printed: this.#print(timestamp, instant, findNetworkOffset(item)) });
          // The season that is stamped last may have begun first.
          if (interval !== "season") break;
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
