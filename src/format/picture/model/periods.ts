/**
 * Series of several periods, as `--profile day --per year` has them: a line or a panel for each. Periods are never
 * added up.
 */
import { group, sort, sum } from "d3-array";
import { DAY } from "../../../time/local-time.ts";
import { findLabel, keyOfRow } from "../../../series/time-series.ts";
import { PERIOD_LABEL } from "../../../series/analyses/result.ts";
import { joinLists } from "../../../series/number-list.ts";
import type { DrawnSeries } from "./legend.ts";

/** Longer than any period of a profile. */
const LENGTH = 400 * DAY;

interface PeriodPart {
  readonly title: string;
  readonly entries: readonly DrawnSeries[];
}

/** The periods of each series, in order of time. `names`: of all periods. */
function groupBySeries(entries: readonly DrawnSeries[], names: readonly string[]): DrawnSeries[][] {
  const keyOf = ({ source }: DrawnSeries) => {
    const { [PERIOD_LABEL]: _period, ...labels } = source?.series.labels ?? {};
    return source ? source.item.metric + keyOfRow(source.item, { labels }) : "";
  };
  return Array.from(group(entries, keyOf).values(), (own) =>
    names.flatMap((name) => own.filter((entry) => periodOf(entry) === name)),
  );
}

function periodOf({ source }: DrawnSeries): string {
  return String(source && findLabel(source.series, PERIOD_LABEL));
}

/** One series for all its periods, one after the other, so that all are ordered and combined alike. */
export function joinPeriods(entries: readonly DrawnSeries[], names: readonly string[]): DrawnSeries[] {
  return groupBySeries(entries, names).map((own) => {
    const times = own.map((entry) => entry.times.map((time) => time + names.indexOf(periodOf(entry)) * LENGTH));
    return { ...(own[0] as DrawnSeries), times: joinLists(times), values: joinLists(own.map(({ values }) => values)) };
  });
}

/** The reverse: a part for each period. */
export function cutPeriods(entries: readonly DrawnSeries[], names: readonly string[]): PeriodPart[] {
  return names.map((title, order) => ({
    title,
    entries: entries.map((entry) => {
      const at = [...entry.times.keys()].filter(
        (index) => Math.floor((entry.times[index] as number) / LENGTH) === order,
      );
      const times = Float64Array.from(at, (index) => (entry.times[index] as number) - order * LENGTH);
      return { ...entry, times, values: Float64Array.from(at, (index) => entry.values[index] as number) };
    }),
  }));
}

/** A part for each series, of the largest `most`, with a line for each period. */
export function splitBySeries(
  entries: readonly DrawnSeries[],
  names: readonly string[],
  most: number,
): { parts: PeriodPart[]; left: number } {
  const all = groupBySeries(entries, names).filter((own) => own.length > 0);
  const bySize = sort(all, (own) => -sum(own, ({ values }) => sum(values, Math.abs)));
  const left = bySize.slice(most);
  const parts = all
    .filter((own) => !left.includes(own))
    .map((own) => ({ title: own[0]?.name ?? "", entries: own.map((entry) => ({ ...entry, name: periodOf(entry) })) }));
  return { parts, left: left.length };
}
