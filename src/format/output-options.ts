import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import { listFormats, nameFormats } from "./name-formats.ts";
import { describeFormat, findFormats, FORMAT_NAMES, type FormatEntry, LIST_FORMATS } from "./registry.ts";

function listOtherNames({ extensions, otherNames = [] }: FormatEntry): string[] {
  return [...extensions, ...otherNames];
}

const COMPRESSED = listFormats(findFormats(({ gzip }) => gzip));

/** Flags for format and destination of the output. */
export const OUTPUT_OPTIONS = nameFormats({
  format: {
    short: "-f",
    argument: "format",
    kind: "format",
    help: "output format",
    choices: FORMAT_NAMES,
    otherValues: Object.fromEntries(FORMAT_NAMES.map((name) => [name, listOtherNames(describeFormat(name))])),
    otherNames: ["output-format", "out-format"],
    defaultText: "by the extension of -o, else table on a terminal, csv otherwise",
    schema: "choice",
  },
  output: {
    short: "-o",
    argument: "file",
    otherNames: ["out", "outfile", "out-file", "output-file", "file", "save"],
    kind: "file",
    help: `write to a file, replaced only when the new one is complete; - is standard output; .gz compresses (${COMPRESSED})`,
    schema: "text",
  },
  timeZone: {
    argument: "zone",
    otherNames: ["tz", "timezone", "zone"],
    kind: "time zone",
    suggestions: ["network", "utc"],
    help: "time zone of the timestamps: network, utc, or a zone such as Australia/Sydney",
    default: "network",
    schema: "text",
  },
  summary: {
    otherNames: ["stats", "describe", "info"],
    help: "also print a summary of each series on standard error: points, nulls, missing buckets, first, last, min, mean, max, and sums of MWh, $ and t",
    schema: "flag",
  },
  ...FORMAT_FLAGS,
} as const satisfies OptionTable);

const { format, output, header } = OUTPUT_OPTIONS;

/** The output flags of a list, which has no time series. */
export const LIST_OUTPUT_OPTIONS = { format: { ...format, offered: LIST_FORMATS }, output, header } as const satisfies OptionTable;

export const OUTPUT_FLAGS = flagsOf(OUTPUT_OPTIONS);

export type OutputValues = OptionValues<typeof OUTPUT_OPTIONS>;
