/** The periods of `--per`. */
import type { Interval, IntervalRule } from "../../base/intervals.ts";
import { intervalStart } from "../../time/calendar.ts";
import { printName } from "../../time/interval-names.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import type { Series, TimeSeries } from "../time-series.ts";
import { PERIOD_LABEL } from "./result.ts";

export type PeriodKind = keyof typeof PERIOD_NAMES;

export const PERIOD_NAMES = {
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  season: "season",
  year: "year",
  fy: "financial year",
};

/** A summer begins in December, so that it is one stretch of time; a week on a Monday, as 5 January 1970 was. */
const RULES: Readonly<Record<PeriodKind, { readonly rule: IntervalRule | Interval; readonly named: Interval }>> = {
  day: { rule: "1d", named: "1d" },
  week: { rule: { ms: 7 * DAY, phase: 4 * DAY }, named: "7d" },
  month: { rule: "1M", named: "1M" },
  quarter: { rule: "3M", named: "3M" },
  season: { rule: { months: 3, phase: 2 }, named: "season" },
  year: { rule: "1y", named: "1y" },
  fy: { rule: "fy", named: "fy" },
};

/** `wall`: on the clock of the output. */
export function periodStart(period: PeriodKind, wall: LocalTime): LocalTime {
  return intervalStart(RULES[period].rule, wall);
}

/** As tables name it: `2025-01-31`, `2025-01`, `2025 Q1`, `autumn 2025`, `2025`, `FY2025`; a week by its Monday. */
export function namePeriod(period: PeriodKind, start: LocalTime): string {
  return printName(RULES[period].named, start);
}

/** Gives series the label `period`. */
export function addPeriodLabel(timeSeries: readonly TimeSeries[], period: string): TimeSeries[] {
  const widen = (series: Series): Series => {
    const { [PERIOD_LABEL]: own, ...labels } = series.labels;
    return {
      ...series,
      labels: { [PERIOD_LABEL]: period, ...(own === undefined ? {} : { [`${PERIOD_LABEL}_label`]: own }), ...labels },
    };
  };
  return timeSeries.map((item) => ({ ...item, series: item.series.map(widen) }));
}
