/** Flags of single formats: a format brings those that mean something to it (registry.ts). */
import type { OptionTable } from "../options/spec.ts";

/** Rows that a table shows on a terminal unless told otherwise. */
export const TERMINAL_ROWS = 40;

export const SHAPE = {
  shape: {
    argument: "shape",
    help: "long: one row per value; wide: one column per metric",
    choices: ["long", "wide"],
    defaultText: "long, for a table wide",
    schema: "choice",
  },
} as const satisfies OptionTable;

export const HEADER = {
  header: { negated: true, help: "leave out the header line (csv, tsv)", schema: "flag" },
} as const satisfies OptionTable;

export const LIMIT = {
  limit: {
    argument: "n",
    help: "maximum rows of a table (its first and last); 0 is all",
    defaultText: `${TERMINAL_ROWS} on a terminal, else all`,
    schema: "count",
  },
} as const satisfies OptionTable;
