/** What people ask for under names that no service has, and how to get it. */

export interface Recipe {
  /** Names in use, in lower case. */
  readonly names: readonly string[];
  /** Says what to do, with a command that works. */
  readonly hint: string;
}

function composeIntervals(names: readonly string[], of: string, last: string): Recipe {
  const command = `ents market NEM -m demand -i ${of} --last ${last}`;
  return {
    names,
    hint: `compute it as the mean (MW, $/MWh) or the sum (MWh, $, t) of ${of}, starting with\n${command}`,
  };
}

/** Common intervals that the service lacks. */
export const INTERVAL_RECIPES: readonly Recipe[] = [
  composeIntervals(["10m", "15m", "10min", "15min"], "5m", "1d"),
  composeIntervals(["2h", "3h", "4h", "6h", "8h", "12h"], "1h", "7d"),
];

/** Names of quantities that are no metrics. */
export const METRIC_RECIPES: readonly Recipe[] = [
  {
    names: ["generation", "gen", "output", "production"],
    hint: "it is power (MW) or energy (MWh): ents network NEM -m power energy -i 1h --last 1d",
  },
  {
    names: ["revenue", "revenues", "income", "cost"],
    hint: "it is market_value: ents network NEM -m market_value -g fueltech -i 1d --last 7d",
  },
  {
    names: ["vwap", "volume_weighted_price", "volume_weighted_average_price"],
    hint: [
      "weighted by demand, as in market reports: ents market NEM -m demand_weighted_price -g region -i 5m --last 7d --summary-only",
      "weighted by generation: ents network NEM -m average_price -g region -i 1d --last 7d",
    ].join("\n"),
  },
  {
    names: ["curtailment_proportion", "curtailment_rate", "curtailment_share"],
    hint: "divide by what wind and solar generated and curtailed: ents market NEM -m curtailment_energy -g region -i 1d --last 7d",
  },
];
