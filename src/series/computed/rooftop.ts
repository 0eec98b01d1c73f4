/** Rooftop solar that is late, and what cannot be added up without it. */
import { isDayOrLonger } from "../../base/intervals.ts";
import { ROOFTOP } from "../../base/fueltechs.ts";
import { ROOFTOP_REACH } from "../../base/provisional.ts";
import type { Query } from "../../query/query.ts";
import { findFirstInstant, findLastInstant, splitTimeSeries } from "../overlap.ts";
import { joinTimeSeries } from "../join.ts";
import type { Chunk } from "../merge.ts";
import { createFindLate } from "../late.ts";
import { createIsSettled } from "../settled.ts";
import { NO_POINTS } from "../points.ts";
import { findInterval, findOffsetMs, mapPoints, type TimeSeries } from "../time-series.ts";
import type { Whole } from "./rows.ts";

type RooftopQuery = Pick<Query, "interval" | "lead" | "earlier" | "window" | "settledAt">;

/** Tells the instants at which rooftop solar has no value, but one at most two hours before or after. */
export class RooftopWatch {
  readonly #query: RooftopQuery;
  #late = new Set<number>();
  #earlier = 0;
  #isInside = false;
  #printed: Omit<Printed, "chunk"> = { from: 0, until: 0 };

  constructor(query: RooftopQuery) {
    this.#query = query;
  }

  startChunk(printed: Omit<Printed, "chunk">): void {
    this.#printed = printed;
    this.#earlier += this.#late.size;
    this.#late = new Set();
  }

  /** The function takes instants in order. */
  watch({ rows }: Whole): (instant: number) => boolean {
    const members = rows.flatMap((row) => row.members);
    const item = members[0]?.item;
    if (isDayOrLonger((item && findInterval(item)) ?? this.#query.interval)) return () => false;
    const points = members.find(({ fuel }) => fuel === ROOFTOP)?.parts.at(-1) ?? NO_POINTS;
    const { until } = this.#printed;
    const from = Math.max(this.#printed.from, item ? findPrintedStart(this.#query, item) : Number.NEGATIVE_INFINITY);
    const { settledAt } = this.#query;
    // What is computed is settled when a share is.
    const isSettled =
      item && settledAt !== undefined
        ? createIsSettled({ ...item, metric: "share" }, this.#query, settledAt)
        : () => true;
    return createFindLate(points, (instant, isInside) => {
      if (instant < from || instant >= until || !isSettled(instant)) return;
      this.#late.add(instant);
      this.#isInside ||= isInside;
    });
  }

  describe(): string | undefined {
    const count = this.#earlier + this.#late.size;
    if (count === 0) return undefined;
    const intervals = count === 1 ? "1 interval is" : `${count} intervals are`;
    const why = "rooftop solar, which comes up to an hour late, has no value there";
    return `${intervals} null in what is added up over fueltechs: ${why}${this.#isInside ? "; before March 2025 it is half-hourly: -i 30m has all" : ""}`;
  }
}

/** The instant from which on all is printed: what is asked for before a window is only computed with. */
export function findPrintedStart({ lead, earlier, window }: RooftopQuery, item: TimeSeries): number {
  return lead === undefined && !earlier
    ? Number.NEGATIVE_INFINITY
    : (window.start ?? 0) - (findOffsetMs(item.network, [item]) ?? 0);
}

/** What is printed of a chunk: the instants from one to another, exclusive. */
export interface Printed {
  readonly chunk: Chunk;
  readonly from: number;
  readonly until: number;
}

/**
 * Gives each chunk the two hours before and after what is printed of it, so that late rooftop solar is found wherever a
 * window is cut.
 */
export async function* overlapChunks(chunks: AsyncIterable<Chunk>): AsyncGenerator<Printed> {
  let kept: readonly TimeSeries[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for await (const chunk of chunks) {
    let { timeSeries } = chunk;
    const inner = findFirstInstant(timeSeries) + ROOFTOP_REACH;
    const until = Math.max(from, findLastInstant(timeSeries) - ROOFTOP_REACH + 1);
    if (from > Number.NEGATIVE_INFINITY && inner < until) {
      const [edge] = splitTimeSeries(timeSeries, inner + ROOFTOP_REACH);
      yield { chunk: { heads: [], timeSeries: joinTimeSeries([kept, edge]) }, from, until: inner };
      from = inner;
    } else timeSeries = joinTimeSeries([kept, timeSeries]);
    yield { chunk: { ...chunk, timeSeries }, from, until };
    from = until;
    const [, rest] = splitTimeSeries(timeSeries, until - ROOFTOP_REACH);
    // The bodies of a chunk are freed when the next is requested.
    kept = mapPoints(rest, ({ points: { timestamps, instants, values } }) => ({
      timestamps: [...timestamps],
      instants: [...instants],
      values: [...values],
    }));
  }
  yield { chunk: { heads: [], timeSeries: kept }, from, until: Number.POSITIVE_INFINITY };
}
