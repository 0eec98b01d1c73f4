/** Titles and names. */
import { extent } from "d3-array";
import { keyLabel, orderLabelNames, listLabelLists } from "../../../series/order.ts";
import { findLabel, findClockOffset, type Label, type TimeSeries } from "../../../series/time-series.ts";
import { toJsonText } from "../../../base/json.ts";
import { escapeControls } from "../../../base/terminal.ts";
import type { Query } from "../../../query/query.ts";
import { formatOffset } from "../../../time/local-time.ts";
import { NETWORK_ZONE, nameZone, type Zone } from "../../../time/zone.ts";
import { createMomentPrinter, WallClockTime } from "../../table/stamps.ts";
import type { FuelSource } from "../../../series/fuels.ts";
import type { Picture, Subject, TimeAxis } from "./picture.ts";

export function findVaryingLabels(sources: readonly FuelSource[]): string[] {
  const isVarying = (label: string) => new Set(sources.map(({ series }) => keyLabel(findLabel(series, label)))).size > 1;
  return listLabels(sources).filter(isVarying);
}

function listLabels(sources: readonly FuelSource[]): string[] {
  return orderLabelNames(listLabelLists(sources.map(({ item, series }) => ({ ...item, series: [series] }))));
}

/** Names each series by what distinguishes it from the others. */
export function nameSources(sources: readonly FuelSource[]): string[] {
  const labels = findVaryingLabels(sources);
  const isOneMetric = new Set(sources.map(({ item }) => item.metric)).size === 1;
  const counts = new Map<string, number>();
  return sources.map(({ item, series }) => {
    const values = labels.map((label) => nameLabel(label, findLabel(series, label)));
    const parts = isOneMetric && values.length > 0 ? values : [item.metric, ...values];
    const name = escapeControls(parts.join(", "));
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function nameLabel(label: string, value: Label): string {
  if (value === null) return "(none)";
  if (typeof value === "boolean") return value ? label : `not ${label}`;
  return typeof value === "string" ? value : toJsonText(value);
}

/** `Price`, `Demand, demand gross` */
export function titleMetrics(sources: readonly FuelSource[]): string {
  return toTitle([...new Set(sources.map(({ item }) => item.metric))].join(", "));
}

function toTitle(text: string): string {
  const words = escapeControls(text.replaceAll("_", " "));
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** `Power by fueltech, NSW1`; `Power, BW01` */
export function nameSubject(timeSeries: readonly TimeSeries[], query: Query | undefined): string {
  const sources = timeSeries.flatMap((item) => item.series.map((series) => ({ item, series })));
  const metrics = [...new Set(sources.length > 0 ? timeSeries.map(({ metric }) => metric) : query?.metrics)];
  const varying = findVaryingLabels(sources);
  const network = query?.network ?? timeSeries[0]?.network;
  const constant = listLabels(sources)
    .filter((label) => !varying.includes(label))
    .map((label) => nameLabel(label, findLabel((sources[0] as FuelSource).series, label)))
    .filter((value) => value !== network);
  const named = new Set(sources.flatMap(({ series }) => Object.values(series.labels).map(String)));
  const by = varying.length > 0 ? ` by ${varying.join(" and ")}` : "";
  return [toTitle(metrics.join(", ") + by || "no data"), ...[...constant, ...nameFilters(query, named)].map(escapeControls)].join(", ");
}

/** Parameters that filter a query without adding labels to the responses. */
const FILTERS = ["network_region", "fueltech", "fueltech_group", "facility_code", "unit_code"];
const MAX_NAMED = 3;

/** Names the filters that no label mentions. */
function nameFilters(query: Query | undefined, named: ReadonlySet<string>): string[] {
  const filters = query?.parameters.filter(({ name, values }) => FILTERS.includes(name) && !values.some((value) => named.has(value))) ?? [];
  return filters.map(({ values }) => {
    const rest = values.length - MAX_NAMED;
    return values.slice(0, MAX_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  });
}

/** `synthetic data, NEM, 2026-11-20 to 2026-11-21, 5m intervals, network time (+10:00)` */
export function describeSubject(
  timeSeries: readonly TimeSeries[],
  { time, zone, query, isSynthetic }: Subject & Pick<Picture, "time">,
): string {
  const network = query?.network ?? timeSeries[0]?.network;
  const interval = timeSeries[0]?.fields["interval"] ?? query?.interval;
  const parts = [
    isSynthetic ? "synthetic data" : undefined,
    network,
    describePeriod(timeSeries, time),
    typeof interval === "string" ? `${interval} intervals` : undefined,
    describeZone(zone, timeSeries),
  ];
  return escapeControls(parts.filter((part) => part !== undefined && part !== "").join(", "));
}

/** The period from the first point to the last, as short as the interval allows. */
function describePeriod(timeSeries: readonly TimeSeries[], { toWallClock, interval }: TimeAxis): string | undefined {
  const instants = timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => [points.instants[0], points.instants.at(-1)]));
  const [start, end] = extent(instants, (instant) => instant);
  if (start === undefined) return undefined;
  const moments = [start, end].map((instant) => new WallClockTime(instant, toWallClock(instant)));
  const texts = moments.map(createMomentPrinter(moments, interval));
  return [...new Set(texts)].join(" to ");
}

function describeZone(zone: Zone, timeSeries: readonly TimeSeries[]): string {
  const offset = zone === NETWORK_ZONE && timeSeries[0] ? ` (UTC${formatOffset(findClockOffset(timeSeries[0]))})` : "";
  return nameZone(zone) + offset;
}
