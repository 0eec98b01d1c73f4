import { INTERVALS, NEWER_INTERVALS } from "../base/intervals.ts";
import { ALL_METRICS } from "../base/computed-metrics.ts";
import {
  isForecast,
  LABELS,
  MAX_CODES,
  PRIMARY_GROUPINGS,
  SECONDARY_GROUPINGS,
  UNIT_GROUPS,
} from "../base/vocabulary.ts";
import { formatList } from "../base/phrases.ts";
import { FILTER_OPTIONS } from "./list-options.ts";
import { flagsOf, type OptionInput, type OptionTable, type OptionValues } from "./spec.ts";

function labelsOf(parameter: string): string[] {
  return Object.entries(LABELS).flatMap(([label, brought]) => (brought.parameter === parameter ? [label] : []));
}

const CODES = {
  argument: "code",
  list: true,
  commands: ["facilities"],
  maxValues: MAX_CODES,
  relaxedBy: "batch",
  group: "Filters",
  schema: "list",
} as const;

/** Query flags, in the order in which their parameters are sent. */
export const QUERY_OPTIONS = {
  metrics: {
    short: "-m",
    argument: "metric",
    list: true,
    parameter: "metrics",
    required: true,
    choices: Object.keys(ALL_METRICS),
    // The public service may add forecasts at any time.
    alsoTakes: isForecast,
    kind: "metric",
    choicesIn: "ents metrics",
    relaxedBy: "allowUnknown",
    help: "metrics to fetch",
    brief: "metrics to fetch; 'ents metrics' lists them",
    schema: "list",
  },
  interval: {
    short: "-i",
    argument: "interval",
    parameter: "interval",
    choices: Object.keys(INTERVALS),
    serviceDefault: "5m on OpenElectricity",
    relaxedBy: "allowUnknown",
    help: `length of an interval; ${NEWER_INTERVALS.join(", ")}; the public service refuses fy for more than 7 days`,
    group: "When",
    brief: formatList(Object.keys(INTERVALS), "or"),
    schema: "text",
  },
  dateStart: {
    short: "-s",
    argument: "when",
    parameter: "date_start",
    aliases: ["start"],
    suggestions: ["today", "yesterday", "now"],
    serviceDefault: "on OpenElectricity, 4 days before the end at 5m, 16 at 1h, 183 at 1d",
    help: "start, in network time or that of --time-zone: 2025-01-31T14:05, 2025-01-31, 2025-01, 2025, today, yesterday, tomorrow, now, -7d",
    group: "When",
    brief: "start, such as 2025-01-31, 2025-01 or -7d",
    schema: "text",
  },
  dateEnd: {
    short: "-e",
    argument: "when",
    parameter: "date_end",
    aliases: ["end"],
    suggestions: ["today", "yesterday", "now", "tomorrow", "+2d"],
    serviceDefault: "the newest data",
    help: "end; a day, month or year is included in full; for forecasts also tomorrow or +2d",
    group: "When",
    brief: "end; a day, month or year is included in full",
    schema: "text",
  },
  last: {
    argument: "duration",
    suggestions: ["1d", "7d", "30d", "1y"],
    help: "the most recent period, such as 12h, 7d or 6M (instead of -s and -e)",
    group: "When",
    brief: "the most recent period, such as 12h, 7d or 6M",
    conflicts: ["dateStart", "dateEnd"],
    schema: "duration",
  },
  during: {
    argument: "when",
    suggestions: [
      "today",
      "yesterday",
      "this-month",
      "last-week",
      "last-month",
      "last-quarter",
      "last-year",
      "last-fy",
    ],
    group: "When",
    brief: "a period: 2025-01, 2025-Q1, FY2025, last-month",
    help: "a period: 2025-01-31, 2025-01, 2025-Q1, 2025, FY2025 (July 2024 to June 2025), today, yesterday, and this- (until now) or last- with week (from Monday), month, quarter, year or fy (instead of -s and -e)",
    conflicts: ["dateStart", "dateEnd", "last"],
    sets: ["dateStart", "dateEnd"],
    schema: "period",
  },
  complete: { help: "omit the interval still in progress", group: "When", schema: "flag" },
  settled: {
    help: "omit what the service will change: the last 90 minutes of what is made with rooftop solar, two days of the WEM's power, energy and price",
    group: "When",
    schema: "flag",
  },
  networkRegion: {
    ...FILTER_OPTIONS.networkRegion,
    parameter: "network_region",
    commands: ["network", "market"],
    help: "only these regions, such as NSW1 VIC1; of several, each has its own rows",
    group: "Filters",
  },
  fueltech: {
    ...FILTER_OPTIONS.fueltech,
    parameter: "fueltech",
    commands: ["network"],
    help: "only these fueltechs, such as coal_black wind",
    group: "Filters",
  },
  fueltechGroup: {
    argument: "code",
    list: true,
    parameter: "fueltech_group",
    commands: ["network"],
    kind: "fueltech group",
    help: "only these fueltech groups, such as coal solar",
    group: "Filters",
    schema: "list",
  },
  facilityCode: {
    ...CODES,
    parameter: "facility_code",
    kind: "facility",
    help: "only these facilities",
    brief: "these facilities, such as BAYSW",
  },
  unitCode: {
    ...CODES,
    parameter: "unit_code",
    kind: "unit",
    help: "only these units",
  },
  capacity: {
    argument: "which",
    commands: ["facilities"],
    choices: ["maximum", "registered"],
    help: "the capacity that capacity_factor divides by",
    defaultText: "maximum, else registered",
    group: "What to fetch",
    schema: "choice",
  },
  batch: {
    commands: ["facilities"],
    help: `split more than ${MAX_CODES} typed codes into several requests (automatic for files and searches)`,
    schema: "flag",
  },
  groupBy: {
    short: "-g",
    argument: "label",
    list: true,
    choices: [...Object.keys(LABELS), "facility"],
    choicesOf: {
      network: Object.keys(LABELS),
      market: labelsOf("primary_grouping"),
      facilities: Object.keys(UNIT_GROUPS),
    },
    serviceDefault: "one series for all of the network; of facilities, one for each unit",
    help: "group by these labels; of facilities, add up the units",
    brief: "group by a label, such as region",
    schema: "list",
  },
  primaryGrouping: {
    argument: "grouping",
    parameter: "primary_grouping",
    commands: ["network", "market"],
    choices: PRIMARY_GROUPINGS,
    relaxedBy: "allowUnknown",
    help: "the API's name for --group-by network or region",
    forPrograms: true,
    schema: "text",
  },
  secondaryGrouping: {
    argument: "grouping",
    parameter: "secondary_grouping",
    commands: ["network"],
    choices: SECONDARY_GROUPINGS,
    relaxedBy: "allowUnknown",
    help: "the API's name for --group-by fueltech, fueltech_group, status or renewable",
    forPrograms: true,
    schema: "text",
  },
  allowUnknown: {
    help: "send unknown metrics, intervals, groupings and codes anyway",
    forPrograms: true,
    schema: "flag",
  },
} as const satisfies OptionTable;

export const QUERY_FLAGS = flagsOf(QUERY_OPTIONS);

/** The options of all data commands; an option's `commands` lists the commands that have it. */
export type QueryInput = OptionInput<typeof QUERY_OPTIONS>;

export type QueryValues = OptionValues<typeof QUERY_OPTIONS>;
