/** Flags that print something else in place of all rows: some of them, or what is computed from them. */
import { NOT_UPDATED, TRANSFORM_OPTIONS } from "../options/transform-options.ts";
import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";

const group = "Picking out and summing up";

/** What is computed of all values cannot be printed in parts. */
const OF_ALL = ["update", "follow", "partition", "intervalEnd"] as const;
/** It has no timestamps, or no order of time. */
const WITHOUT_TIME = { conflicts: [...OF_ALL, "timeFormat"], conflictHints: NOT_UPDATED, group } as const;
const RANKED = { conflicts: [...OF_ALL, "pivot"], conflictHints: NOT_UPDATED, group } as const;
const PICKED = { conflicts: ["update"], conflictHints: NOT_UPDATED, group } as const;
const LOOKS_BACK = { use: "leave it out; --last says how far back to look" };

export const ANALYSIS_FLAGS = {
  ...TRANSFORM_OPTIONS,
  above: {
    argument: "n",
    help: "keep the values above n; with several metrics: price:300",
    brief: "values above n; see also --top, --rolling",
    ...PICKED,
    schema: "threshold",
  },
  below: {
    argument: "n",
    help: "keep the values below n; with --above, those outside of the two",
    ...PICKED,
    schema: "threshold",
  },
  top: {
    argument: "n",
    help: "keep the n largest values, the largest first; with several metrics: demand:10",
    ...RANKED,
    conflicts: ["bottom", ...RANKED.conflicts],
    schema: "ranking",
  },
  bottom: {
    argument: "n",
    help: "keep the n smallest values, the smallest first",
    ...RANKED,
    schema: "ranking",
  },
  each: {
    help: "with --top or --bottom: n values of each series",
    needsOne: ["top", "bottom"],
    group,
    schema: "flag",
  },
  requireNone: {
    help: "with --above or --below: exit with 7 if a value is beyond, as an alarm",
    conflicts: ["summaryOnly"],
    needsOne: ["above", "below"],
    group,
    schema: "flag",
  },
  latest: {
    help: "the newest value of each series, and its age in seconds",
    conflicts: [
      "during",
      "dateStart",
      "dateEnd",
      "profile",
      "duration",
      "summaryOnly",
      "top",
      "bottom",
      ...RANKED.conflicts,
    ],
    conflictHints: { ...NOT_UPDATED, during: LOOKS_BACK, dateStart: LOOKS_BACK, dateEnd: LOOKS_BACK },
    group,
    schema: "flag",
  },
  profile: {
    argument: "period",
    choices: ["day", "week", "year"],
    help: "the mean of each time of the day, of the week (from Monday), or of each day of the year",
    // Avoids suggesting `--interval 1M` for `month`.
    suggestsOwnChoicesOnly: true,
    ...WITHOUT_TIME,
    conflicts: ["duration", "summaryOnly", "above", "below", "top", "bottom", ...WITHOUT_TIME.conflicts],
    schema: "choice",
  },
  per: {
    argument: "period",
    choices: ["day", "week", "month", "quarter", "season", "year", "fy"],
    suggestsOwnChoicesOnly: true,
    help: "with --profile, --duration, --summary-only, --top or --bottom: one result for each period",
    needsOne: ["profile", "duration", "summaryOnly", "top", "bottom"],
    needsHint: "add one of them, such as --summary-only; for sums and means of each period, use -i",
    group,
    schema: "choice",
  },
  duration: {
    help: "the duration curve: all values from the largest down, by share of time",
    ...WITHOUT_TIME,
    conflicts: ["summaryOnly", "above", "below", "top", "bottom", ...WITHOUT_TIME.conflicts],
    schema: "flag",
  },
  summaryOnly: {
    help: "what --summary prints, in place of the values: a row for each series",
    ...RANKED,
    conflicts: ["top", "bottom", ...RANKED.conflicts],
    schema: "flag",
  },
} as const satisfies OptionTable;

export type AnalysisFlag = keyof typeof ANALYSIS_FLAGS;

export const ANALYSIS_FLAG_NAMES = flagsOf(ANALYSIS_FLAGS);

export type AnalysisValues = OptionValues<typeof ANALYSIS_FLAGS>;
