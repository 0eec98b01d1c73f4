import type * as z from "zod/mini";
import { usageError } from "../base/errors.ts";
import { didYouMean } from "../base/phrases.ts";
import { createSchema, optionError } from "../options/parse.ts";
import { nameOf, toList } from "../options/check.ts";
import { QUERY_FLAGS, QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { optionsOf, type OptionSpec } from "../options/spec.ts";
import { formatLocalTime } from "../time/local-time.ts";
import { type CommandName, findNetwork, type GroupLabel, type Interval, isInterval, LABELS, NETWORKS } from "../base/vocabulary.ts";
import { warnOfForcedGrouping, warnOfUnknownCodes } from "./code-warnings.ts";
import { resolveWindow, type Window, type WindowValues } from "./window.ts";

/** A checked query to a v4 service. */
export interface Query {
  readonly command: CommandName;
  /** The network's code, unchanged: codes are case-sensitive. */
  readonly network: string;
  /** In the user's order, which is that of rows and columns, without duplicates. */
  readonly metrics: readonly string[];
  /** Undefined if the service chooses it or v4.md does not list it. */
  readonly interval: Interval | undefined;
  readonly window: Window;
  /** All query parameters in the order sent, with the window as `date_start` and `date_end`. */
  readonly parameters: readonly Parameter[];
  /** Units that were picked one by one, by facility: a request has some of them, with their facilities. With none there is no request. */
  readonly units?: readonly PickedUnit[] | undefined;
  /** The parameters of each batch of codes, where answers are kept in batches; by default they are made of the codes. */
  readonly batches?: readonly (readonly Parameter[])[] | undefined;
}

export interface PickedUnit {
  readonly facility: string;
  readonly unit: string;
}

export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

export interface QueryRequest extends QuerySubject {
  readonly input: QueryInput;
}

/** The parts of a query that are not options. */
export interface QuerySubject {
  readonly command: CommandName;
  readonly network: string;
  /** Milliseconds since 1970 UTC: `now`, `today` and `--last` are relative to it. */
  readonly now: number;
}

export interface QueryResult {
  readonly query: Query;
  readonly warnings: readonly string[];
}

/**
 * Checks the options and builds the query.
 * @throws {EntsError} usage: names the flag, the value, and what v4 allows.
 */
export function buildQuery({ input, ...subject }: QueryRequest): QueryResult {
  const checked = querySchemas[subject.command].safeParse(input);
  if (checked.success) return resolveQuery(checked.data, subject);
  throw optionError(QUERY_OPTIONS, checked.error);
}

/** Builds a query from checked options. @throws {EntsError} usage: no network, or an invalid window. */
export function resolveQuery(options: WindowValues, { command, network, now }: QuerySubject): QueryResult {
  checkNetwork(network, options.allowUnknown);
  const interval = options.interval !== undefined && isInterval(options.interval) ? options.interval : undefined;
  const when = { network, offsetMinutes: findNetwork(network)?.offsetMinutes, now };
  const { window, warnings } = resolveWindow(options, interval, when);
  const resolved = { ...options, ...resolveGroupings(options) };
  const sent = Object.entries<OptionSpec>(optionsOf(QUERY_OPTIONS, command)).filter(([, spec]) => spec.parameter !== undefined);
  const query = { command, network, metrics: options.metrics, interval, window, parameters: listParameters(sent, resolved, window) };
  const unknown = sent.flatMap(([key, spec]) => warnOfUnknown(key, spec, options));
  return { query, warnings: [...unknown, ...warnOfUnknownCodes(query), ...warnOfForcedGrouping(query), ...warnings] };
}

/** The code is one segment of the path: `..`, or one that a server reads as several, would name another endpoint. */
function checkNetwork(code: string, allowUnknown: boolean): void {
  if (code.trim() === "") throw usageError("the network code is empty", "use a network code such as NEM or WEM");
  const found = /^\.+$|[\s/\\?#%\p{Cc}]/u.exec(code)?.[0];
  if (found !== undefined) throw invalidNetwork(code, found);
  const known = Object.keys(NETWORKS).find((name) => name === code.toUpperCase() && name !== code);
  if (known === undefined || allowUnknown) return;
  throw usageError(`unknown network "${code}"${didYouMean([known])}`, "network codes are case-sensitive");
}

function invalidNetwork(code: string, found: string): Error {
  return usageError(`invalid network code "${code}"; it cannot contain "${found}"`, "use a network code such as NEM or WEM");
}

type NamedSpec = [key: string, spec: OptionSpec];

function listParameters(sent: readonly NamedSpec[], options: QueryValues, window: Window): Parameter[] {
  const resolved: Readonly<Record<string, unknown>> = {
    ...options,
    dateStart: window.start === undefined ? undefined : formatLocalTime(window.start),
    dateEnd: window.end === undefined ? undefined : formatLocalTime(window.end),
  };
  return sent
    .map(([key, spec]) => ({ name: spec.parameter ?? key, values: toList(resolved[key]) }))
    .filter(({ values }) => values.length > 0);
}

function warnOfUnknown(key: string, spec: OptionSpec, options: QueryValues): string[] {
  return toList(options[key as keyof QueryValues])
    .filter((value) => spec.choices && !spec.choices.includes(value))
    .map((value) => `unknown ${nameOf(key, spec)} "${value}" (sent anyway)`);
}

/** `--group-by`: the two groupings by the names of the columns that they bring. */
const KEYS = { primary_grouping: "primaryGrouping", secondary_grouping: "secondaryGrouping" } as const;

type Groupings = Pick<QueryValues, (typeof KEYS)[keyof typeof KEYS]>;

/** @throws {EntsError} usage: two labels of one kind, or one beside the flag that it stands for. */
function resolveGroupings({ groupBy = [], primaryGrouping, secondaryGrouping }: QueryValues): Groupings {
  const explicit: Groupings = { primaryGrouping, secondaryGrouping };
  const labels = new Map<keyof Groupings, GroupLabel>();
  for (const label of groupBy as readonly GroupLabel[]) {
    const key = KEYS[LABELS[label].parameter];
    const other = labels.get(key);
    if (other !== undefined) throw takesOne(other, label);
    if (explicit[key] !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} ${label} cannot be used with ${QUERY_FLAGS[key]}`, "use one of them");
    labels.set(key, label);
  }
  return { ...explicit, ...Object.fromEntries(Array.from(labels, ([key, label]) => [key, LABELS[label].grouping])) };
}

function takesOne(one: string, other: string): Error {
  return usageError(`${QUERY_FLAGS.groupBy} takes ${one} or ${other}, not both`, "run the command once for each");
}

/** The options of each data command, checked against v4.md: choices, counts, conflicts. */
export const querySchemas = {
  network: createSchema(optionsOf(QUERY_OPTIONS, "network")),
  facilities: createSchema(optionsOf(QUERY_OPTIONS, "facilities")),
  market: createSchema(optionsOf(QUERY_OPTIONS, "market")),
} as const satisfies Record<CommandName, z.ZodMiniType<QueryValues, QueryInput>>;
