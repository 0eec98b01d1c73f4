/** `--minus`: each other series minus one of them. */
import { TRANSFORM_FLAGS } from "../../options/transform-options.ts";
import type { Transforms } from "../../query/transforms.ts";
import { groupBy } from "../../base/group-by.ts";
import { PointList } from "../computed/align.ts";
import { subtractDecimals } from "../computed/decimals.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import { NO_POINTS, type Points } from "../points.ts";
import { findLabel, keyOfItem, keyOfRow, type Series, type TimeSeries } from "../time-series.ts";

export class Difference {
  readonly #of: NonNullable<Transforms["minus"]>;
  #isThere = false;
  #hasOthers = false;

  constructor(of: NonNullable<Transforms["minus"]>) {
    this.#of = of;
  }

  /** The points of each other series, as differences; null where the one that is subtracted has no value. */
  subtract(timeSeries: readonly TimeSeries[]): TimeSeries[] {
    const all = timeSeries.flatMap((item) => item.series.map((series) => ({ item, series })));
    const groups = groupBy(all, ({ item, series }) => this.#keyOfOthers(item, series));
    const subtracted = new Map(
      Array.from(groups, ([key, members]) => [key, members.find(({ series }) => this.#isOwn(series))?.series.points]),
    );
    return timeSeries.map((item) => ({
      ...item,
      addsUp: false,
      series: item.series
        .filter((series) => !this.#isOwn(series))
        .map((series) => ({
          ...series,
          points: subtractPoints(series.points, subtracted.get(this.#keyOfOthers(item, series)) ?? NO_POINTS),
        })),
    }));
  }

  #isOwn(series: Series): boolean {
    const isOwn = String(findLabel(series, this.#of.label)).toLowerCase() === this.#of.value.toLowerCase();
    if (isOwn) this.#isThere = true;
    else this.#hasOthers = true;
    return isOwn;
  }

  /** The key of the series that differ in the label alone. */
  #keyOfOthers(item: TimeSeries, { labels }: Series): string {
    const others = Object.fromEntries(Object.entries(labels).filter(([name]) => name !== this.#of.label));
    return keyOfItem(item) + keyOfRow(item, { labels: others });
  }

  /** Said in the end; undefined if all is well. */
  get problem(): string | undefined {
    const { label, value } = this.#of;
    const flag = `${TRANSFORM_FLAGS.minus} ${value}`;
    if (this.#hasOthers && !this.#isThere)
      return `${flag}: no series came whose ${label} is ${value}; all differences are null`;
    return this.#isThere && !this.#hasOthers ? `${flag}: no other series came to subtract it from` : undefined;
  }
}

function subtractPoints(points: Points, subtracted: Points): Points {
  const list = new PointList();
  let next = 0;
  for (let index = 0; index < points.instants.length; index++) {
    const instant = points.instants[index] as number;
    // Of several values of one time, the last.
    while ((subtracted.instants[next + 1] ?? Number.POSITIVE_INFINITY) <= instant) next++;
    const other = subtracted.instants[next] === instant ? valueAt(subtracted, next) : null;
    list.add({ instant, timestamp: timestampAt(points, index) }, subtractDecimals(valueAt(points, index), other));
  }
  return list.points;
}
