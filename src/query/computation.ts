/** Metrics that ents computes, and units that it adds up: what is asked for in their place, and what is made of it. */
import { usageError } from "../base/errors.ts";
import { type Interval, isDayOrLonger, isInterval, lengthOf } from "../base/intervals.ts";
import { FUEL_LABELS, type FuelLabel, isFuelLabel } from "../base/fueltechs.ts";
import { formatList } from "../base/phrases.ts";
import { ROOFTOP_REACH } from "../base/provisional.ts";
import {
  ALL_METRICS,
  COMPUTED_METRICS,
  type ComputedFacts,
  type ComputedMetric,
  isComputed,
} from "../base/computed-metrics.ts";
import { ADDED_UNITS, type CommandName, LABELS, type UNIT_GROUPS, type UnitGroup } from "../base/vocabulary.ts";
import { listMembers } from "../facilities/filter.ts";
import { QUERY_FLAGS, QUERY_OPTIONS, type QueryValues } from "../options/query-options.ts";
import { HOUR, type LocalTime, MINUTE } from "../time/local-time.ts";
import type { Window } from "./window.ts";

/** What is made of the responses before it is printed. */
export interface Computation {
  readonly metrics: readonly ComputedMetric[];
  /** What fueltechs are asked for to be added up to: the whole of a network or region, or its groups. */
  readonly summed?: "network" | "fueltech_group" | "renewable" | undefined;
  /** The series to print, if others are asked for to compute with. */
  readonly selected?: { readonly label: string; readonly values: readonly string[] } | undefined;
  /** What `share` is a share of. */
  readonly shared: "energy" | "power";
  /** What units are added up by; undefined if they are not. */
  readonly groups?: readonly UnitGroup[] | undefined;
  readonly capacity: "maximum" | "registered";
  /** The units of a facilities query, from the list of units; undefined without a list. */
  readonly fleet?: Fleet | undefined;
}

