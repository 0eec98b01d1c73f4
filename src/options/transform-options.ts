import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

const group = "Along time and between series";

/** Flags that compute with the values of other intervals or series, in the order in which they are applied. */
export const TRANSFORM_OPTIONS = {
  minus: {
    argument: "value",
    help: "the other series minus that of one region, fueltech or facility, such as VIC1; with several labels: region=VIC1",
    group,
    schema: "text",
  },
  rolling: {
    argument: "duration",
    suggestions: ["24h", "7d", "12M"],
    help: "the mean (MW, $/MWh, %) or sum (MWh, $, t) of the last 24h, 7d or 12M, up to and including each interval",
    group,
    schema: "duration",
  },
  compare: {
    argument: "duration",
    suggestions: ["1y", "1w", "1d"],
    help: "beside each value the one so long before, such as 1y: columns before, change and change_percent",
    group,
    schema: "duration",
  },
} as const satisfies OptionTable;

export const TRANSFORM_FLAGS = flagsOf(TRANSFORM_OPTIONS);

export type TransformValues = OptionValues<typeof TRANSFORM_OPTIONS>;
