import { QUERY_OPTIONS } from "./query-options.ts";
import { flagsOf, type OptionTable } from "./spec.ts";
import { UPKEEP_OPTIONS } from "./upkeep-options.ts";

const { metrics, dateStart, dateEnd, last, during, complete, settled } = QUERY_OPTIONS;
const { overwrite, partition, datapackage } = UPKEEP_OPTIONS;

const choice = { argument: "code", list: true, group: "Which series", schema: "list" } as const;

/** The flags that choose series by a label. */
export const CHOICE_OPTIONS = {
  networkRegion: { ...choice, short: "-r", aliases: ["region"], kind: "region", help: "only these regions" },
  fueltech: { ...choice, kind: "fueltech", help: "only these fueltechs" },
  facilityCode: { ...choice, kind: "facility", help: "only these facilities" },
  unitCode: { ...choice, kind: "unit", help: "only these units" },
} as const satisfies OptionTable;

/** The part of an output that is shown. */
export const SHOW_OPTIONS = {
  metrics: {
    ...choice,
    short: "-m",
    argument: "metric",
    kind: "metric",
    choices: metrics.choices,
    choicesIn: metrics.choicesIn,
    alsoTakes: metrics.alsoTakes,
    help: "only these metrics, or others that are made of those that are kept",
  },
  ...CHOICE_OPTIONS,
  asOf: {
    argument: "when",
    suggestions: ["yesterday", "-7d", "-1M"],
    help: "as it was known then, in network time: 2025-01-31, 2025-01-31T14:05 or -30d (needs --history on the updates)",
    brief: "as it was known then, such as 2025-01-31 or -30d",
    group: "When",
    schema: "text",
  },
  dateStart,
  dateEnd,
  last,
  during,
  complete,
  settled,
} as const satisfies OptionTable;

/** Flags of files, which other commands have with `--update`. */
export const FILE_OPTIONS = { overwrite, partition, datapackage } as const satisfies OptionTable;

export const LOOK_FLAGS = flagsOf(SHOW_OPTIONS);

/** What `ents log` lists, by default the updates. */
export const LOG_OPTIONS = {
  changes: {
    help: "list each value that was restated or withdrawn: the old one, the new one, and when it was seen",
    brief: "each value that changed: old, new, and when it was seen",
    conflicts: ["requests"],
    schema: "flag",
  },
  requests: {
    help: "list the requests that the rows are from: their period, when the response came, why it was asked for, and its file",
    brief: "the requests that the rows are from, and when they came",
    schema: "flag",
  },
  last: {
    argument: "duration",
    suggestions: ["1d", "7d", "30d"],
    help: "only updates of the most recent period, such as 7d",
    brief: "only updates of the most recent period, such as 7d",
    conflicts: ["requests"],
    schema: "duration",
  },
} as const satisfies OptionTable;

export const CHECK_OPTIONS = {
  list: { help: "list the checks, with their thresholds and sources", schema: "flag" },
} as const satisfies OptionTable;

export const UPDATE_OPTIONS = {
  list: { help: "print the commands without running them", schema: "flag" },
} as const satisfies OptionTable;
