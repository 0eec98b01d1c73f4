import { type LocalTime, DAY } from "../../time/local-time.ts";
import { type ListedInterval, INTERVALS } from "../../base/intervals.ts";
import {
  type CommandName,
  findNetwork,
  type Metric,
  METRICS,
  type NETWORKS,
  PRIMARY_GROUPINGS,
  SECONDARY_GROUPINGS,
  MAX_CODES,
} from "../../base/vocabulary.ts";
import { findNewestRun, forecastSpan } from "../series/forecast.ts";
import { refuse, refuseDetail, refuseParameters, type ParameterProblem } from "../refusal.ts";
import { localOfStep, type StepRange, STEP_MS, stepOfInstant, stepOfLocal } from "../model/clock.ts";

/** A valid data request: v4's parameters with defaults. */
export interface DataRequest {
  readonly command: CommandName;
  readonly network: keyof typeof NETWORKS;
  readonly metrics: readonly Metric[];
  readonly interval: ListedInterval;
  readonly dateStart: LocalTime | undefined;
  readonly dateEnd: LocalTime | undefined;
  readonly primary: (typeof PRIMARY_GROUPINGS)[number];
  readonly secondary?: (typeof SECONDARY_GROUPINGS)[number] | undefined;
  readonly region?: string | undefined;
  readonly fueltechs?: readonly string[] | undefined;
  readonly fueltechGroups?: readonly string[] | undefined;
  readonly facilityCodes?: readonly string[] | undefined;
  readonly unitCodes?: readonly string[] | undefined;
}

/**
 * @throws {SandboxRefusal} 422: an invalid parameter; 400: an unknown network, an unsupported metric, or a date with an
 * offset.
 */
export function parseDataRequest(command: CommandName, networkCode: string, query: URLSearchParams): DataRequest {
  const reader = new ParameterReader(query);
  const metrics = reader.readRequiredChoices("metrics", Object.keys(METRICS) as Metric[]);
  const interval = reader.readChoice("interval", Object.keys(INTERVALS) as ListedInterval[]) ?? "5m";
  const dateStart = reader.readDateTime("date_start");
  const dateEnd = reader.readDateTime("date_end");
  const filters = readFilters(command, reader);
  if (reader.problems.length > 0) throw refuseParameters(reader.problems);
  if (findNetwork(networkCode) === undefined)
    throw refuse(400, `Unknown network: ${networkCode}. Network codes are case-sensitive: NEM, WEM, AU.`);
  checkOffered(command, metrics);
  if (reader.hasOffset) throw refuse(400, "Date start and date end must be timezone naive and in network time.");
  return { command, network: networkCode as DataRequest["network"], metrics, interval, dateStart, dateEnd, ...filters };
}

/** Each endpoint reads its own parameters and ignores others. */
function readFilters(
  command: CommandName,
  reader: ParameterReader,
): Pick<DataRequest, "primary"> & Partial<DataRequest> {
  if (command === "facilities") {
    return {
      primary: "network",
      facilityCodes: reader.readCodes("facility_code"),
      unitCodes: reader.readCodes("unit_code"),
    };
  }
  const region = reader.readText("network_region");
  const requested = reader.readChoice("primary_grouping", PRIMARY_GROUPINGS) ?? "network";
  const primary = region === undefined ? requested : "network_region";
  if (command === "market") return { region, primary };
  const fueltechs = reader.readList("fueltech");
  const fueltechGroups = reader.readList("fueltech_group");
  const secondary = reader.readChoice("secondary_grouping", SECONDARY_GROUPINGS);
  // A filter also groups, as on the public service; with both filters, the finer one does.
  const filtered = (fueltechs && "fueltech") ?? (fueltechGroups && "fueltech_group");
  return { region, primary, fueltechs, fueltechGroups, secondary: filtered ?? secondary };
}

