import { EntsError } from "../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";

/** What came for an update is not what the service has on other nights. It is of no use for another run. */
export class BadNight extends EntsError {}

/** It would take away as much night after night. `lacking`: what. */
export function nothingCame(name: string, lacking: string, output: "file" | "folder"): BadNight {
  return new BadNight(
    "unavailable",
    `${name} is unchanged: the service has no data for the period that is fetched again, where the ${output} has ${lacking}`,
    {
      hint: `run the command again later; if the data are gone for good, move the ${output} away to fetch all of it again`,
    },
  );
}

/** `apart`: its buckets, as `30m`; `interval`: that was asked for. */
export function otherBuckets(name: string, { apart, interval }: { readonly apart: string; readonly interval: string }): BadNight {
  return new BadNight("unavailable", `${name} is unchanged: ${interval} was asked for, but the service sent values ${apart} apart`, {
    hint: `run the command again later; if this persists, use another file with ${OUTPUT_OPTIONS.output.short}`,
  });
}
