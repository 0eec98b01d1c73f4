import type { LocalTime } from "../../time/local-time.ts";
import {
  type CommandName,
  findNetwork,
  type Interval,
  INTERVALS,
  type Metric,
  METRICS,
  type NETWORKS,
  PRIMARY_GROUPINGS,
  SECONDARY_GROUPINGS,
} from "../../base/vocabulary.ts";
import { refuse, refuseDetail, refuseParameters } from "../refusal.ts";
import { ParameterReader } from "./parameters.ts";

/** A valid data request: the parameters of v4.md with defaults. */
export interface DataRequest {
  readonly command: CommandName;
  readonly network: keyof typeof NETWORKS;
  readonly metrics: readonly Metric[];
  readonly interval: Interval;
  readonly dateStart: LocalTime | undefined;
  readonly dateEnd: LocalTime | undefined;
  readonly region: string | undefined;
  readonly fueltechs: readonly string[] | undefined;
  readonly fueltechGroups: readonly string[] | undefined;
  readonly facilityCodes: readonly string[] | undefined;
  readonly unitCodes: readonly string[] | undefined;
  readonly primary: (typeof PRIMARY_GROUPINGS)[number];
  readonly secondary: (typeof SECONDARY_GROUPINGS)[number] | undefined;
}

/** Throws a Refusal: 422 for an invalid parameter, 400 for one that the endpoint or network does not support. */
export function parseDataRequest(command: CommandName, networkCode: string, query: URLSearchParams): DataRequest {
  const reader = new ParameterReader(query);
  const metrics = reader.readRequiredChoices("metrics", Object.keys(METRICS) as Metric[]);
  const interval = reader.readChoice("interval", Object.keys(INTERVALS) as Interval[]) ?? "5m";
  const start = reader.readDateTime("date_start");
  const end = reader.readDateTime("date_end");
  const filters = readFilters(command, reader);
  if (reader.problems.length > 0) throw refuseParameters(reader.problems);
  if (findNetwork(networkCode) === undefined)
    throw refuse(400, `Unknown network: ${networkCode}. Network codes are case-sensitive: NEM, WEM, AU.`);
  checkOffered(command, metrics);
  if (start === "offset" || end === "offset") throw refuse(400, "Date start and date end must be timezone naive and in network time.");
  return {
    command,
    network: networkCode as DataRequest["network"],
    metrics,
    interval,
    dateStart: start?.local,
    dateEnd: end?.local,
    ...filters,
  };
}

type Filters = Pick<DataRequest, "region" | "fueltechs" | "fueltechGroups" | "facilityCodes" | "unitCodes" | "primary" | "secondary">;

const NO_FILTERS: Filters = {
  region: undefined,
  fueltechs: undefined,
  fueltechGroups: undefined,
  facilityCodes: undefined,
  unitCodes: undefined,
  primary: "network",
  secondary: undefined,
};

/** Each endpoint reads its own parameters and ignores others. */
function readFilters(command: CommandName, reader: ParameterReader): Filters {
  if (command === "facilities")
    return { ...NO_FILTERS, facilityCodes: reader.readCodes("facility_code"), unitCodes: reader.readCodes("unit_code") };
  const region = reader.readText("network_region");
  const asked = reader.readChoice("primary_grouping", PRIMARY_GROUPINGS) ?? "network";
  const primary = region === undefined ? asked : "network_region";
  if (command === "market") return { ...NO_FILTERS, region, primary };
  const fueltechs = reader.readList("fueltech");
  const fueltechGroups = reader.readList("fueltech_group");
  const secondary = reader.readChoice("secondary_grouping", SECONDARY_GROUPINGS);
  return {
    ...NO_FILTERS,
    region,
    primary,
    fueltechs,
    fueltechGroups,
    secondary: forcedGrouping({ fueltechs, fueltechGroups }) ?? secondary,
  };
}

/** in-practice.md, "The TimeSeries item"; with both filters, the finer one wins. */
function forcedGrouping(filters: Pick<Filters, "fueltechs" | "fueltechGroups">): Filters["secondary"] {
  if (filters.fueltechs !== undefined) return "fueltech";
  return filters.fueltechGroups === undefined ? undefined : "fueltech_group";
}

/** in-practice.md, "Which metric where". */
function checkOffered(command: CommandName, metrics: readonly Metric[]): void {
  const isOffered = (metric: Metric) => METRICS[metric].offeredBy.includes(command);
  const invalid = metrics.filter((metric) => !isOffered(metric));
  if (invalid.length === 0) return;
  const supported = (Object.keys(METRICS) as Metric[]).filter(isOffered);
  const error = `Metrics not supported by this endpoint: ${invalid.join(", ")}`;
  const hint = `Supported here: ${supported.join(", ")}`;
  throw refuseDetail(400, { error, hint, supported_metrics: supported, requested_metrics: metrics, invalid_metrics: invalid });
}