/** Rejects metrics that the endpoint does not offer on the public service. */
function checkOffered(command: CommandName, metrics: readonly Metric[]): void {
  const isOffered = (metric: Metric) => METRICS[metric].offeredBy.includes(command);
  const invalid = metrics.filter((metric) => !isOffered(metric));
  if (invalid.length === 0) return;
  const supported = (Object.keys(METRICS) as Metric[]).filter(isOffered);
  const error = `Metrics not supported by this endpoint: ${invalid.join(", ")}`;
  const hint = `Supported here: ${supported.join(", ")}`;
  throw refuseDetail(400, {
    error,
    hint,
    supported_metrics: supported,
    requested_metrics: metrics,
    invalid_metrics: invalid,
  });
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads the parameters of a query string and collects their problems. */
class ParameterReader {
  readonly problems: ParameterProblem[] = [];
  /** True if a date has an offset from UTC. */
  hasOffset = false;
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  /** The last value of a parameter that takes a single one. */
  readText(name: string): string | undefined {
    return this.#query.getAll(name).at(-1);
  }

  /** The distinct values of a repeated parameter; undefined if it is missing. */
  readList(name: string): string[] | undefined {
    return this.#query.has(name) ? [...new Set(this.#query.getAll(name))] : undefined;
  }

  readCodes(name: string): string[] | undefined {
    const codes = this.#query.getAll(name);
    if (codes.length > MAX_CODES) {
      const msg = `List should have at most ${MAX_CODES} items after validation, not ${codes.length}`;
      const ctx = { field_type: "List", max_length: MAX_CODES, actual_length: codes.length };
      this.problems.push({ type: "too_long", loc: ["query", name], msg, input: codes, ctx });
    }
    return this.readList(name);
  }

  /** Requires at least one value; all must be allowed. */
  readRequiredChoices<T extends string>(name: string, allowed: readonly T[]): T[] {
    const values = this.readList(name);
    if (values === undefined)
      this.problems.push({ type: "missing", loc: ["query", name], msg: "Field required", input: null });
    return (values ?? []).flatMap((value, index) => this.#choose(value, allowed, ["query", name, index]) ?? []);
  }

  readChoice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.readText(name);
    return value === undefined ? undefined : this.#choose(value, allowed, ["query", name]);
  }

  #choose<T extends string>(value: string, allowed: readonly T[], loc: ParameterProblem["loc"]): T | undefined {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    const quoted = allowed.map((each) => `'${each}'`);
    const expected = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
    this.problems.push({ type: "enum", loc, msg: `Input should be ${expected}`, input: value, ctx: { expected } });
    return undefined;
  }

  /** Network-local: `2025-01-31`, `2025-01-31T14:05`, `2025-01-31T14:05:30`. */
  readDateTime(name: string): LocalTime | undefined {
    const input = this.readText(name);
    if (input === undefined) return undefined;
    const [, date, time = "00:00", seconds = ":00", offset] = DATE_TIME.exec(input) ?? [];
    this.hasOffset ||= offset !== undefined;
    const local = Date.parse(`${date}T${time}${seconds}Z`);
    // Date.parse reads 30 February as 1 March.
    if (!Number.isNaN(local) && new Date(local).toISOString().slice(0, 10) === date) return local;
    const msg = "Input should be a valid datetime or date, invalid character or value";
    this.problems.push({ type: "datetime_from_date_parsing", loc: ["query", name], msg, input });
    return undefined;
  }
}

/** The intervals with timestamps in [start, end]; if there are none, `last` is before `first`. */
export interface StepWindow extends StepRange {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/**
 * Both ends are inclusive, as in v4. By default, forecasts begin where measured data end, and end where the newest run
 * ends.
 */
export function resolveForecastSteps({ network, dateStart, dateEnd }: DataRequest, now: number): StepWindow {
  const start = dateStart ?? localOfStep(stepOfInstant(now, network) - 1);
  const end = dateEnd ?? localOfStep(forecastSpan(findNewestRun(now)).last);
  return { start, end, first: stepOfLocal(start + STEP_MS - 1), last: stepOfLocal(end) };
}

/** Both ends are inclusive, as in v4. Without `date_end`, omits the current interval, which is provisional. */
export function resolveSteps({ network, interval, dateStart, dateEnd }: DataRequest, now: number): StepWindow {
  const end = dateEnd ?? localOfStep(stepOfInstant(now, network) - 1);
  // Half the limit of the community plan, for every plan; not rounded to an interval.
  const start = dateStart ?? end - (INTERVALS[interval].maxDays.community / 2) * DAY;
  return { start, end, first: stepOfLocal(start + STEP_MS - 1), last: stepOfLocal(end) };
}
