/**
 * Metrics, groupings and codes of the v4 service. Values that v4 lists are checked before a request. Facts that only
 * the public OpenElectricity service defines (other units, regions, maximum windows, quotas; opennem/opennem 4.5.x)
 * serve hints, defaults and the sandbox; no request is refused because of them.
 */

export const COMMAND_NAMES = ["network", "facilities", "market"] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

export interface MetricFacts {
  readonly unit: string;
  readonly meaning: string;
  /** Commands whose endpoint offers the metric on the public service; v4 allows every metric on all. */
  readonly offeredBy: readonly CommandName[];
  /** The version of the public service that added it, if v4 does not list it. */
  readonly since?: string;
}

export const DATA: readonly CommandName[] = ["network", "facilities"];
export const MARKET: readonly CommandName[] = ["market"];

/** Commands whose endpoint needs no token on the public service. */
export const PUBLIC_COMMANDS: readonly CommandName[] = ["network", "market"];

export function metric(unit: string, meaning: string, offeredBy: readonly CommandName[] = MARKET): MetricFacts {
  return { unit, meaning, offeredBy };
}

/**
 * The metrics of v4, in its order, and those that the public service has added since. Units are from v4, else from that
 * service.
 */
export const METRICS = {
  power: metric("MW", "Instantaneous output or consumption", DATA),
  energy: metric("MWh", "Energy over the interval", DATA),
  price: metric("$/MWh", "Spot price"),
  market_value: metric("$", "Total market value", DATA),
  demand: metric("MW", "Demand met by scheduled generation"),
  demand_energy: metric("MWh", "Demand as energy over the interval"),
  demand_gross: metric("MW", "Demand including rooftop solar"),
  demand_gross_energy: metric("MWh", "Gross demand as energy over the interval"),
  generation_renewable: metric("MW", "Renewable generation"),
  generation_renewable_energy: metric("MWh", "Renewable generation as energy over the interval"),
  curtailment: metric("MW", "Curtailed solar and wind"),
  curtailment_energy: metric("MWh", "Curtailed solar and wind as energy over the interval"),
  curtailment_solar_utility: metric("MW", "Curtailed utility solar"),
  curtailment_solar_utility_energy: metric("MWh", "Curtailed utility solar as energy over the interval"),
  curtailment_wind: metric("MW", "Curtailed wind"),
  curtailment_wind_energy: metric("MWh", "Curtailed wind as energy over the interval"),
  emissions: metric("t", "Emissions, tonnes of CO2 equivalent", DATA),
  renewable_proportion: metric("%", "Renewable share of demand"),
  pollution: metric("t", "Pollutant emissions; not offered by the public service", []),
  storage_battery: metric("MWh", "Energy held in batteries (mean of several)", DATA),
  generation_renewable_with_storage: metric("MW", "Renewable generation including storage"),
  generation_renewable_with_storage_energy: metric("MWh", "The same as energy over the interval"),
  renewable_with_storage_proportion: metric("%", "Renewable share of demand including storage"),
  flow_imports: metric("MW", "Imports into the region"),
  flow_exports: metric("MW", "Exports out of the region"),
  flow_imports_energy: metric("MWh", "Imports as energy over the interval"),
  flow_exports_energy: metric("MWh", "Exports as energy over the interval"),
  solar_rooftop_forecast: { ...metric("MW", "Forecast of rooftop solar, eight days ahead"), since: "4.5.17" },
} as const satisfies Record<string, MetricFacts>;

export type Metric = keyof typeof METRICS;

/** True for forecasts, which the public service names so: their values lie in the future, and change with each run. */
export function isForecast(name: string): boolean {
  return name.endsWith("_forecast");
}

const SUMMED_UNITS: readonly string[] = ["MWh", "$", "t"];

/** Units of values that add up over the series of an interval. */
export const ADDED_UNITS: readonly string[] = ["MW", "MWh", "$", "t"];

/** True if values of several intervals can be summed. The energy held in batteries is a level. */
export function isSummed(name: string, unit: string): boolean {
  return SUMMED_UNITS.includes(unit) && name !== "storage_battery";
}

export const PRIMARY_GROUPINGS = ["network", "network_region"] as const;
export const SECONDARY_GROUPINGS = ["fueltech", "fueltech_group", "status", "renewable"] as const;

/** Labels of series by column name, each with the parameter and grouping that add it on the public service. */
export const LABELS = {
  network: { parameter: "primary_grouping", grouping: "network" },
  region: { parameter: "primary_grouping", grouping: "network_region" },
  fueltech: { parameter: "secondary_grouping", grouping: "fueltech" },
  fueltech_group: { parameter: "secondary_grouping", grouping: "fueltech_group" },
  status: { parameter: "secondary_grouping", grouping: "status" },
  renewable: { parameter: "secondary_grouping", grouping: "renewable" },
} as const;

export type GroupLabel = keyof typeof LABELS;

/** Filters that add a label to series, as groupings do on the public service. */
export const LABEL_OF_FILTER: Readonly<Record<string, GroupLabel>> = {
  network_region: "region",
  fueltech: "fueltech",
  fueltech_group: "fueltech_group",
};

/** What the labels of series are, for descriptions. */
export const LABEL_MEANINGS: Readonly<Record<string, readonly [title: string, description: string]>> = {
  region: ["Region", "Network region: a price zone, such as NSW1"],
  fueltech: ["Fuel technology", "Code of the fuel technology, such as coal_black"],
  fueltech_group: ["Fuel technology group", "Code of the group of fuel technologies, such as coal"],
  status: ["Status", "Status of the facilities, such as operating"],
  renewable: ["Renewable", "Whether the generation is renewable"],
  unit_code: ["Unit code", "Code of a generating or storage unit of a facility"],
};

