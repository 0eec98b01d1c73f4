import { createDataCommand } from "./data.ts";

export const network = createDataCommand({
  name: "network",
  examples: [
    { command: "ents network NEM --metrics power energy", does: "the service's default window and interval" },
    { command: "ents network NEM -m power -i 5m --last 1d --secondary-grouping fueltech", does: "one day by fueltech" },
    { command: "ents network NEM -m energy -i 1d -s 2025-01 -e 2025-01 -r NSW1 -o january.csv", does: "January of one region into a file" },
  ],
});
