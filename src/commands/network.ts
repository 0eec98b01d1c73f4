import { QUERY_FLAGS } from "../options/query-options.ts";
import { createDataCommand } from "./data.ts";

export const network = createDataCommand({
  name: "network",
  codesHint: `a region goes after ${QUERY_FLAGS.networkRegion}`,
  examples: [
    { command: "ents network NEM --metrics power energy", does: "the service's default window and interval" },
    { command: "ents network NEM -m power -i 5m --last 1d -g fueltech", does: "one day by fueltech" },
    {
      command: "ents network NEM -m power -i 5m --last 12h -g fueltech -f chart --follow",
      does: "a live chart, redrawn with each new bucket",
    },
    { command: "ents network NEM -m energy -i 1d --last 30d --complete -r NSW1 -o nsw.csv", does: "30 days of one region, into a file" },
  ],
});
