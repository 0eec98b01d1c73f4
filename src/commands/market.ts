import { QUERY_FLAGS } from "../options/query-options.ts";
import { createDataCommand } from "./data.ts";

export const market = createDataCommand({
  name: "market",
  codesHint: `a region goes after ${QUERY_FLAGS.networkRegion}`,
  examples: [
    { command: "ents market NEM -m price demand -i 5m --last 12h -r SA1", does: "price and demand of one region" },
    {
      command: "ents market NEM -m price -i 1h --last 1d -g region --pivot region -f csv",
      does: "hourly prices, one column per region",
    },
    { command: "ents market NEM -m price -i 5m --last 1h -g region --follow", does: "prices as they come, until Ctrl-C" },
    {
      command: "ents market NEM -m price -i 1d --last 7d --complete -o prices.csv",
      does: "for a nightly job: the last 7 days, each of them complete",
    },
  ],
});
