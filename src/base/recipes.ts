/** What people ask for and no service has: how to compute it. docs/recipes.md has each in full. */

export interface Recipe {
  /** Names in use, in lower case. */
  readonly names: readonly string[];
  readonly formula: string;
  /** Fetches the values to start with. */
  readonly command: string;
}

/** Common intervals that the service lacks. */
export const INTERVAL_RECIPES: readonly Recipe[] = [
  {
    names: ["10m", "15m", "10min", "15min"],
    formula: "the mean (MW, $/MWh) or the sum (MWh, $, t) of 5m",
    command: "ents market NEM -m demand -i 5m --last 1d",
  },
  {
    names: ["2h", "3h", "4h", "6h", "8h", "12h"],
    formula: "the mean (MW, $/MWh) or the sum (MWh, $, t) of 1h",
    command: "ents market NEM -m demand -i 1h --last 7d",
  },
];

/** Common names of quantities that no service offers as metrics, and how to compute them; docs/recipes.md has each in full. */
export const METRIC_RECIPES: readonly Recipe[] = [
  {
    names: ["capacity_factor", "capacity_factors", "capacityfactor", "cf", "load_factor"],
    formula: "energy / (capacity x hours)",
    command: "ents facilities NEM -m energy -i 1d --facility ararat --with capacity",
  },
  {
    names: ["intensity", "emissions_intensity", "emission_intensity", "carbon_intensity", "emissions_factor", "emission_factor"],
    formula: "emissions / energy",
    command: "ents network NEM -m emissions energy -i 1d --last 7d --shape wide",
  },
];
