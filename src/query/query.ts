import { EntsError, usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { nameOf, toList } from "../options/check.ts";
import { QUERY_FLAGS, QUERY_OPTIONS, type QueryValues } from "../options/query-options.ts";
import { optionsOf, type OptionSpec } from "../options/spec.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { type Interval, isDayOrLonger, isInterval } from "../base/intervals.ts";
import {
  type CommandName,
  findNetwork,
  findNetworkCode,
  type GroupLabel,
  LABELS,
  NETWORKS,
} from "../base/vocabulary.ts";
import { checkCodes, warnOfForcedGrouping } from "./codes.ts";
import { type Computation, findLead, resolveComputation } from "./computation.ts";
import type { Parameter } from "./parameters.ts";
import { localNow } from "../time/when.ts";
import type { Zone } from "../time/zone.ts";
import { resolveTransforms, type Transforms } from "./transforms.ts";
import { type PartialIntervals, resolveWindow, type Window, type WindowValues } from "./window.ts";
import type { TransformValues } from "../options/transform-options.ts";

/** A checked query to a v4 service. */
export interface Query {
  readonly command: CommandName;
  /** The network's code, in any case if ents knows it. */
  readonly network: string;
  /** The metrics to print, in the user's order (also that of rows and columns), without duplicates. */
  readonly metrics: readonly string[];
  /** Undefined if the service chooses it or v4 does not list it. */
  readonly interval: Interval | undefined;
  readonly window: Window;
  /** The end of measured data, in network time, exclusive, if the window goes on for forecasts. */
  readonly measuredUntil?: LocalTime;
  /** The window as network time has it, if an update may go on with that. */
  readonly unzoned?: Window;
  /** When values must be settled, in milliseconds since 1970 UTC; undefined if provisional ones are printed, too. */
  readonly settledAt?: number;
  /** How far before its start data are asked for, to compute with, in milliseconds. */
  readonly lead?: number;
  /** A window that ends before that, of which data are asked for, too. */
  readonly earlier?: Window;
  /** Of kept series, those that are printed. */
  readonly chosen?: readonly Chosen[];
  /** What is made of values of other intervals or series before they are printed. */
  readonly transforms?: Transforms;
  /**
   * All query parameters in the order sent, with the window as `date_start` and `date_end`. Several values of
   * `network_region` are not sent, as v4 takes only one: their series are picked from the response.
   */
  readonly parameters: readonly Parameter[];
  /**
   * Units selected one by one, with their facilities, and divided among the requests. If empty, there is no request.
   */
  readonly units?: readonly PickedUnit[] | undefined;
  /**
   * The parameters of each batch of codes, if kept responses fix the batches; by default, batches are made from the
   * codes.
   */
  readonly batches?: readonly (readonly Parameter[])[] | undefined;
  /** What is made of the responses before it is printed; undefined if that is what came. */
  readonly computation?: Computation | undefined;
}

/** Series with one of these values of a label, or of `metric`, in any case. */
export interface Chosen {
  readonly label: string;
  readonly values: readonly string[];
}

export type ComputedQuery = Query & { readonly computation: Computation };

export interface PickedUnit {
  readonly facility: string;
  readonly unit: string;
}

export interface QuerySubject {
  readonly command: CommandName;
  readonly network: string;
  /** Milliseconds since 1970 UTC: `now`, `today` and `--last` are relative to it. */
  readonly now: number;
  /** The zone of the output. */
  readonly zone?: Zone | undefined;
}

export interface QueryResult {
  readonly query: Query;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** A query, with its partial intervals apart from its warnings. */
interface ResolvedQuery extends QueryResult {
  readonly partial: readonly PartialIntervals[];
}

/**
 * Builds a query from checked options. @throws {EntsError} usage: no network, an unknown code, or an invalid window.
 */
export function resolveQuery(
  options: WindowValues & Partial<TransformValues>,
  { command, network: typed, now, zone }: QuerySubject,
): ResolvedQuery {
  const network = spellNetwork(typed, command, options.allowUnknown);
  const interval = options.interval !== undefined && isInterval(options.interval) ? options.interval : undefined;
  const when = {
    network,
    offsetMinutes: findNetwork(network)?.offsetMinutes,
    now,
    zone: isDayOrLonger(interval) ? undefined : zone,
  };
  const { window, measuredUntil, notes, warnings, partial, codes } = readBoth(
    () => resolveWindow(options, interval, when),
    // In `ents facilities`, these options filter a fetched list of units instead of being sent, so they are not checked
    // here.
    () => ({
      codes: command === "facilities" ? { values: options, warnings: [] } : checkCodes(options, command, network),
    }),
  );
  const grouped = { ...codes.values, ...(command === "facilities" ? {} : resolveGroupings(codes.values)) };
  const { sent: asked, computation } = resolveComputation(grouped, command);
  const resolved = { ...grouped, ...asked };
  if (options.follow && options.settled)
    throw usageError("--settled cannot be used with --follow", "leave one of them out");
  const clock = when.offsetMinutes === undefined ? undefined : localNow(when, "now");
  const sent = listSent(command);
  const parameters = listParameters(sent, resolved, window);
  const reach = resolveReach(options, { command, network, interval, window, parameters, computation }, clock);
  const query = {
    command,
    network,
    metrics: options.metrics,
    interval,
    window,
    parameters,
    ...(measuredUntil === undefined ? {} : { measuredUntil }),
    ...reach,
    ...(options.update && zone
      ? { unzoned: resolveWindow(options, interval, { ...when, zone: undefined }).window }
      : {}),
    ...(options.settled ? { settledAt: now } : {}),
    ...(computation === undefined ? {} : { computation }),
  };
  const unknown = sent.flatMap(([key, spec]) => findUnknown(key, spec, options));
  const tell = (isTaken: boolean) => unknown.filter((value) => value.isTaken === isTaken).map(({ text }) => text);
  const told = {
    notes: [...notes, ...tell(true)],
    warnings: [
      ...tell(false),
      ...codes.warnings,
      ...warnOfForcedGrouping({ parameters: listParameters(sent, grouped, window) }),
      ...warnings,
    ],
  };
  // With what comes before it, the first interval is whole.
  const isFirst = ({ starts, isEdge }: PartialIntervals) => isEdge && (starts[0] ?? 0) < (window.start ?? 0);
  const isReached = reach.transforms !== undefined && reach.lead !== undefined;
  return { query, ...told, partial: isReached ? partial.filter((group) => !isFirst(group)) : partial };
}

/** What is computed along time or between series, and how far before the window that needs data. */
function resolveReach(
  options: WindowValues & Partial<TransformValues>,
  query: Parameters<typeof resolveTransforms>[1],
  now: LocalTime | undefined,
): Pick<Query, "transforms" | "lead" | "earlier"> {
  const { lead: before = 0, ...transformed } = resolveTransforms(options, query, now);
  const { computation, window, interval } = query;
  const late =
    computation && !options.update
      ? findLead(computation, { window, interval, isFollowed: options.follow === true, now })
      : undefined;
  const lead = before + (late ?? 0);
  return lead > 0 ? { ...transformed, lead } : transformed;
}

function listSent(command: CommandName): readonly [key: string, spec: OptionSpec][] {
  const options = Object.entries<OptionSpec>(optionsOf(QUERY_OPTIONS, command));
  return options.filter(([, spec]) => spec.parameter !== undefined);
}

/** Returns both results. If both fail, the error of the first names the mistake of the second too. */
function readBoth<A, B>(first: () => A, second: () => B): A & B {
  try {
    const one = first();
    return { ...one, ...second() };
  } catch (error) {
    const other = findError(second);
    if (!(error instanceof EntsError) || other === undefined || other.message === error.message) throw error;
    throw error.withHint([error.hint, other.message].filter(Boolean).join("\n"));
  }
}

function findError(work: () => unknown): EntsError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof EntsError) return error;
  }
  return undefined;
}

