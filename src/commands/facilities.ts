import { createDataCommand } from "./data.ts";

export const facilities = createDataCommand({
  name: "facilities",
  examples: [
    { command: "ents facilities NEM -m power --facility-code BAYSW LIDDELL -i 1h --last 2d", does: "the units of two power stations" },
    {
      command: "ents facilities NEM -m energy --facility-code @codes.txt -i 1d -s 2025-01 -e 2025-03 -f ndjson",
      does: "codes from a file, one per line",
    },
  ],
});
