/** What of a result may be taken for something else. */
import { isDayOrLonger } from "../base/intervals.ts";
import { findProvisional } from "../base/provisional.ts";
import { findNetwork, LABELS } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { DAY, type LocalTime, MINUTE } from "../time/local-time.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import type { Query } from "./query.ts";

/** A network of several regions has no price of its own. */
function notePrice({ command, network, metrics, parameters }: Query): string[] {
  const { regions = [] } = findNetwork(network) ?? {};
  const isByRegion = parameters.some(
    ({ name, values }) => name === "network_region" || values.includes(LABELS.region.grouping),
  );
  if (command !== "market" || regions.length < 2 || isByRegion || !metrics.includes("price")) return [];
  return [
    `${network} has no price of its own: the service makes it of the prices of its regions; ${QUERY_FLAGS.groupBy} region has those`,
  ];
}

interface NoteOptions extends Readonly<Partial<Record<"above" | "below" | "top" | "bottom" | "latest", unknown>>> {
  readonly sandbox: boolean;
  readonly dryRun: boolean;
  readonly follow?: boolean;
}

/** What may surprise: another service, zone or hour would have another answer. */
export function noteDoubts(
  query: Query,
  { sandbox, dryRun, follow, latest, above, below, top, bottom }: NoteOptions,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): string[] {
  const isPicked = [follow, latest, above, below, top, bottom].some(Boolean);
  return [
    ...notePrice(query),
    ...noteZone(query, zone),
    ...(sandbox || dryRun ? noteFinancialYears(query) : []),
    ...(isPicked ? noteProvisional(query, now) : []),
  ];
}

/** An oversight of the public service that the sandbox does not have. */
function noteFinancialYears({ interval, window: { start, end } }: Query): string[] {
  if (interval !== "fy" || (start !== undefined && end !== undefined && end - start <= 7 * DAY)) return [];
  return [
    `OpenElectricity refuses ${QUERY_OPTIONS.interval.short} fy for more than 7 days; ${QUERY_OPTIONS.interval.short} 1M has its months`,
  ];
}

/** Days and longer are those of the network, whatever zone is printed. */
function noteZone({ network, interval, window: { start, end } }: Query, zone: Zone): string[] {
  const offset = findNetwork(network)?.offsetMinutes;
  const differs = (at: LocalTime | undefined) =>
    at !== undefined && offset !== undefined && zone.offsetAt?.(at - offset * MINUTE) !== offset;
  if (!zone.offsetAt || interval === undefined || !isDayOrLonger(interval) || !(differs(start) || differs(end)))
    return [];
  return [`dates are those of network time, as intervals of ${interval} are; ${nameZone(zone)} has only finer ones`];
}

/** Newest values that the service will change are told where one looks at single values. */
function noteProvisional({ network, metrics, window: { end }, settledAt }: Query, now: number): string[] {
  const [{ metric, lasts } = { metric: "", lasts: 0 }] = metrics
    .map((name) => ({ metric: name, lasts: findProvisional(network, name) }))
    .toSorted((a, b) => b.lasts - a.lasts);
  const offset = (findNetwork(network)?.offsetMinutes ?? 0) * MINUTE;
  if (lasts === 0 || settledAt !== undefined || (end ?? Number.POSITIVE_INFINITY) < now + offset - lasts) return [];
  const why =
    lasts >= DAY
      ? `of the last ${lasts / DAY} days is provisional: metered values replace it`
      : `of the last ${lasts / MINUTE} minutes is provisional: rooftop solar comes late`;
  return [`${metric} ${why}; ${QUERY_FLAGS.settled} leaves such values out`];
}
