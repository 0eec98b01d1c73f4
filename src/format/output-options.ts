import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { FORMAT_FLAGS, FORMAT_NAMES } from "./registry.ts";

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
  timeZone: {
    argument: "zone",
    help: "zone of the timestamps: network (the network's own time), utc, or one such as Australia/Sydney",
    default: "network",
    schema: "text",
  },
  ...FORMAT_FLAGS,
} as const satisfies OptionTable;

export const OUTPUT_FLAGS = flagsOf(OUTPUT_OPTIONS);

export type OutputValues = OptionValues<typeof OUTPUT_OPTIONS>;
