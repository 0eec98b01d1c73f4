/**
 * Capacity factor: energy divided by what the capacity could have generated in the same hours; of storage, what is
 * discharged, over the capacity that discharges.
 */
import { lengthOf } from "../../../base/intervals.ts";
import { type FleetUnit, BASE_INTERVAL } from "../../../query/computation.ts";
import type { Query } from "../../../query/query.ts";
import { HOUR } from "../../../time/local-time.ts";
import { findInterval, findOffsetMs, type TimeSeries } from "../../time-series.ts";
import { NOTHING, UNKNOWN } from "../align.ts";
import { computeRows, type MetricContext, sumPart, decimalToNumber } from "../computed-series.ts";
import { isOperating, type Member } from "../rows.ts";
import { clip, type InstantSpan } from "../spans.ts";

/** In %; a unit above it has another capacity than the list says. */
const MOST = 130;

export function computeCapacityFactor(context: MetricContext): TimeSeries[] {
  const { query, onUnknown, onExcess } = context;
  return computeRows("capacity_factor", context, {
    parts: ["energy"],
    divide: ({ row, counted, spans }) => {
      const [{ item }] = row.members as [Member];
      const existing = counted.filter(
        ({ member: { unit }, values: [value] }) => value !== undefined || (unit && isOperating(unit, spans)),
      );
      const over = 100 * sumPart(existing, 0);
      const unknown = existing.filter(({ member }) => member.unit?.capacity === undefined);
      for (const { member } of unknown) onUnknown(member.unit?.code ?? String(Object.values(member.labels)[0]));
      // Without a capacity there is nothing to divide by.
      if (unknown.length > 0) return Number.isNaN(over) ? UNKNOWN : NOTHING;
      const times = { spans, window: findWindow(item, query), context };
      let under = 0;
      for (const {
        member,
        values: [value],
      } of existing) {
        const unit = member.unit as FleetUnit & { capacity: number };
        const most = (unit.capacity * findLifetime(unit, times)) / HOUR;
        const factor = (100 * decimalToNumber(value)) / most;
        if (factor > MOST && lengthOf(findInterval(item) ?? query.interval ?? "5m") >= HOUR) onExcess(unit, factor);
        under += most;
      }
      return { over, under };
    },
  });
}

interface UnitTimes {
  readonly spans: readonly InstantSpan[];
  readonly window: InstantSpan;
  readonly context: MetricContext;
}

/** How long a unit existed and was read in an interval, in milliseconds. */
function findLifetime(unit: FleetUnit, { spans, window, context }: UnitTimes): number {
  const lifetime: InstantSpan = [
    unit.first ?? Number.NEGATIVE_INFINITY,
    unit.isRetired ? (unit.last ?? Number.POSITIVE_INFINITY) : findNewest(unit, spans, context),
  ];
  return spans.reduce((total, span) => {
    const [from, until] = clip(clip(span, window), lifetime);
    return total + until - from;
  }, 0);
}

/**
 * Of an interval that is under way, the end of the newest reading: as long before the response as the last reading was
 * before the list, in whole readings, as both times vary by a moment.
 */
function findNewest({ last }: FleetUnit, spans: readonly InstantSpan[], { created, query }: MetricContext): number {
  const [[from], [, until]] = [spans[0] as InstantSpan, spans.at(-1) as InstantSpan];
  if (created === undefined || created <= from || created >= until) return Number.POSITIVE_INFINITY;
  const lag = last === undefined ? 0 : Math.max(0, (query.computation.fleet?.receivedAt ?? last) - last);
  const newest = Math.round((created - lag) / BASE_INTERVAL) * BASE_INTERVAL;
  return newest > from ? newest : Math.ceil(created / BASE_INTERVAL) * BASE_INTERVAL;
}

/** The window of the query, as instants. */
function findWindow(item: TimeSeries, { window: { start, end } }: Query): InstantSpan {
  const offset = findOffsetMs(item.network, [item]) ?? 0;
  const until =
    end === undefined ? Number.POSITIVE_INFINITY : Math.ceil((end + 1) / BASE_INTERVAL) * BASE_INTERVAL - offset;
  return [start === undefined ? Number.NEGATIVE_INFINITY : start - offset, until];
}
