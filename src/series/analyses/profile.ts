/** `--profile`: the mean of each time of the day or week, or of each day of the year. */
import { modulo } from "../../time/calendar.ts";
import { DAY, formatLocalTime, formatOffset, type LocalTime } from "../../time/local-time.ts";
import { nameZone, NETWORK_ZONE, type Zone } from "../../time/zone.ts";
import { findRule } from "../../base/intervals.ts";
import { Means } from "../means.ts";
import type { Column, RowKeys } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { findClockOffset, findInterval, type Series, type TimeSeries } from "../time-series.ts";
import { Collected, createPoints, Dates, collectNumbers } from "./collected.ts";
import { readChunks, type Analysis, type ApplyOptions } from "./analysis.ts";
import { addPeriodLabel, namePeriod, PERIOD_NAMES, type PeriodKind, periodStart } from "./periods.ts";
import { PERIOD_LABEL } from "./result.ts";

type ProfilePeriod = "day" | "week" | "year";

/** The times of a period: where each stands in it, in milliseconds, and what it is called. */
const PERIODS: Readonly<Record<ProfilePeriod, { of: (wall: LocalTime) => number; name: (at: number) => string }>> = {
  day: { of: (wall) => modulo(wall, DAY), name: (at) => formatLocalTime(at).slice(11, 16) },
  // 5 January 1970 was a Monday.
  week: {
    of: (wall) => modulo(wall - 4 * DAY, 7 * DAY),
    name: (at) => `${WEEKDAYS[Math.floor(at / DAY)]} ${formatLocalTime(at).slice(11, 16)}`,
  },
  // 1972 was a leap year.
  year: { of: toDayOfYear, name: (at) => formatLocalTime(LEAP_YEAR + at).slice(5, 10) },
};

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const LEAP_YEAR = Date.UTC(1972, 0);

function toDayOfYear(wall: LocalTime): number {
  const date = new Date(wall);
  return Date.UTC(1972, date.getUTCMonth(), date.getUTCDate()) - LEAP_YEAR;
}

interface ProfileOptions {
  readonly by: ProfilePeriod;
  readonly per: PeriodKind | undefined;
  readonly zone: Zone;
  /** The starts of intervals that are not complete, in network time, which are in no mean. */
  readonly partial: readonly LocalTime[];
  /** True if a picture is drawn. */
  readonly isDrawn: boolean;
  /** True if people read the rows. */
  readonly isTable: boolean;
  /** True for a row for each value. */
  readonly isLong: boolean;
}

const NAMES: Readonly<Record<ProfilePeriod, string>> = {
  day: "by time of day",
  week: "by time of the week",
  year: "by day of the year",
};

/** The means by the start of their period, with a row for each time; and the UTC offset of network time, in minutes. */
interface Periods {
  readonly periods: Map<LocalTime, Means>;
  readonly offset: number;
}

/** How many values each is the mean of, and the mean. */
const FIGURES: readonly Column[] = [
  { name: "n", kind: "value", isNumber: true },
  { name: "value", kind: "value" },
];

export class ProfileAnalysis implements Analysis {
  /** Positions are the time in its period and, for each period before it in the rows, a `YEAR`; in milliseconds. */
  readonly keys: RowKeys;
  readonly figures = FIGURES;
  readonly #options: ProfileOptions;
  /** True if the period is a label, whose values may be lines or columns. */
  readonly #hasLabel: boolean;
  /** The row of each time in the means of a period. */
  readonly #rows = new Map<number, number>();
  /** The periods of `--per`, in order of time. */
  #periods: readonly string[] = [];

