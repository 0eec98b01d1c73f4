import { createDataCommand } from "./data.ts";

export const market = createDataCommand({
  name: "market",
  examples: [
    { command: "ents market NEM -m price demand -i 5m --last 12h -r SA1", does: "price and demand of one region" },
    {
      command: "ents market NEM -m price -i 1h -s 2025-01-31 -e 2025-01-31 --primary-grouping network_region --shape wide -f csv",
      does: "hourly prices of all regions",
    },
  ],
});