/** The label of facility series. */
export const UNIT_LABEL = "unit_code";

/** What units can be added up by, each with the label of the sums; `network` adds up all of them. */
export const UNIT_GROUPS = {
  facility: "facility_code",
  fueltech: "fueltech",
  region: "region",
  status: "status",
  network: undefined,
} as const;

export type UnitGroup = keyof typeof UNIT_GROUPS;

/** The labels of sums by these groups. */
export function listGroupLabels(groups: readonly UnitGroup[]) {
  return groups.flatMap((group) => UNIT_GROUPS[group] ?? []);
}

/** Columns of `ents list units` that `--with` can add to rows; `units` is of sums. */
export const JOINED_COLUMNS = [
  "facility_code",
  "facility_name",
  "region",
  "fueltech",
  "status",
  "capacity",
  "capacity_maximum",
  "capacity_storage",
  "first_data",
  "last_data",
  "emissions_factor",
  "latitude",
  "longitude",
  "commenced",
  "closed",
  "expected_closure",
  "max_generation",
  "units",
] as const;

/** v4: at most 30 values of `facility_code`, and of `unit_code`, in one request. */
export const MAX_CODES = 30;

export interface NetworkFacts {
  /** Fixed offset of network time from UTC, in minutes; no daylight saving. */
  readonly offsetMinutes: number;
  readonly regions: readonly string[];
  /** The first day with data on the public service. */
  readonly dataSince?: string;
  /** True for AU, whose regions and facilities belong to other networks. */
  readonly isComposite?: true;
}

export const NETWORKS = {
  NEM: { offsetMinutes: 600, regions: ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"], dataSince: "1998-12-07" },
  WEM: { offsetMinutes: 480, regions: ["WEM"] },
  AU: { offsetMinutes: 600, regions: ["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"], isComposite: true },
} as const satisfies Record<string, NetworkFacts>;

/** Other names of networks, in lower case. */
export const NETWORK_NAMES: Readonly<Record<string, readonly string[]>> = {
  WEM: ["wa", "wa1", "western australia", "swis"],
  AU: ["australia", "aus"],
};

/** Finds a network by its code or another name, in any case. */
export function findNetworkCode(word: string): string | undefined {
  const wanted = word.toLowerCase();
  return Object.keys(NETWORKS).find((code) => code.toLowerCase() === wanted || NETWORK_NAMES[code]?.includes(wanted));
}

/** The network of each region; never AU, whose regions belong to other networks. */
export const HOME_NETWORKS: ReadonlyMap<string, string> = new Map(
  Object.entries<NetworkFacts>(NETWORKS).flatMap(([network, { regions, isComposite }]) =>
    isComposite ? [] : regions.map((region) => [region, network] as const),
  ),
);

export const REGION_NAMES: Readonly<Record<string, string>> = {
  NSW1: "New South Wales",
  QLD1: "Queensland",
  SA1: "South Australia",
  TAS1: "Tasmania",
  VIC1: "Victoria",
  WEM: "Western Australia",
};

/** Finds a region by one of its names, in any case. */
export function findRegion(word: string): string | undefined {
  const wanted = word.toLowerCase();
  return Object.keys(REGION_NAMES).find((code) => listRegionNames(code).some((name) => name.toLowerCase() === wanted));
}

/** Code with and without the digit, name and initials: `WEM`, `Western Australia`, `WA`. */
export function listRegionNames(code: string): string[] {
  const name = REGION_NAMES[code] ?? code;
  return [code, code.replace(/\d+$/, ""), name, ...(name.includes(" ") ? [name.replace(/[a-z ]/g, "")] : [])];
}

/** Statuses of units on the public service. */
export const STATUSES = ["operating", "commissioning", "committed", "retired"] as const;

/** Limits of the public service's plans, by lower-case name; `/v4/me` has the names in capitals. */
export const QUOTAS = {
  community: { perDay: 500, perSecond: 2, historyDays: 730 },
  pro: { perDay: 5000, perSecond: 5, historyDays: Number.POSITIVE_INFINITY },
  academic: { perDay: 2000, perSecond: 2, historyDays: Number.POSITIVE_INFINITY },
  enterprise: { perDay: Number.POSITIVE_INFINITY, perSecond: 10, historyDays: Number.POSITIVE_INFINITY },
} as const;

export type KeyPlan = keyof typeof QUOTAS;

/**
 * True if a service of this version fills gaps: between the first and the last point of a series in one response, every
 * interval is there. The public service does since 4.5.11 (its source, and 100 queries to it). Of any other version
 * nothing is known.
 */
export function isGapFilling(version: string): boolean {
  const [, minor = Number.NaN, patch = Number.NaN] = (/^4\.(\d{1,4})\.(\d{1,4})$/.exec(version) ?? []).map(Number);
  return minor > 5 || (minor === 5 && patch >= 11);
}

export const DEFAULT_BASE_URL = "https://api.openelectricity.org.au";
/** Where to get an API key of the public service. */
export const PLATFORM_URL = "https://platform.openelectricity.org.au";

/** Undefined for a network that ents does not know; `code`: as the service spells it. */
export function findNetwork(code: string): NetworkFacts | undefined {
  return Object.hasOwn(NETWORKS, code) ? NETWORKS[code as keyof typeof NETWORKS] : undefined;
}

export function findKeyPlan(name: string | undefined): KeyPlan | undefined {
  const plan = name?.toLowerCase() ?? "";
  return Object.hasOwn(QUOTAS, plan) ? (plan as KeyPlan) : undefined;
}
