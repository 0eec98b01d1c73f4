import { INTERVALS, LABELS, MAX_CODES, METRICS, PRIMARY_GROUPINGS, SECONDARY_GROUPINGS } from "../base/vocabulary.ts";
import { flagsOf, type OptionInput, type OptionTable, type OptionValues } from "./spec.ts";

/** The labels that a grouping parameter brings. */
function labelsOf(parameter: string): string[] {
  return Object.entries(LABELS).flatMap(([label, brought]) => (brought.parameter === parameter ? [label] : []));
}

/** Query flags, in the order in which their parameters are sent (v4.md, Endpoints). */
export const QUERY_OPTIONS = {
  metrics: {
    short: "-m",
    argument: "metric",
    list: true,
    parameter: "metrics",
    required: true,
    choices: Object.keys(METRICS),
    kind: "metric",
    choicesIn: "ents metrics",
    liftedBy: "allowUnknown",
    help: "metrics to fetch",
    schema: "list",
  },
  interval: {
    short: "-i",
    argument: "interval",
    parameter: "interval",
    choices: Object.keys(INTERVALS),
    otherValues: {
      "1h": ["hour", "hourly"],
      "1d": ["day", "daily"],
      "7d": ["week", "weekly"],
      "1M": ["month", "monthly"],
      "3M": ["quarter", "quarterly"],
      "1y": ["year", "yearly", "annual"],
    },
    otherNames: ["granularity", "resolution", "step", "freq", "frequency", "period", "bucket"],
    liftedBy: "allowUnknown",
    help: "bucket size",
    schema: "text",
  },
  dateStart: {
    short: "-s",
    argument: "when",
    parameter: "date_start",
    otherNames: ["start", "from", "since", "after", "begin", "start-date", "start-time", "from-date", "date-from"],
    suggestions: ["today", "yesterday", "now"],
    help: "start of the window, in network time: 2025-01-31T14:05, 2025-01-31, 2025-01, 2025, today, yesterday, now, -7d",
    schema: "text",
  },
  dateEnd: {
    short: "-e",
    argument: "when",
    parameter: "date_end",
    otherNames: ["end", "to", "until", "before", "stop", "end-date", "end-time", "to-date", "date-to"],
    suggestions: ["today", "yesterday", "now"],
    help: "end of the window; a day, month or year is included in full",
    schema: "text",
  },
  last: {
    argument: "duration",
    otherNames: ["days", "hours", "recent", "duration", "period", "past"],
    suggestions: ["1d", "7d", "30d", "1y"],
    help: "the most recent period, such as 12h, 7d or 6M (instead of -s and -e)",
    conflicts: ["dateStart", "dateEnd"],
    schema: "duration",
  },
  complete: {
    help: "only complete buckets: leave out the one still under way",
    schema: "flag",
  },
  networkRegion: {
    short: "-r",
    argument: "code",
    parameter: "network_region",
    commands: ["network", "market"],
    otherNames: ["region", "regions", "state", "zone"],
    severalHint: "run the command once per region, or get all with --group-by region",
    kind: "region",
    help: "only this region of the network, such as NSW1",
    schema: "text",
  },
  fueltech: {
    argument: "code",
    list: true,
    parameter: "fueltech",
    otherNames: ["fuel", "fuels", "fueltechs", "fuel-tech", "fuel-type", "technology", "tech"],
    commands: ["network"],
    kind: "fueltech",
    help: "only these fueltechs, such as coal_black wind",
    schema: "list",
  },
  fueltechGroup: {
    argument: "code",
    list: true,
    parameter: "fueltech_group",
    commands: ["network"],
    kind: "fueltech group",
    help: "only these fueltech groups, such as coal solar",
    schema: "list",
  },
  facilityCode: {
    argument: "code",
    list: true,
    parameter: "facility_code",
    commands: ["facilities"],
    maxValues: MAX_CODES,
    liftedBy: "batch",
    kind: "facility",
    help: "only these facilities",
    schema: "list",
  },
  unitCode: {
    argument: "code",
    list: true,
    parameter: "unit_code",
    otherNames: ["unit", "units", "duid", "duids"],
    commands: ["facilities"],
    maxValues: MAX_CODES,
    liftedBy: "batch",
    kind: "unit",
    help: "only these units",
    schema: "list",
  },
  batch: {
    commands: ["facilities"],
    help: `send more than ${MAX_CODES} facility or unit codes as several requests`,
    schema: "flag",
  },
  groupBy: {
    short: "-g",
    argument: "label",
    list: true,
    otherNames: ["by", "group", "groups", "groupby", "grouping", "split", "split-by"],
    commands: ["network", "market"],
    choices: Object.keys(LABELS),
    choicesOf: { market: labelsOf("primary_grouping") },
    otherValues: { region: ["network_region", "regions", "state"], fueltech: ["fuel", "fuels", "fueltechs"] },
    help: "group by these labels (names of output columns)",
    schema: "list",
  },
  primaryGrouping: {
    argument: "grouping",
    parameter: "primary_grouping",
    commands: ["network", "market"],
    choices: PRIMARY_GROUPINGS,
    otherValues: { network_region: ["region", "regions"] },
    liftedBy: "allowUnknown",
    help: "like --group-by network or region, in the service's terms",
    schema: "text",
  },
  secondaryGrouping: {
    argument: "grouping",
    parameter: "secondary_grouping",
    commands: ["network"],
    choices: SECONDARY_GROUPINGS,
    otherValues: { fueltech: ["fuel", "fuels", "fueltechs"] },
    liftedBy: "allowUnknown",
    help: "like --group-by for the other labels, in the service's terms",
    schema: "text",
  },
  allowUnknown: {
    help: "send unknown metrics, intervals and groupings anyway",
    schema: "flag",
  },
} as const satisfies OptionTable;

export const QUERY_FLAGS = flagsOf(QUERY_OPTIONS);

/** The options of all data commands; `commands` says which command has which. */
export type QueryInput = OptionInput<typeof QUERY_OPTIONS>;

/** The checked query options. */
export type QueryValues = OptionValues<typeof QUERY_OPTIONS>;
