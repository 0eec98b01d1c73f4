import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { FORMAT_NAMES } from "./registry.ts";

/** Rows that a table shows on a terminal unless told otherwise. */
export const TERMINAL_ROWS = 40;

/** The flags that say how and where the data is written. */
export const OUTPUT_OPTIONS = {
  format: {
    short: "-f",
    argument: "format",
    help: "output format",
    choices: FORMAT_NAMES,
    defaultText: "by the ending of -o, else table on a terminal and csv elsewhere",
    schema: "choice",
  },
  output: {
    short: "-o",
    argument: "file",
    help: "write to a file, which is replaced only when the new one is complete; - is standard output",
    schema: "text",
  },
  shape: {
    argument: "shape",
    help: "long: one row per value; wide: one column per metric",
    choices: ["long", "wide"],
    defaultText: "long, for a table wide",
    schema: "choice",
  },
  timeZone: {
    argument: "zone",
    help: "zone of the timestamps: network (the network's own time), utc, or one such as Australia/Sydney",
    default: "network",
    schema: "text",
  },
  header: { negated: true, help: "leave out the header line (csv, tsv)", schema: "flag" },
  limit: {
    argument: "n",
    help: "maximum rows of a table (its first and last); 0 is all",
    defaultText: `${TERMINAL_ROWS} on a terminal, else all`,
    schema: "count",
  },
} as const satisfies OptionTable;

export const OUTPUT_FLAGS = flagsOf(OUTPUT_OPTIONS);

export type OutputValues = OptionValues<typeof OUTPUT_OPTIONS>;
