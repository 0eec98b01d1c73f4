/**
 * Flags that only some formats support, as registry.ts lists them. `{formats}` in a help text is replaced by their
 * names.
 */
import { JOINED_COLUMNS } from "../base/vocabulary.ts";
import type { OptionTable, OptionValues } from "../options/spec.ts";
import { ANALYSIS_FLAGS } from "./analysis-flags.ts";

export const FORMAT_FLAGS = {
  ...ANALYSIS_FLAGS,
  timeFormat: {
    argument: "format",
    help: "iso: with UTC offset; local: 2026-10-01 00:00:00; unix, unix-ms: since 1970; name: FY2025, 2025 Q1, 2025-01 (xlsx: name alone) ({formats})",
    choices: ["iso", "local", "unix", "unix-ms", "name"],
    defaultText: "iso",
    group: "Columns and timestamps",
    schema: "choice",
  },
  shape: {
    argument: "shape",
    help: "long: one row per value; wide: one column per metric ({formats})",
    choices: ["long", "wide"],
    group: "Columns and timestamps",
    schema: "choice",
  },
  pivot: {
    argument: "label",
    kind: "label",
    help: "one column for each value of a label, such as region or fueltech ({formats})",
    group: "Columns and timestamps",
    brief: "one column for each value of a label",
    schema: "text",
  },
  with: {
    argument: "column",
    list: true,
    commands: ["facilities"],
    choices: JOINED_COLUMNS,
    help: "add columns about each unit, from the list of units ({formats})",
    group: "Columns and timestamps",
    schema: "list",
  },
  intervalEnd: {
    help: "add a column interval_end: the end of each interval; for fy and season, interval_start, too ({formats})",
    group: "Columns and timestamps",
    schema: "flag",
  },
  null: {
    argument: "text",
    help: "text for a null, such as NA ({formats})",
    group: "Columns and timestamps",
    defaultText: "nothing",
    schema: "anyText",
  },
  header: { negated: true, help: "omit the header line ({formats})", schema: "flag" },
  limit: {
    argument: "n",
    help: "show n rows, the first three and then the last; 0 for all",
    defaultText: "what fits the terminal, else all",
    schema: "count",
  },
  rawNames: {
    help: "keep codes such as coal_black and NSW1 in place of names ({formats})",
    group: "Columns and timestamps",
    schema: "flag",
  },
  yScale: {
    argument: "scale",
    choices: ["linear", "log", "clip"],
    help: "value axis of lines: linear, log, or clip, which cuts spikes off and says how high they are ({formats})",
    defaultText: "clip if a spike would hide the rest, else linear",
    schema: "choice",
  },
  palette: {
    argument: "palette",
    choices: ["colour", "grey"],
    help: "colours of a picture; grey is told apart in black and white, by lightness and pattern ({formats})",
    defaultText: "colour",
    schema: "choice",
  },
  title: {
    argument: "text",
    help: "title of a picture, in place of its own, which then begins the line below it ({formats})",
    schema: "text",
  },
  width: {
    argument: "n",
    help: "width of a chart: pixels for svg, png (which has twice as many) and html, characters for chart",
    defaultText: "960 pixels; for chart, the terminal's",
    schema: "positiveCount",
  },
  height: {
    argument: "n",
    help: "height of a chart: the same, lines for chart",
    defaultText: "540 pixels, more for several units; for chart, the terminal's",
    schema: "positiveCount",
  },
} as const satisfies OptionTable;

export type FormatValues = OptionValues<typeof FORMAT_FLAGS>;
