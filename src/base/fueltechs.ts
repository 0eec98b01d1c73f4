/** The fueltechs and their groups of the public OpenElectricity service (opennem/opennem 4.5.11); other services may have others. */

/** The group of each fueltech code; null if the public service has none. */
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

/** Groups of the public service that no fueltech is in, with the group that has the fueltechs of that name. */
export const EMPTY_GROUPS = { biomass: "bioenergy" } as const;

export type Fueltech = keyof typeof FUELTECH_GROUP_OF;
export type FueltechGroup = NonNullable<(typeof FUELTECH_GROUP_OF)[Fueltech]> | keyof typeof EMPTY_GROUPS;

export const FUELTECHS: readonly string[] = Object.keys(FUELTECH_GROUP_OF);
/** The groups that fueltechs are in. */
export const FUELTECH_GROUPS: readonly string[] = [...new Set(Object.values(FUELTECH_GROUP_OF))].filter((group) => group !== null);

/** Whether a fueltech has the name of a group that it is not in, as `solar` has: hardly any unit has it, and the group is meant. */
export function isGenericFueltech(code: string): boolean {
  return FUELTECH_GROUPS.includes(code) && isWithoutGroup(code);
}

/** Whether the public service leaves out the data of a fueltech: those without a group. */
export function hasNoData(code: string): boolean {
  return isWithoutGroup(code) && !isGenericFueltech(code);
}

function isWithoutGroup(code: string): boolean {
  return (FUELTECH_GROUP_OF as Readonly<Record<string, string | null>>)[code] === null;
}
