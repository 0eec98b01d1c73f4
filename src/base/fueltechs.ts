/**
 * Fueltechs and fueltech groups of the public OpenElectricity service (opennem/opennem 4.5.11); other services may have
 * others.
 */

/** The group of each fueltech; null if the public service has none. */
export const FUELTECH_GROUP_OF = {
  battery: "battery",
  battery_charging: "battery_charging",
  battery_discharging: "battery_discharging",
  bioenergy_biogas: "bioenergy",
  bioenergy_biomass: "bioenergy",
  coal_black: "coal",
  coal_brown: "coal",
  distillate: "distillate",
  gas_ccgt: "gas",
  gas_ocgt: "gas",
  gas_recip: "gas",
  gas_steam: "gas",
  gas_wcmg: "gas",
  hydro: "hydro",
  hydro_and_storage: "hydro",
  pumps: "pumps",
  solar_rooftop: "solar",
  solar_thermal: "solar",
  solar_utility: "solar",
  nuclear: null,
  other: null,
  solar: null,
  wind: "wind",
  wind_offshore: "wind",
  imports: null,
  exports: null,
  interconnector: null,
  aggregator_vpp: null,
  aggregator_dr: null,
} as const satisfies Record<string, string | null>;

/** Groups of the public service without any fueltech, each with the group to use instead. */
export const EMPTY_GROUPS = { biomass: "bioenergy" } as const;

export type Fueltech = keyof typeof FUELTECH_GROUP_OF;
export type FueltechGroup = NonNullable<(typeof FUELTECH_GROUP_OF)[Fueltech]> | keyof typeof EMPTY_GROUPS;

/** A battery's fueltechs: `net` is discharging minus charging, so adding up all three counts storage twice. */
export const BATTERY = { net: "battery", charging: "battery_charging", discharging: "battery_discharging" } as const;

/** Fueltech of what is late and was half-hourly. */
export const ROOFTOP = "solar_rooftop" satisfies Fueltech;

/** The labels that divide a whole by what generates, the finest first. */
export const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"] as const;
export type FuelLabel = (typeof FUEL_LABELS)[number];

export function isFuelLabel(label: string | undefined): label is FuelLabel {
  return FUEL_LABELS.some((name) => name === label);
}

/**
 * In sums: what is discharged generates; what is charged, pumped or traded is a load; the net of a battery is neither.
 */
export type Role = "generation" | "load" | "net";

const LOADS: readonly unknown[] = [BATTERY.charging, "pumps", "imports", "exports"];

/** The role of a fueltech, or of a group. */
export function roleOf(fuel: unknown): Role {
  if (fuel === BATTERY.net) return "net";
  return LOADS.includes(fuel) ? "load" : "generation";
}

/** Storage is none, whatever it was charged with. */
const RENEWABLES: readonly unknown[] = [
  "bioenergy_biogas",
  "bioenergy_biomass",
  "hydro",
  "hydro_and_storage",
  "solar_rooftop",
  "solar_thermal",
  "solar_utility",
  "solar",
  "wind",
  "wind_offshore",
] satisfies Fueltech[];

export function isRenewable(fueltech: unknown): boolean {
  return RENEWABLES.includes(fueltech);
}

/** Null for a fueltech that has none, or that ents does not know. */
export function groupOf(fueltech: unknown): string | null {
  return typeof fueltech === "string" && Object.hasOwn(FUELTECH_GROUP_OF, fueltech)
    ? FUELTECH_GROUP_OF[fueltech as Fueltech]
    : null;
}

export const FUELTECHS: readonly string[] = Object.keys(FUELTECH_GROUP_OF);
/** Groups with at least one fueltech. */
export const FUELTECH_GROUPS: readonly string[] = [...new Set(Object.values(FUELTECH_GROUP_OF))].filter(
  (group) => group !== null,
);

/**
 * True for a fueltech that shares its name with a group but is not in it, such as `solar`. Few units have it; users
 * mean the group.
 */
export function isGenericFueltech(code: string): boolean {
  return FUELTECH_GROUPS.includes(code) && isWithoutGroup(code);
}

/**
 * True if the public service omits the fueltech's data because it has no group. Generic fueltechs have their own
 * message.
 */
export function hasNoData(code: string): boolean {
  return isWithoutGroup(code) && !isGenericFueltech(code);
}

function isWithoutGroup(code: string): boolean {
  return FUELTECHS.includes(code) && groupOf(code) === null;
}

/** Fueltechs and groups in the order in which the field lists them: from coal to batteries. */
export const FUEL_ORDER: readonly string[] = [
  ["coal_black", "coal_brown", "coal", "nuclear"],
  ["gas_ccgt", "gas_ocgt", "gas_recip", "gas_steam", "gas_wcmg", "gas", "distillate"],
  ["bioenergy_biogas", "bioenergy_biomass", "bioenergy", "biomass"],
  ["hydro", "hydro_and_storage", "pumps", "wind", "wind_offshore"],
  ["solar_utility", "solar_rooftop", "solar_thermal", "solar"],
  ["other", "interconnector", "imports", "exports", "aggregator_dr", "aggregator_vpp"],
  [BATTERY.discharging, BATTERY.charging, BATTERY.net],
].flat();

/** Names for reading. */
export const FUELTECH_NAMES = {
  battery: "Battery",
  battery_charging: "Battery charging",
  battery_discharging: "Battery discharging",
  bioenergy: "Bioenergy",
  bioenergy_biogas: "Biogas",
  bioenergy_biomass: "Biomass",
  biomass: "Biomass",
  coal: "Coal",
  coal_black: "Black coal",
  coal_brown: "Brown coal",
  distillate: "Distillate",
  gas: "Gas",
  gas_ccgt: "Gas (CCGT)",
  gas_ocgt: "Gas (OCGT)",
  gas_recip: "Gas (reciprocating)",
  gas_steam: "Gas (steam)",
  gas_wcmg: "Coal mine gas",
  hydro: "Hydro",
  hydro_and_storage: "Hydro and storage",
  pumps: "Pumps",
  solar: "Solar",
  solar_rooftop: "Rooftop solar",
  solar_thermal: "Solar thermal",
  solar_utility: "Utility solar",
  nuclear: "Nuclear",
  other: "Other",
  wind: "Wind",
  wind_offshore: "Offshore wind",
  imports: "Imports",
  exports: "Exports",
  interconnector: "Interconnector",
  aggregator_vpp: "Virtual power plants",
  aggregator_dr: "Demand response",
} as const satisfies Readonly<Record<Fueltech | FueltechGroup, string>>;
