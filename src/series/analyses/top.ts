/** `--top` and `--bottom`: the largest or smallest values, of all series or of each. */
import { formatCount } from "../../base/phrases.ts";
import { groupBy } from "../../base/group-by.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { type Cell, type RowKeys, type Shape, toTimeCell } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { compareLabels, listLabelLists, orderLabelNames } from "../order.ts";
import { createNumberReader, lowerBound, timestampAt, valueAt } from "../point-operations.ts";
import { findNetworkOffset, keyOfItem, keyOfRow, type Series, type TimeSeries } from "../time-series.ts";
import { watchUnits } from "../unit-watch.ts";
import { Collected, createPoints } from "./collected.ts";
import { describeValueLimits, isBeyond, type ValueLimits } from "./pick.ts";
import { readChunks, type Analysis } from "./analysis.ts";

interface Ranking {
  readonly metric: string;
  readonly count: number;
  readonly isLargest: boolean;
  /** True for so many values of each series. */
  readonly isEach: boolean;
  readonly limits: ValueLimits | undefined;
  /** True if a picture is drawn, which shows all points. */
  readonly isDrawn: boolean;
  /** True for a column for each metric. */
  readonly isWide: boolean;
}

/** A value and, of several metrics, the others of its time and labels. */
interface RankedValue {
  readonly value: number;
  readonly instant: number;
  readonly series: Series;
  readonly points: readonly RankedPoint[];
}

interface RankedPoint {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly instant: number;
  readonly timestamp: string;
  readonly value: string | null;
}

export class TopAnalysis implements Analysis {
  readonly shape: Shape;
  /** Positions are places. */
  readonly keys: RowKeys = {
    columns: [{ name: "timestamp", kind: "key", isTimestamp: true }],
    cellsAt: (place) => [this.#timestamps[place] ?? null],
  };
  readonly #ranking: Ranking;
  /** By place. */
  readonly #timestamps: Cell[] = [];
  readonly #print: TimestampPrinter;

  constructor(ranking: Ranking, printTimestamp: TimestampPrinter) {
    this.#ranking = ranking;
    this.shape = ranking.isWide ? "wide" : "long";
    this.#print = printTimestamp;
  }

  async *apply(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const { isDrawn } = this.#ranking;
    const candidates = new Candidates(this.#ranking);
    let drawn: readonly TimeSeries[] = [];
    const heads = await readChunks(chunks, (timeSeries) => {
      candidates.add(timeSeries);
      // A picture gets all points at once.
      if (isDrawn) drawn = timeSeries;
    });
    const ranked = candidates.list();
    for (const [place, { points }] of ranked.entries()) {
      for (const { item, series, instant, value } of points)
        candidates.chosen.of(item, series).push({ position: isDrawn ? instant : place, value });
      const { item, timestamp, instant } = points[0] as RankedPoint;
      this.#timestamps.push(toTimeCell(this.#print(timestamp, instant, findNetworkOffset(item))));
    }
    const picked = candidates.chosen.toTimeSeries((points) =>
      createPoints(points.toSorted((a, b) => a.position - b.position)),
    );
    yield isDrawn
      ? { heads, timeSeries: drawn, analysis: { picked, about: this.#describe() } }
      : { heads, timeSeries: picked };
  }

  #describe(): string {
    const { count, isLargest, isEach, limits } = this.#ranking;
    const size = isLargest ? "largest" : "smallest";
    const values = count === 1 ? `${size} value` : formatCount(count, `${size} value`);
    return [
      "marked: the",
      values,
      ...(limits ? [describeValueLimits(limits)] : []),
      ...(isEach ? ["of each series"] : []),
    ].join(" ");
  }
}

/** The best values so far. */
class Candidates {
  /** All series, with the points that are chosen in the end. */
  readonly chosen = new Collected<{ readonly position: number; readonly value: string | null }[]>(() => []);
  readonly #watchUnit = watchUnits();
  readonly #ranking: Ranking;
  readonly #lists = new Map<string, RankedValue[]>();
  /** The worst value of a full list: only better ones, or earlier ones of the same size, may join it. */
  readonly #worst = new Map<string, number>();

  constructor(ranking: Ranking) {
    this.#ranking = ranking;
  }

  #isRanked({ item, series }: Pick<RankedPoint, "item" | "series">): boolean {
    return item.metric === this.#ranking.metric && series.figure === undefined;
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const { isEach, isLargest, limits } = this.#ranking;
    const sharing = groupBy(
      timeSeries.flatMap((item) => item.series.map((series) => ({ item, series }))),
      ({ item, series }) => keyOfRow(item, series),
    );
    for (const row of sharing.values()) {
      for (const { item, series } of row) {
        this.chosen.of(item, series);
        if (!this.#isRanked({ item, series })) continue;
        if (!isEach) this.#watchUnit(item);
        const key = isEach ? keyOfItem(item) + keyOfRow(item, series) : "";
        const { points } = series;
        const read = createNumberReader(points);
        for (let index = 0; index < points.instants.length; index++) {
          const value = read(index);
          if (value === undefined || Number.isNaN(value) || (limits && !isBeyond(value, limits))) continue;
          const worst = this.#worst.get(key);
          if (worst !== undefined && (isLargest ? value < worst : value > worst)) continue;
          const own = { item, series, ...readPointAt(series, index) };
          const others = row.flatMap((other) => (this.#isRanked(other) ? [] : listPointsAt(other, own.instant)));
          this.#join(key, { value, instant: own.instant, series, points: [own, ...others] });
        }
      }
    }
  }

  #join(key: string, candidate: RankedValue): void {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    // Sorted from time to time, not with each value.
    if (list.push(candidate) < 2 * this.#ranking.count) return;
    this.#cut(list);
    this.#worst.set(key, (list.at(-1) as RankedValue).value);
  }

  #cut(list: RankedValue[]): RankedValue[] {
    const { count, isLargest } = this.#ranking;
    const names = orderLabelNames(
      listLabelLists(list.flatMap(({ points }) => points.map(({ item, series }) => ({ ...item, series: [series] })))),
    );
    list.sort(
      (a, b) =>
        (isLargest ? b.value - a.value : a.value - b.value) ||
        a.instant - b.instant ||
        compareLabels(a.series, b.series, names),
    );
    list.length = Math.min(list.length, count);
    return list;
  }

  /** From the best to the worst; of each series, one series after the other. */
  list(): RankedValue[] {
    const lists = [...this.#lists.values()].map((list) => this.#cut(list));
    const firsts = lists.map(([first]) => first as RankedValue);
    const names = orderLabelNames(
      listLabelLists(firsts.map(({ points, series }) => ({ ...(points[0] as RankedPoint).item, series: [series] }))),
    );
    return lists
      .toSorted(([a], [b]) => compareLabels((a as RankedValue).series, (b as RankedValue).series, names))
      .flat();
  }
}

function readPointAt({ points }: Series, index: number) {
  return {
    instant: points.instants[index] as number,
    timestamp: timestampAt(points, index),
    value: valueAt(points, index),
  };
}

/** A service may send several values of one time. */
function listPointsAt({ item, series }: Pick<RankedPoint, "item" | "series">, instant: number): RankedPoint[] {
  const { points } = series;
  const found: RankedPoint[] = [];
  for (let index = lowerBound(points, instant); points.instants[index] === instant; index++)
    found.push({ item, series, ...readPointAt(series, index) });
  return found;
}