/** Facts about the units of a query. */
export interface Fleet {
  /** All units of the list, by code. */
  readonly units: ReadonlyMap<string, FleetUnit>;
  /** The units that the query asks for. */
  readonly requested: readonly FleetUnit[];
  /** When the list was received, in milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

/** The time that one value of a unit covers, in milliseconds. */
export const BASE_INTERVAL = 5 * MINUTE;

/** Instants are in milliseconds since 1970 UTC. */
export interface FleetUnit {
  readonly code: string;
  /** The values of the labels that units are added up by. */
  readonly labels: Readonly<Record<Exclude<(typeof UNIT_GROUPS)[UnitGroup], undefined>, string | null>>;
  readonly fueltech: string | undefined;
  /** True if it draws power from the network. */
  readonly isLoad: boolean;
  /** In MW. */
  readonly capacity: number | undefined;
  /** The time of its first value; undefined if it has none yet. */
  readonly first: number | undefined;
  /** The end of its last value as the list was received; of a retired unit, of its last one ever. */
  readonly last: number | undefined;
  readonly isRetired: boolean;
}

/**
 * True if what is computed needs the list of units; other ratios of a unit are the same without it, but for batteries.
 */
export function needsUnits(computation: Computation | undefined): boolean {
  return computation?.groups !== undefined || computation?.metrics.includes("capacity_factor") === true;
}

/** Which capacity a capacity factor is of. Empty without one. */
export function describeCapacity({ computation }: { readonly computation?: Computation | undefined }): string[] {
  if (!computation?.metrics.includes("capacity_factor")) return [];
  return [
    `capacity_factor is of the ${computation.capacity === "registered" ? "registered capacity" : "maximum capacity, else the registered one"}`,
  ];
}

/** What a query asks the service for. */
interface Sent {
  readonly metrics: string[];
  readonly secondaryGrouping?: string | undefined;
  readonly fueltech?: string[] | undefined;
  readonly fueltechGroup?: string[] | undefined;
}

interface ResolvedComputation {
  readonly sent: Sent;
  /** Undefined if what comes is printed as it is. */
  readonly computation: Computation | undefined;
}

type ComputationValues = Pick<
  QueryValues,
  | "metrics"
  | "interval"
  | "networkRegion"
  | "groupBy"
  | "primaryGrouping"
  | "secondaryGrouping"
  | "fueltech"
  | "fueltechGroup"
  | "capacity"
>;

/**
 * `values`: with the groupings resolved. @throws {EntsError} usage: a metric or a group that the command cannot
 * compute.
 */
export function resolveComputation(values: ComputationValues, command: CommandName): ResolvedComputation {
  const { metrics, capacity = "maximum" } = values;
  const computed = metrics.filter(isComputed);
  const label = findFuelLabel(values);
  for (const name of computed) checkMetric(name, values, command);
  const groups = command === "facilities" ? (values.groupBy as readonly UnitGroup[] | undefined) : undefined;
  if (groups) checkSums(metrics);
  if (capacity !== "maximum" && !computed.includes("capacity_factor"))
    throw usageError(
      `${QUERY_FLAGS.capacity} only works with the metric capacity_factor`,
      `add it to ${QUERY_OPTIONS.metrics.short}`,
    );
  if (computed.length === 0 && !groups) return { sent: { metrics }, computation: undefined };
  const shared = metrics.includes("power") && !metrics.includes("energy") ? "power" : "energy";
  const partsOf = (name: string) =>
    isComputed(name) ? (name === "share" ? [shared] : COMPUTED_METRICS[name].parts) : [name];
  const summed =
    command === "network" && computed.length > 0 && label !== "fueltech" ? (label ?? "network") : undefined;
  if (summed === "network" || summed === "renewable") checkTotal(metrics, computed, summed);
  return {
    sent: {
      metrics: [...new Set(metrics.flatMap(partsOf))],
      ...(command === "network" ? sendFueltechs(values, computed) : {}),
    },
    computation: {
      metrics: computed,
      summed,
      selected: computed.includes("share") ? findSelected(values) : undefined,
      shared,
      groups,
      capacity,
    },
  };
}

/** The label that fueltechs are printed by; a filter forces its own. */
function findFuelLabel({ secondaryGrouping, fueltech, fueltechGroup }: ComputationValues): FuelLabel | undefined {
  if (fueltech) return "fueltech";
  if (fueltechGroup) return "fueltech_group";
  return isFuelLabel(secondaryGrouping) ? secondaryGrouping : undefined;
}

/**
 * Computed metrics are asked by fueltech, whatever they are added up to; a share needs all fueltechs, whichever are
 * printed.
 */
function sendFueltechs(
  { fueltech, fueltechGroup }: ComputationValues,
  computed: readonly ComputedMetric[],
): Omit<Sent, "metrics"> {
  if (computed.length === 0) return {};
  if (computed.includes("share") || (!fueltech && !fueltechGroup))
    return { secondaryGrouping: "fueltech", fueltech: undefined, fueltechGroup: undefined };
  const members = listMembers(fueltechGroup ?? []);
  return fueltech || members.length === 0 ? {} : { fueltech: members, fueltechGroup: undefined };
}

function findSelected({ fueltech, fueltechGroup }: ComputationValues): Computation["selected"] {
  if (fueltech) return { label: "fueltech", values: fueltech };
  return fueltechGroup && { label: "fueltech_group", values: fueltechGroup };
}

function checkMetric(
  name: ComputedMetric,
  { secondaryGrouping, ...values }: ComputationValues,
  command: CommandName,
): void {
  const { offeredBy }: ComputedFacts = COMPUTED_METRICS[name];
  if (!offeredBy.includes(command))
    throw usageError(
      `'ents ${command}' has no ${name}`,
      `use ${formatList(
        offeredBy.map((other) => `'ents ${other}'`),
        "or",
      )}`,
    );
  if (name === "net_imports") return checkRegions(name, values);
  if (name === "demand_weighted_price") return checkWeighted(values);
  const flag = `${QUERY_FLAGS.groupBy} ${formatList(FUEL_LABELS, "or")}`;
  const isOther = secondaryGrouping !== undefined && !isFuelLabel(secondaryGrouping);
  if (isOther)
    throw usageError(`${name} is made of fueltechs, and cannot be computed by ${secondaryGrouping}`, `use ${flag}`);
  if (name === "share" && findFuelLabel({ secondaryGrouping, ...values }) === undefined)
    throw usageError("share needs series that can be compared", `add ${flag}`);
}

function checkRegions(
  name: ComputedMetric,
  { networkRegion, primaryGrouping }: Pick<ComputationValues, "networkRegion" | "primaryGrouping">,
): void {
  if (!networkRegion && primaryGrouping !== LABELS.region.grouping)
    throw usageError(`${name} is of regions`, `add ${QUERY_FLAGS.groupBy} region, or name one: -r NSW1`);
}

/** Demand differs from region to region, and within a day. */
function checkWeighted({ interval, ...values }: Omit<ComputationValues, "secondaryGrouping">): void {
  checkRegions("demand_weighted_price", values);
  if (interval === undefined || !isInterval(interval) || lengthOf(interval) <= HOUR) return;
  throw usageError(
    `demand_weighted_price needs intervals of an hour or less, whose prices it weights; this is ${interval}`,
    `use ${QUERY_OPTIONS.interval.short} 5m --summary-only`,
  );
}

/** A service's metric would come by fueltech, and stand beside a total. */
function checkTotal(metrics: readonly string[], computed: readonly string[], summed: "network" | "renewable"): void {
  const others = metrics.filter((name) => !computed.includes(name));
  if (others.length === 0) return;
  throw usageError(
    `${formatList(computed, "and")} ${summed === "network" ? "of a whole network or region" : "by renewable"} is computed from its fueltechs, and ${formatList(others, "and")} would come by fueltech`,
    `${summed === "network" ? "add" : "use"} ${QUERY_FLAGS.groupBy} fueltech, or ask for ${formatList(others, "and")} in another command`,
  );
}

function checkSums(metrics: readonly string[]): void {
  const other = metrics.find((name) => {
    const unit = isComputed(name) ? undefined : ALL_METRICS[name]?.unit;
    return unit !== undefined && !ADDED_UNITS.includes(unit);
  });
  if (other === undefined) return;
  throw usageError(`${other} of several units cannot be added up`, `leave out ${other}, or ${QUERY_FLAGS.groupBy}`);
}

interface LeadOptions {
  readonly window: Window;
  readonly interval: Interval | undefined;
  readonly isFollowed: boolean;
  /** In network time, if it is known. */
  readonly now: LocalTime | undefined;
}

/** True if fueltechs are added up in intervals in which rooftop solar may be late. */
export function awaitsRooftop({ summed, metrics }: Computation, interval: Interval | undefined): boolean {
  return (summed !== undefined || metrics.includes("share")) && !isDayOrLonger(interval);
}

/** How far before a short window rooftop solar is asked for, to tell whether it is late. */
export function findLead(
  computation: Computation,
  { window, interval, isFollowed, now }: LeadOptions,
): number | undefined {
  if (!awaitsRooftop(computation, interval) || window.start === undefined) return undefined;
  const end = window.end ?? now ?? Number.POSITIVE_INFINITY;
  return isFollowed || end - window.start < ROOFTOP_REACH ? ROOFTOP_REACH : undefined;
}
