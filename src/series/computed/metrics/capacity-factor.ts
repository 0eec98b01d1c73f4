/**
 * Capacity factor: energy divided by what the capacity could have generated in the same hours. Of storage, what was charged and
 * discharged counts, over the capacity that discharges, as on the public service's own site.
 */
import { BATTERY } from "../../../base/fueltechs.ts";
import { type FleetUnit, READING } from "../../../query/computation.ts";
import type { Query } from "../../../query/query.ts";
import { HOUR } from "../../../time/local-time.ts";
import { findOffsetMs, type TimeSeries } from "../../time-series.ts";
import { PointList } from "../align.ts";
import { sumDecimals } from "../decimals.ts";
import { type CountedUnit, exists, type SeriesGroup, walkGroup } from "../fleet-groups.ts";
import { addRatio, createComputed, listItems, type MetricContext, NOTHING, toNumber } from "../ratio.ts";
import { clip, createSpans, type Span } from "../spans.ts";

export function computeCapacityFactor(context: MetricContext): TimeSeries[] {
  const { groups, query, unsummed, onUnknown } = context;
  const made = listItems(unsummed, "energy").flatMap((item) => {
    const findSpans = createSpans(item, query);
    const window = findWindow(item, query);
    return (groups?.group(item) ?? []).map((group) => {
      const [{ series }] = group.members as [SeriesGroup["members"][0]];
      const list = new PointList();
      for (const { at, spans, counted, lacking } of walkGroup(group, findSpans)) {
        const measured = counted.filter(({ unit }) => !isPump(unit) || !group.hasGenerator);
        const own = measured.filter(({ unit, value }) => !isLoad(unit, group) && (value !== undefined || (unit && exists(unit, spans))));
        const unknown = own.filter(({ unit }) => unit?.capacity === undefined);
        for (const { unit } of unknown) onUnknown(unit?.code ?? String(Object.values(series.labels)[0]));
        const hours = unknown.length > 0 ? Number.NaN : addHours(own, { spans, window, context });
        const over = lacking ? Number.NaN : toNumber(sumDecimals(measured.flatMap(toEnergy)));
        // Without a capacity there is nothing to divide by.
        addRatio(list, at, Number.isNaN(hours) && !Number.isNaN(over) ? NOTHING : { over: 100 * over, under: hours });
      }
      return { item, series, labels: group.labels, points: list.points };
    });
  });
  return createComputed("capacity_factor", made);
}

function isLoad(unit: FleetUnit | undefined, { hasGenerator }: SeriesGroup): boolean {
  return hasGenerator && unit?.isLoad === true;
}

/** Pumps take energy that hydro units give back: they are no part of what a station generates. */
function isPump(unit: FleetUnit | undefined): boolean {
  return unit?.isLoad === true && unit.fueltech !== BATTERY.charging;
}

function toEnergy({ unit, value }: CountedUnit): string[] {
  if (value === undefined) return [];
  const isStorage = unit?.isLoad === true || unit?.fueltech?.startsWith(BATTERY.net);
  return [isStorage ? value.replace(/^-/, "") : value];
}

interface Hours {
  readonly spans: readonly Span[];
  readonly window: Span;
  readonly context: MetricContext;
}

/** The sum of capacity times hours, in MWh. */
function addHours(units: readonly CountedUnit[], { spans, window, context }: Hours): number {
  let sum = 0;
  for (const { unit } of units) {
    if (unit?.capacity === undefined) continue;
    const lifetime: Span = [
      unit.first ?? Number.NEGATIVE_INFINITY,
      unit.isRetired ? (unit.last ?? Number.POSITIVE_INFINITY) : findNewest(unit, spans, context),
    ];
    const ms = spans.reduce((total, span) => {
      const [from, until] = clip(clip(span, window), lifetime);
      return total + until - from;
    }, 0);
    sum += (unit.capacity * ms) / HOUR;
  }
  return sum;
}

/** Of an interval that is under way, the end of the newest value: as long before the response as the last value was before the list. */
function findNewest({ last }: FleetUnit, spans: readonly Span[], { created, query }: MetricContext): number {
  const [[from], [, until]] = [spans[0] as Span, spans.at(-1) as Span];
  if (created === undefined || created <= from || created >= until) return Number.POSITIVE_INFINITY;
  const newest = last === undefined ? created : created - Math.max(0, (query.computation.fleet?.receivedAt ?? last) - last);
  return newest > from ? newest : created;
}

/** The window of the query, as instants. */
function findWindow(item: TimeSeries, { window: { start, end } }: Query): Span {
  const offset = findOffsetMs(item.network, [item]) ?? 0;
  const until = end === undefined ? Number.POSITIVE_INFINITY : Math.ceil((end + 1) / READING) * READING - offset;
  return [start === undefined ? Number.NEGATIVE_INFINITY : start - offset, until];
}
