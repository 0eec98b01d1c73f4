import { usageError } from "../base/errors.ts";
import { optionError } from "../options/parse.ts";
import { toList } from "../options/check.ts";
import { QUERY_OPTIONS, type QueryInput, type QueryValues } from "../options/query-options.ts";
import { flagOf, type OptionSpec, optionsOf } from "../options/spec.ts";
import { formatLocalTime } from "../time/local-time.ts";
import { type CommandName, findNetwork, type Interval, isInterval } from "../base/vocabulary.ts";
import { querySchemas } from "./schema.ts";
import { resolveWindow, type Window } from "./window.ts";

/** A checked question to a v4 service. */
export interface Query {
  readonly command: CommandName;
  /** The network's code, as given: codes are case-sensitive. */
  readonly network: string;
  /** As asked, without duplicates: the order of rows and of columns. */
  readonly metrics: readonly string[];
  /** Undefined when the service is to choose, or when it is not one of v4.md's. */
  readonly interval: Interval | undefined;
  readonly window: Window;
  /** All that is sent, in the order in which it is sent; the window as `date_start` and `date_end`. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

export interface QueryRequest extends QuerySubject {
  readonly input: QueryInput;
}

/** What a query is about, besides its options. */
export interface QuerySubject {
  readonly command: CommandName;
  readonly network: string;
  /** Milliseconds since 1970 UTC: what `now`, `today` and `--last` count from. */
  readonly now: number;
}

export interface QueryResult {
  readonly query: Query;
  readonly warnings: readonly string[];
}

/**
 * Checks what was asked and turns it into a query.
 * @throws {EntsError} usage: names the flag, the value, and what v4 allows.
 */
export function buildQuery({ input, ...subject }: QueryRequest): QueryResult {
  const checked = querySchemas[subject.command].safeParse(input);
  if (checked.success) return resolveQuery(checked.data, subject);
  throw optionError(QUERY_OPTIONS, checked.error);
}

/** A query of options that are checked. @throws {EntsError} usage: no network, or a window that cannot be. */
export function resolveQuery(options: QueryValues, { command, network, now }: QuerySubject): QueryResult {
  if (network === "") throw usageError("the network code is empty", "name a network, such as NEM or WEM");
  const interval = options.interval !== undefined && isInterval(options.interval) ? options.interval : undefined;
  const when = { network, offsetMinutes: findNetwork(network)?.offsetMinutes, now };
  const { window, warnings } = resolveWindow(options, interval, when);
  const sent = Object.entries<OptionSpec>(optionsOf(QUERY_OPTIONS, command)).filter(([, spec]) => spec.parameter !== undefined);
  return {
    query: { command, network, metrics: options.metrics, interval, window, parameters: listParameters(sent, options, window) },
    warnings: [...sent.flatMap(([key, spec]) => warnOfUnknown(key, spec, options)), ...warnings],
  };
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
    .map((value) => `${flagOf(key)} "${value}" is not known to v4; it is sent as it is`);
}