  constructor(options: ProfileOptions) {
    this.#options = options;
    this.#hasLabel = options.per !== undefined && (options.isDrawn || options.isTable);
    const hasPeriod = options.per !== undefined && !this.#hasLabel;
    this.keys = {
      columns: [...(hasPeriod ? [PERIOD_LABEL] : []), "time"].map((name): Column => ({ name, kind: "key" })),
      cellsAt: (position) => [
        ...(hasPeriod ? [this.#periods[Math.floor(position / YEAR)] ?? null] : []),
        PERIODS[options.by].name(position % YEAR),
      ],
    };
  }

  async *apply(chunks: AsyncIterable<Chunk>, { isWhole }: ApplyOptions): AsyncGenerator<Chunk> {
    const { by, per, isDrawn, zone } = this.#options;
    const collected = new Collected<Periods>((item) => ({ periods: new Map(), offset: findClockOffset(item) }));
    const dates = new Dates();
    const heads = await readChunks(chunks, (timeSeries) =>
      collected.each(timeSeries, (means, of) => this.#add(means, of, dates)),
    );
    const [first] = collected.list();
    const clock = zone === NETWORK_ZONE && first ? `UTC${formatOffset(first.value.offset)}` : nameZone(zone);
    const about = [`mean ${NAMES[by]} (${clock})`, dates.describe(zone, first?.value.offset ?? 0)]
      .filter(Boolean)
      .join(", ");
    const starts = [...new Set(collected.list().flatMap(({ value }) => [...value.periods.keys()]))].sort(
      (a, b) => a - b,
    );
    if (per) this.#periods = starts.map((start) => namePeriod(per, start));
    const periods = per && { names: this.#periods, of: PERIOD_NAMES[per] };
    const analysis = { about, ...(isDrawn ? { axis: by, ...(periods ? { periods } : {}) } : {}) };
    const parts = this.#list(collected, starts);
    if (isWhole) yield { heads, timeSeries: [...parts].flat(), analysis };
    else for (const timeSeries of parts) yield { heads: heads.splice(0), timeSeries, analysis };
  }

  /** The interval between the means of a year's days. */
  #toDaily(item: TimeSeries): TimeSeries {
    const interval = findInterval(item);
    const rule = interval && findRule(interval);
    const isFine = rule !== undefined && "ms" in rule && rule.ms < DAY;
    return this.#options.by === "year" && isFine ? { ...item, fields: { ...item.fields, interval: "1d" } } : item;
  }

  #add(
    { periods, offset }: Periods,
    { item, series }: { readonly item: TimeSeries; readonly series: Series },
    dates: Dates,
  ): void {
    const { by, per, zone, partial } = this.#options;
    let [day, means] = [Number.NaN, new Means()];
    collectNumbers({ item, series }, partial, (value, { index, instant }) => {
      const wall = zone.toWallClock(instant, offset);
      if (Math.floor(wall / DAY) !== day) {
        day = Math.floor(wall / DAY);
        const start = per ? periodStart(per, wall) : 0;
        periods.set(start, (means = periods.get(start) ?? new Means()));
        dates.add(instant);
      }
      const at = PERIODS[by].of(wall);
      let row = this.#rows.get(at);
      if (row === undefined) this.#rows.set(at, (row = this.#rows.size));
      means.add(row, value);
      means.addParts(row, series.points.ratio, index);
    });
  }

  /** The series of each period, with points in order of time; with a label for the period, series of their own. */
  *#list(collected: Collected<Periods>, starts: readonly LocalTime[]): Generator<TimeSeries[]> {
    const { isDrawn } = this.#options;
    const members = collected.list();
    const isOne = new Set(members.map(({ series }) => JSON.stringify(series.labels))).size === 1;
    // Series of all periods have the same times in a picture, and in a table that has a column for each period.
    const length = isDrawn || (this.#hasLabel && isOne) ? 0 : YEAR;
    const times = [...this.#rows].sort(([a], [b]) => a - b);
    for (const [order, start] of (starts.length > 0 ? starts : [0]).entries()) {
      const timeSeries = members.map(({ item, series, value: { periods } }) => ({
        ...item,
        series: this.#listFigures(
          series,
          periods.get(start),
          times.map(([at, row]) => ({ position: order * length + at, row })),
        ),
      }));
      yield (this.#hasLabel ? addPeriodLabel(timeSeries, this.#periods[order] ?? "") : timeSeries).map((item) =>
        this.#toDaily(item),
      );
    }
  }

  /** The means and, in rows of their own, the number of values of each. */
  #listFigures(
    series: Series,
    means: Means | undefined,
    times: readonly { readonly position: number; readonly row: number }[],
  ): Series[] {
    const print = (mean: number) => (Number.isFinite(mean) ? String(mean) : null);
    const filled = means ? times.filter(({ row }) => means.has(row)) : [];
    const list = (valueOf: (means: Means, row: number) => string | null) =>
      createPoints(filled.map(({ position, row }) => ({ position, value: means ? valueOf(means, row) : null })));
    return [
      { ...series, points: list((all, row) => print(all.mean(row))) },
      ...(this.#options.isLong ? [{ ...series, figure: "n", points: list((all, row) => String(all.count(row))) }] : []),
    ];
  }
}

/** Longer than any period of times. */
const YEAR = 400 * DAY;
