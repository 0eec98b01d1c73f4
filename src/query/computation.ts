/** Metrics that ents computes, and units that it adds up: what is asked for in their place, and what is made of it. */
import { usageError } from "../base/errors.ts";
import { formatList } from "../base/phrases.ts";
import { ALL_METRICS, COMPUTED_METRICS, type ComputedFacts, type ComputedMetric, isComputed } from "../base/computed-metrics.ts";
import { ADDED_UNITS, type CommandName, type UNIT_GROUPS, type UnitGroup } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS, type QueryValues } from "../options/query-options.ts";
import { MINUTE } from "../time/local-time.ts";

/** What is made of the responses before it is printed. */
export interface Computation {
  readonly metrics: readonly ComputedMetric[];
  /** True if the fueltechs of a network or region are asked for, to print their total. */
  readonly isTotal: boolean;
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
export const READING = 5 * MINUTE;

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

/** True if what is computed needs the list of units; other ratios of a unit are the same without it, but for batteries. */
export function needsUnits(computation: Computation | undefined): boolean {
  return computation?.groups !== undefined || computation?.metrics.includes("capacity_factor") === true;
}

/** What a query asks the service for. */
interface Sent {
  readonly metrics: string[];
  readonly secondaryGrouping?: string;
}

interface ResolvedComputation {
  readonly sent: Sent;
  /** Undefined if what comes is printed as it is. */
  readonly computation: Computation | undefined;
  readonly notes: readonly string[];
}

type Values = Pick<QueryValues, "metrics" | "groupBy" | "secondaryGrouping" | "fueltech" | "fueltechGroup" | "capacity">;

/** `values`: with the groupings resolved. @throws {EntsError} usage: a metric or a group that the command cannot compute. */
export function resolveComputation(values: Values, command: CommandName): ResolvedComputation {
  const { metrics, secondaryGrouping, capacity = "maximum" } = values;
  const computed = metrics.filter(isComputed);
  for (const name of computed) checkMetric(name, values, command);
  const groups = command === "facilities" ? (values.groupBy as readonly UnitGroup[] | undefined) : undefined;
  if (groups) checkSums(metrics);
  if (capacity !== "maximum" && !computed.includes("capacity_factor"))
    throw usageError(`${QUERY_FLAGS.capacity} only works with the metric capacity_factor`, `add it to ${QUERY_OPTIONS.metrics.short}`);
  if (computed.length === 0 && !groups) return { sent: { metrics }, computation: undefined, notes: [] };
  const shared = metrics.includes("power") && !metrics.includes("energy") ? "power" : "energy";
  const isTotal = command === "network" && secondaryGrouping === undefined && !values.fueltech && !values.fueltechGroup;
  if (isTotal) checkTotal(metrics, computed);
  const partsOf = (name: string) => (isComputed(name) ? (name === "share" ? [shared] : COMPUTED_METRICS[name].parts) : [name]);
  return {
    sent: { metrics: [...new Set(metrics.flatMap(partsOf))], ...(isTotal ? { secondaryGrouping: "fueltech" } : {}) },
    computation: { metrics: computed, isTotal, shared, groups, capacity },
    notes: computed.includes("share") ? noteSelection(values) : [],
  };
}

function checkMetric(name: ComputedMetric, { secondaryGrouping, fueltech, fueltechGroup }: Values, command: CommandName): void {
  const { offeredBy }: ComputedFacts = COMPUTED_METRICS[name];
  if (!offeredBy.includes(command))
    throw usageError(
      `'ents ${command}' has no ${name}`,
      `use ${formatList(
        offeredBy.map((other) => `'ents ${other}'`),
        "or",
      )}`,
    );
  if (name !== "share" || fueltech || fueltechGroup || SHARED_BY.includes(secondaryGrouping ?? "")) return;
  throw usageError(`share needs series that can be compared`, `add ${QUERY_FLAGS.groupBy} ${formatList(SHARED_BY, "or")}`);
}

/** The groupings whose values are parts of a whole. */
const SHARED_BY = ["fueltech", "fueltech_group", "renewable"];

function noteSelection({ fueltech, fueltechGroup }: Values): string[] {
  if (!fueltech && !fueltechGroup) return [];
  const flag = fueltech ? QUERY_FLAGS.fueltech : QUERY_FLAGS.fueltechGroup;
  return [`with ${flag}, share is of what it selects, not of all that generates`];
}

/** A service's metric would come by fueltech, and stand beside a total. */
function checkTotal(metrics: readonly string[], computed: readonly string[]): void {
  const others = metrics.filter((name) => !computed.includes(name));
  if (others.length === 0) return;
  throw usageError(
    `${formatList(computed, "and")} of a whole network or region is computed from its fueltechs, and ${formatList(others, "and")} would come by fueltech`,
    `add ${QUERY_FLAGS.groupBy} fueltech, or ask for ${formatList(others, "and")} in another command`,
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
