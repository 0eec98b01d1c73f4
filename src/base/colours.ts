/**
 * Colours of fueltechs, fueltech groups and regions: the hues of the field's public front ends, changed so that
 * neighbours in a stack, and the lines of regions, differ with any colour vision (test/unit/colour-vision.test.ts).
 *
 * Fueltechs: OpenElectricity's front end (opennem/openelectricity, src/lib/theme/openelectricity.js), except batteries:
 * they are purple here, because its indigo is close to the blue of hydro and pumps. It has no colour for `other`,
 * `aggregator_vpp` (light purple here: mostly batteries) and `hydro_and_storage` (here the colour of hydro in OpenNEM's
 * API). Regions: OpenNEM's front end (opennem/opennem-fe, constants/energy-regions.js).
 */
import type { Fueltech, FueltechGroup } from "./fueltechs.ts";

/** In stacking order, from the axis outwards, as in the same front ends. */
export const FUELTECH_COLOURS = {
  imports: "#521986",
  coal_brown: "#744a26",
  coal_black: "#121212",
  coal: "#25170c",
  nuclear: "#c75338",
  bioenergy_biogas: "#4cb9b9",
  bioenergy_biomass: "#2d8e8e",
  bioenergy: "#2d8e8e",
  biomass: "#2d8e8e",
  distillate: "#cb3b5e",
  gas_steam: "#c46a12",
  gas_ccgt: "#f59b3a",
  gas_ocgt: "#ffdda4",
  gas_recip: "#dca8a0",
  gas_wcmg: "#b7734d",
  gas: "#e87809",
  interconnector: "#7f7f7f",
  aggregator_dr: "#7f7f7f",
  other: "#a39887",
  aggregator_vpp: "#8f6fce",
  battery_discharging: "#6a3fb5",
  battery: "#6a3fb5",
  hydro: "#779acb",
  hydro_and_storage: "#4582b4",
  wind: "#2c7629",
  wind_offshore: "#53ad69",
  solar_thermal: "#fdb200",
  solar_utility: "#fed500",
  solar: "#fed500",
  solar_rooftop: "#fff58d",
  exports: "#917aac",
  pumps: "#8bc6e9",
  battery_charging: "#a18ceb",
} as const satisfies Readonly<Record<Fueltech | FueltechGroup, string>>;

/** Renewables and fossil fuels, by the value of the label `renewable`: OpenElectricity's front end. */
export const RENEWABLE_COLOURS = { false: "#594929", true: "#52a972" } as const;

export const REGION_COLOURS = {
  NEM: "#e34a33",
  NSW1: "#0f9fc5",
  QLD1: "#e51b35",
  SA1: "#cd7d00",
  TAS1: "#578f6f",
  VIC1: "#183170",
  WEM: "#000000",
} as const satisfies Readonly<Record<string, string>>;

/**
 * For everything else: Paul Tol's "muted" scheme and three colours of Okabe and Ito, changed so that all are dark
 * enough for lines and differ with any colour vision. (https://personal.sron.nl/~pault/,
 * https://jfly.uni-koeln.de/color/)
 */
export const PALETTE = [
  "#332288",
  "#d46980",
  "#00672a",
  "#489dbe",
  "#882255",
  "#9e913d",
  "#20886b",
  "#bc4c00",
  "#a64090",
  "#7c8445",
  "#0066b4",
  "#b78800",
] as const;

/** For a series that combines many small ones. */
export const OTHER_COLOUR = "#9aa0a6";
