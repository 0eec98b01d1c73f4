import { PICK_FLAGS, PICK_OPTIONS, readPicks } from "../options/list-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { createDataCommand } from "./data.ts";

const { facilityCode, unitCode } = QUERY_FLAGS;

export const facilities = createDataCommand({
  name: "facilities",
  codesHint: `facility codes go after ${facilityCode}, unit codes after ${unitCode}, a name after ${PICK_FLAGS.facility}`,
  pick: { options: PICK_OPTIONS, read: readPicks },
  examples: [
    { command: "ents facilities NEM -m power --facility-code BAYSW MP -i 1h --last 2d", does: "the units of two power stations" },
    {
      command: "ents facilities NEM -m power -r SA1 --fueltech wind --with facility_name",
      does: "the wind farms of South Australia, with their names",
    },
    {
      command: "ents facilities NEM -m energy --facility-code @codes.txt -i 1d --last 7d",
      does: "codes from a file, one per line",
    },
  ],
});
