import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

/** Flags for outputs that are kept current, and for what must be true of them. `nameFormats` (src/format) names the formats. */
export const UPKEEP_OPTIONS = {
  update: {
    otherNames: ["append", "incremental", "sync"],
    help: "keep the output current: fetch what is missing or may have changed, keep all answers in <output>.ents/, and write it anew",
    needs: ["output", "dateStart", "interval"],
    conflicts: ["last"],
    schema: "flag",
  },
  revise: {
    argument: "duration",
    otherNames: ["lookback", "overlap"],
    help: "how long after the end of a window it is fetched again, since services restate values",
    default: "7d",
    needs: ["update"],
    schema: "duration",
  },
  recheck: {
    argument: "n|all",
    help: "how many older answers to ask for again, since services correct old years",
    default: "1",
    needs: ["update"],
    schema: "countOrAll",
  },
  overwrite: {
    help: "write the output even if another command wrote it, or data of it are gone",
    needs: ["output"],
    schema: "flag",
  },
  changes: {
    argument: "file",
    otherNames: ["changelog", "change-log"],
    kind: "file",
    help: "append each restated or withdrawn point to this csv file",
    needs: ["update"],
    schema: "text",
  },
  partition: {
    argument: "period",
    otherNames: ["partition-by", "partition-cols"],
    help: "write a folder of files, one for each period of network time: folder/year=2025/month=01/data.parquet ({formats}; parquet by default)",
    choices: ["year", "month", "day"],
    // Not `--interval 7d` for `week`.
    meansNoOther: true,
    needs: ["output"],
    schema: "choice",
  },
  datapackage: {
    otherNames: ["metadata", "provenance"],
    help: "describe the file beside it in <file>.datapackage.json: columns, units, requests, hash; implied by --update and --partition",
    needs: ["output"],
    schema: "flag",
  },
  requireComplete: {
    help: "exit with 7 if a bucket that has ended has no value in any series",
    schema: "flag",
  },
  requireFresh: {
    argument: "duration",
    otherNames: ["max-age"],
    help: "exit with 7 if the newest value is older than this, such as 2h",
    schema: "duration",
  },
  follow: {
    otherNames: ["watch", "tail", "live"],
    help: "print each new bucket once it has ended, until stopped ({formats})",
    conflicts: ["dateEnd", "update", "partition", "datapackage", "requireComplete", "requireFresh", "cache"],
    schema: "flag",
  },
} as const satisfies OptionTable;

export const UPKEEP_FLAGS = flagsOf(UPKEEP_OPTIONS);

export type UpkeepValues = OptionValues<typeof UPKEEP_OPTIONS>;
