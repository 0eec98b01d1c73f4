import { flagsOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { formatList } from "../base/phrases.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import { describeFormatNames, nameFormats, findFormats, FORMAT_NAMES, LIST_FORMATS } from "./registry.ts";

const WIDE = findFormats(({ shape }) => shape === "wide");
const COMPRESSED = describeFormatNames(findFormats(({ gzip }) => gzip));

export const OUTPUT_OPTIONS = nameFormats({
  format: {
    short: "-f",
    argument: "format",
    kind: "format",
    help: "output format",
    brief: "table, csv, json, chart, parquet, xlsx, …",
    choices: FORMAT_NAMES,
    defaultText: "by the extension of -o, else table on a terminal, csv otherwise",
    schema: "choice",
  },
  output: {
    short: "-o",
    argument: "file",
    kind: "file",
    help: `write to a file, replaced only once complete; - is standard output; .gz compresses (${COMPRESSED})`,
    brief: "write to a file; its name sets the format",
    schema: "text",
  },
  timeZone: {
    argument: "zone",
    aliases: ["tz"],
    kind: "time zone",
    suggestions: ["network", "utc"],
    help: "time zone of timestamps, and of dates where intervals are shorter than a day: network, utc, or a zone such as Australia/Sydney",
    group: "Columns and timestamps",
    default: "network",
    schema: "text",
  },
  summary: {
    help: "also print statistics of each series on standard error: points, gaps, min and max with their times, percentiles, mean, sums of MWh, $ and t",
    schema: "flag",
  },
  ...FORMAT_FLAGS,
  shape: { ...FORMAT_FLAGS.shape, defaultText: `wide for ${formatList(WIDE, "and")}, else long` },
} as const satisfies OptionTable);

const { format, output, header } = OUTPUT_OPTIONS;

/** The output flags of a list, which has no time series. */
export const LIST_OUTPUT_OPTIONS = {
  format: { ...format, offered: LIST_FORMATS },
  output,
  header,
} as const satisfies OptionTable;

export const OUTPUT_FLAGS = flagsOf(OUTPUT_OPTIONS);

export type OutputValues = OptionValues<typeof OUTPUT_OPTIONS>;
