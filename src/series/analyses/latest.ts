/** `--latest`: the newest value of each series, and its age. */
import { LosslessNumber } from "../../base/json.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { type Cell, type RowKeys, type Shape, toTimeCell } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { parseNumber, timestampAt, valueAt } from "../point-operations.ts";
import { createSpans, type FindSpans } from "../computed/spans.ts";
import type { Query } from "../../query/query.ts";
import { findInterval, findNetworkOffset, findOffsetMs, keyOfRow } from "../time-series.ts";
import { Collected, createPoints } from "./collected.ts";
import { readChunks, type Analysis } from "./analysis.ts";
import { isBeyond, type ValueLimits } from "./pick.ts";

interface LatestValue {
  /** When the interval, or of a summer its newest part, begins. */
  readonly from: number;
  readonly value: string;
  readonly cells: readonly Cell[];
}

interface LatestOptions {
  readonly query: Query;
  readonly printTimestamp: TimestampPrinter;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly isLong: boolean;
  /** Of series that have a value beyond, and of others with their labels. */
  readonly limits: ValueLimits | undefined;
}

export class LatestAnalysis implements Analysis {
  readonly shape: Shape;
  /** Positions are those of series. */
  readonly keys: RowKeys = {
    columns: [
      { name: "timestamp", kind: "key", isTimestamp: true },
      { name: "age_seconds", kind: "key", isNumber: true },
    ],
    cellsAt: (position) => this.#cells[position] ?? [],
  };
  readonly #options: LatestOptions;
  #cells: readonly (readonly Cell[])[] = [];

  constructor(options: LatestOptions) {
    this.#options = options;
    this.shape = options.isLong ? "long" : "wide";
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const { query, now, printTimestamp, limits } = this.#options;
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
          const printed = printTimestamp(timestampAt(points, index), instant, findNetworkOffset(item));
          // Of an interval under way, none.
          const age = String(Math.round(Math.max(0, now - until) / 1000));
          found.newest = { from, value, cells: [toTimeCell(printed), new LosslessNumber(age)] };
          // The season that is stamped last may have begun first.
          if (interval !== "season") break;
        }
      }),
    );
    const members = keepBeyond(collected.order(query.metrics), limits);
    this.#cells = members.map(({ value: { newest } }) => newest?.cells ?? [null, null]);
    const timeSeries = members.map(({ item, series, value: { newest } }, position) => ({
      ...item,
      series: [{ ...series, points: createPoints([{ position, value: newest?.value ?? null }]) }],
    }));
    yield { heads, timeSeries };
  }
}

type LatestMember = ReturnType<Collected<{ readonly newest?: LatestValue }>["list"]>[number];

function keepBeyond(members: readonly LatestMember[], limits: ValueLimits | undefined): readonly LatestMember[] {
  if (!limits) return members;
  const isPicked = ({ item, value: { newest } }: LatestMember) =>
    item.metric === limits.metric && newest !== undefined && isBeyond(parseNumber(newest.value), limits);
  const rows = new Set(members.filter(isPicked).map(({ item, series }) => keyOfRow(item, series)));
  return members.filter(({ item, series }) => rows.has(keyOfRow(item, series)));
}
