import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

const group = "Along time and between series";

/** An output that is kept current has all values, as they are. */
export const NOT_UPDATED = {
  update: {
    because: ", which keeps all values",
    use: "leave it out; then use ents show {output} {flag} ...",
  },
} as const;

const COMPUTED = { conflicts: ["update", "follow"], conflictHints: NOT_UPDATED, group } as const;

const sideBySide = (flag: string) => ({ use: `to set periods side by side, use ${flag} with --per year, or month` });

/** Flags that compute with the values of other intervals or series, in the order in which they are applied. */
export const TRANSFORM_OPTIONS = {
  minus: {
    argument: "value",
    help: "the other series minus that of one region, fueltech or facility, such as VIC1; with several labels: region=VIC1",
    ...COMPUTED,
    schema: "text",
  },
  rolling: {
    argument: "duration",
    suggestions: ["24h", "7d", "12M"],
    help: "the mean (MW, $/MWh, %) or sum (MWh, $, t) of the last 24h, 7d or 12M, up to and including each interval",
    ...COMPUTED,
    schema: "duration",
  },
  compare: {
    argument: "duration",
    suggestions: ["1y", "1w", "1d"],
    help: "beside each value the one so long before, such as 1y: columns before, change and change_percent",
    conflicts: [...COMPUTED.conflicts, "latest", "profile", "duration", "summaryOnly", "pivot"],
    conflictHints: {
      ...NOT_UPDATED,
      latest: { use: "leave out --latest, and use --last" },
      profile: sideBySide("--profile"),
      duration: sideBySide("--duration"),
      summaryOnly: sideBySide("--summary-only"),
      pivot: { use: "leave it out: each row has a value and the one before" },
    },
    group,
    schema: "duration",
  },
} as const satisfies OptionTable;

export const TRANSFORM_FLAGS = flagsOf(TRANSFORM_OPTIONS);

export type TransformValues = OptionValues<typeof TRANSFORM_OPTIONS>;
