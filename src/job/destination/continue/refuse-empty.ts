import { EntsError } from "../../../base/errors.ts";

/** Of an update for which nothing comes: night after night, it would take away as much again. `lacking`: what it would. */
export function refuseEmpty(name: string, lacking: string, output: "file" | "folder"): EntsError {
  return new EntsError("unavailable", `${name} is unchanged: the service has no data for its revised part, which has ${lacking}`, {
    hint: `run the command again later; if the data are gone for good, move the ${output} away to fetch all of it again`,
  });
}
