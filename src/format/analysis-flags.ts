/** Flags that print something else in place of all rows: some of them, or what is computed from them. */
import { TRANSFORM_OPTIONS } from "../options/transform-options.ts";
import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";

const group = "Picking out and summing up";

export const ANALYSIS_FLAGS = {
  ...TRANSFORM_OPTIONS,
  above: {
    argument: "n",
    help: "keep the values above n; with several metrics: price:300",
    brief: "values above n; see also --top, --rolling",
    group,
    schema: "threshold",
  },
  below: {
    argument: "n",
    help: "keep the values below n; with --above, those outside of the two",
    group,
    schema: "threshold",
  },
  top: {
    argument: "n",
    help: "keep the n largest values, the largest first; with several metrics: demand:10",
    conflicts: ["bottom"],
    group,
    schema: "ranking",
  },
  bottom: {
    argument: "n",
    help: "keep the n smallest values, the smallest first",
    group,
    schema: "ranking",
  },
  each: { help: "with --top or --bottom: n values of each series", group, schema: "flag" },
  requireNone: {
    help: "with --above or --below: exit with 7 if a value is beyond, as an alarm",
    group,
    schema: "flag",
  },
  latest: {
    help: "the newest value of each series, and its age in seconds",
    group,
    schema: "flag",
  },
  profile: {
    argument: "period",
    choices: ["day", "week", "year"],
    help: "the mean of each time of the day, of the week (from Monday), or of each day of the year",
    // Avoids suggesting `--interval 1M` for `month`.
    suggestsOwnChoicesOnly: true,
    group,
    schema: "choice",
  },
  per: {
    argument: "period",
    choices: ["day", "week", "month", "quarter", "season", "year", "fy"],
    suggestsOwnChoicesOnly: true,
    help: "with --profile, --duration, --summary-only, --top or --bottom: one result for each period",
    group,
    schema: "choice",
  },
  duration: {
    help: "the duration curve: all values from the largest down, by share of time",
    group,
    schema: "flag",
  },
  summaryOnly: {
    help: "what --summary prints, in place of the values: a row for each series",
    group,
    schema: "flag",
  },
} as const satisfies OptionTable;

export type AnalysisFlag = keyof typeof ANALYSIS_FLAGS;

export const ANALYSIS_FLAG_NAMES = flagsOf(ANALYSIS_FLAGS);

export type AnalysisValues = OptionValues<typeof ANALYSIS_FLAGS>;