/**
 * Spells a known code as the service does. The code becomes one segment of the path, so it cannot be `..` or contain a
 * separator. `isFree`: codes are sent unchanged.
 */
function spellNetwork(code: string, command: CommandName, isFree: boolean): string {
  const use = "use a network code such as NEM or WEM";
  if (code.trim() === "") throw usageError("the network code is empty", use);
  const found = /^\.+$|[\s/\\?#%\p{Cc}]/u.exec(code)?.[0];
  if (found !== undefined) throw usageError(`invalid network code "${code}"; it cannot contain "${found}"`, use);
  const known = isFree ? undefined : findNetworkCode(code);
  const slips =
    isFree || known !== undefined || !/^[a-z]+$/i.test(code) ? [] : findNearest(code, Object.keys(NETWORKS));
  const slip = slips.find(({ length }) => length === code.length);
  if (slip !== undefined)
    throw usageError(`unknown network "${code}"`, `use ${QUERY_FLAGS.allowUnknown} to ask for it anyway`, {
      value: code,
      didYouMean: [slip],
    });
  if (known === undefined || known === code.toUpperCase()) return known ?? code;
  throw usageError(`unknown network "${code}"`, "see 'ents list networks' for all", {
    value: code,
    didYouMean: [`'ents ${command} ${known}'`],
  });
}

function listParameters(
  sent: readonly [key: string, spec: OptionSpec][],
  options: QueryValues,
  window: Window,
): Parameter[] {
  const resolved: Readonly<Record<string, unknown>> = {
    ...options,
    dateStart: window.start === undefined ? undefined : formatLocalTime(window.start),
    dateEnd: window.end === undefined ? undefined : formatLocalTime(window.end),
  };
  return sent
    .map(([key, spec]) => ({ name: spec.parameter ?? key, values: toList(resolved[key]) }))
    .filter(({ values }) => values.length > 0);
}

/** Values that are not among the choices. `isTaken`: they need no `--allow-unknown`. */
function findUnknown(
  key: string,
  spec: OptionSpec,
  options: QueryValues,
): { readonly text: string; readonly isTaken: boolean }[] {
  return toList(options[key as keyof QueryValues])
    .filter((value) => spec.choices && !spec.choices.includes(value))
    .map((value) => ({
      text: `unknown ${nameOf(key, spec)} "${value}" (sent anyway)`,
      isTaken: spec.alsoTakes?.(value) ?? false,
    }));
}

/** The option for each grouping parameter. `--group-by` sets both options by label. */
const KEYS = { primary_grouping: "primaryGrouping", secondary_grouping: "secondaryGrouping" } as const;

type Groupings = Pick<QueryValues, (typeof KEYS)[keyof typeof KEYS]>;

/** @throws {EntsError} usage: two labels of one grouping, or a label together with the flag of its grouping. */
function resolveGroupings({
  groupBy = [],
  primaryGrouping,
  secondaryGrouping,
  networkRegion = [],
}: QueryValues): Groupings {
  const explicit: Groupings = { primaryGrouping, secondaryGrouping };
  const labels = new Map<keyof Groupings, GroupLabel>();
  for (const label of groupBy as readonly GroupLabel[]) {
    const key = KEYS[LABELS[label].parameter];
    const other = labels.get(key);
    if (other !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} takes ${other} or ${label}, not both`, "run the command once for each");
    if (explicit[key] !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} ${label} cannot be used with ${QUERY_FLAGS[key]}`, "use one of them");
    labels.set(key, label);
  }
  const groupings: Groupings = {
    ...explicit,
    ...Object.fromEntries(Array.from(labels, ([key, label]) => [key, LABELS[label].grouping])),
  };
  return networkRegion.length > 1 ? addRegionGrouping(groupings) : groupings;
}

/** Groups by region, so that several regions can be picked from a response with all of them. */
function addRegionGrouping(groupings: Groupings): Groupings {
  const { grouping } = LABELS.region;
  if ((groupings.primaryGrouping ?? grouping) === grouping) return { ...groupings, primaryGrouping: grouping };
  throw usageError(
    `${QUERY_OPTIONS.networkRegion.short} with several regions groups by region, not by ${groupings.primaryGrouping}`,
    "leave out the grouping, or name one region",
  );
}
