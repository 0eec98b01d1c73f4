import { EntsError } from "../../base/errors.ts";

/** Nothing came for an update, which would take away as much night after night. Its answers are of no use for another run. */
export class NothingCame extends EntsError {
  /** `lacking`: what it would take away. */
  constructor(name: string, lacking: string, output: "file" | "folder") {
    super("unavailable", `${name} is unchanged: the service has no data for its revised part, which has ${lacking}`, {
      hint: `run the command again later; if the data are gone for good, move the ${output} away to fetch all of it again`,
    });
  }
}
