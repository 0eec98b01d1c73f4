import { createDataCommand } from "./data.ts";

export const facilities = createDataCommand({
  name: "facilities",
  examples: [
    { command: "ents facilities NEM -m power --facility-code BAYSW MP -i 1h --last 2d", does: "the units of two power stations" },
    {
      command: "ents facilities NEM -m energy --facility-code @codes.txt -i 1d --last 7d",
      does: "codes from a file, one per line",
    },
  ],
});
