import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

/** Flags that keep outputs current or check them. `nameFormats` (src/format) replaces `{formats}`. */
export const UPKEEP_OPTIONS = {
  update: {
    help: "add new data; recheck recent days; keep all responses in <output>.ents/",
    brief: "add new data to -o; recheck recent days",
    needs: ["output", "dateStart", "interval"],
    conflicts: ["last"],
    schema: "flag",
  },
  revise: {
    argument: "duration",
    help: "recheck this much of the recent past, as services restate values",
    default: "7d",
    needs: ["update"],
    schema: "duration",
  },
  recheck: {
    argument: "n|all",
    help: "also recheck this many older responses, as services correct old years",
    default: "1",
    needs: ["update"],
    schema: "countOrAll",
  },
  history: {
    help: "also keep responses that newer ones supersede, so that 'ents show --as-of' can go back",
    needs: ["update"],
    schema: "flag",
  },
  overwrite: {
    help: "replace the file even if --update keeps it current, or if there is no data now",
    group: "Output",
    needs: ["output"],
    schema: "flag",
  },
  partition: {
    argument: "period",
    help: "write a folder of files, one for each period of network time: folder/year=2025/month=01/data.parquet ({formats}; parquet by default)",
    group: "Output",
    choices: ["year", "month", "day"],
    // Avoids suggesting `--interval 7d` for `week`.
    suggestsOwnChoicesOnly: true,
    needs: ["output"],
    schema: "choice",
  },
  datapackage: {
    help: "also write <file>.datapackage.json: columns, units, requests, hash; implied by --update and --partition",
    group: "Output",
    needs: ["output"],
    schema: "flag",
  },
  requireComplete: { help: "exit with 7 if a finished interval has no data in any series", schema: "flag" },
  requireCompleteEach: {
    spelling: "--require-complete=each",
    help: "exit with 7 if a series lacks data between its first and last interval",
    schema: "flag",
  },
  requireFresh: {
    argument: "duration",
    help: "exit with 7 if the newest value is older than this, such as 2h",
    schema: "duration",
  },
  follow: {
    help: "print each new interval once it is over, until Ctrl-C ({formats})",
    conflicts: [
      "dateEnd",
      "during",
      "update",
      "partition",
      "datapackage",
      "requireComplete",
      "requireCompleteEach",
      "requireFresh",
      "cache",
    ],
    schema: "flag",
  },
} as const satisfies OptionTable;

export const UPKEEP_FLAGS = flagsOf(UPKEEP_OPTIONS);

export type UpkeepValues = OptionValues<typeof UPKEEP_OPTIONS>;
