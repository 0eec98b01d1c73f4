import type { OptionTable, OptionValues } from "./spec.ts";

/** The flags that say how and where the data is written. */
export const OUTPUT_OPTIONS = {
  format: {
    short: "-f",
    argument: "format",
    help: "table, csv, tsv, json or ndjson; default: by the ending of -o, else table on a terminal and csv elsewhere",
    schema: "text",
  },
  output: {
    short: "-o",
    argument: "file",
    help: "write to a file, which is replaced only when the new one is complete; - is standard output",
    schema: "text",
  },
  shape: {
    argument: "shape",
    help: "long (a row a point) or wide (a column a metric); default long, in a table wide",
    schema: "shape",
  },
  timeZone: {
    argument: "zone",
    help: "print timestamps in network time (default), in utc, or in a zone such as Australia/Sydney",
    schema: "text",
  },
  header: { negated: true, help: "leave out the header line (csv, tsv)", schema: "flag" },
  limit: {
    argument: "n",
    help: "rows that a table shows, the first and the last; default 40 on a terminal, else all; 0 is all",
    schema: "count",
  },
} as const satisfies OptionTable;

export type OutputValues = OptionValues<typeof OUTPUT_OPTIONS>;
