import { EntsError } from "../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";

/** What came for an update looks like a fault of the service. Other runs must not use its answers. */
export class BadNight extends EntsError {}

/** No data for the revised part: written, it would remove that part. `lacking`: what would be removed. */
export function nothingCame(name: string, lacking: string, output: "file" | "folder"): BadNight {
  return new BadNight(
    "unavailable",
    `${name} is unchanged: the service has no data for the period that is fetched again, where the ${output} has ${lacking}`,
    {
      hint: `run the command again later; if the data are gone for good, move the ${output} away to fetch all of it again`,
    },
  );
}

/** `apart`: the distance of the service's values, as `30m`; `interval`: the one asked for. */
export function otherBuckets(name: string, { apart, interval }: { readonly apart: string; readonly interval: string }): BadNight {
  return new BadNight("unavailable", `${name} is unchanged: ${interval} was asked for, but the service sent values ${apart} apart`, {
    hint: `run the command again later; if this persists, use another file with ${OUTPUT_OPTIONS.output.short}`,
  });
}
