/**
 * Colours of fueltechs, fueltech groups and regions, taken from the field's public front ends.
 *
 * Fueltechs: OpenElectricity's front end (opennem/openelectricity, src/lib/theme/openelectricity.js), except batteries: they are
 * purple here, because its indigo is close to the blue of hydro and pumps. It has no colour for `other`, `aggregator_vpp` (light
 * purple here: mostly batteries) and `hydro_and_storage` (here the colour of hydro in OpenNEM's API).
 * Regions: OpenNEM's front end (opennem/opennem-fe, constants/energy-regions.js).
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
  bioenergy_biomass: "#1d7a7a",
  bioenergy: "#1d7a7a",
  biomass: "#1d7a7a",
  distillate: "#e15c34",
  gas_steam: "#f48e1b",
  gas_ccgt: "#fdb462",
  gas_ocgt: "#ffcd96",
  gas_recip: "#f9dcbc",
  gas_wcmg: "#b46813",
  gas: "#e87809",
  interconnector: "#7f7f7f",
  aggregator_dr: "#7f7f7f",
  other: "#a39887",
  aggregator_vpp: "#8f6fce",
  battery_discharging: "#6a3fb5",
  battery: "#6a3fb5",
  hydro: "#5ea0c0",
  hydro_and_storage: "#4582b4",
  wind: "#2c7629",
  wind_offshore: "#53ad69",
  solar_thermal: "#fdb200",
  solar_utility: "#fed500",
  solar: "#fed500",
  solar_rooftop: "#fff58d",
  exports: "#927bad",
  pumps: "#88afd0",
  battery_charging: "#a58ae0",
} as const satisfies Readonly<Record<Fueltech | FueltechGroup, string>>;

/** Renewables and fossil fuels, by the value of the label `renewable`: OpenElectricity's front end. */
export const RENEWABLE_COLOURS = { false: "#594929", true: "#52a972" } as const;

export const REGION_COLOURS = {
  NEM: "#e34a33",
  NSW1: "#24cbf9",
  QLD1: "#e71d36",
  SA1: "#ff9f1c",
  TAS1: "#5f9e7d",
  VIC1: "#183170",
  WEM: "#000000",
} as const satisfies Readonly<Record<string, string>>;

/**
 * For everything else, distinguishable with any colour vision: Paul Tol's "muted" scheme and three colours of Okabe and Ito.
 * (https://personal.sron.nl/~pault/, https://jfly.uni-koeln.de/color/)
 */
export const PALETTE = [
  "#332288",
  "#cc6677",
  "#117733",
  "#88ccee",
  "#882255",
  "#ddcc77",
  "#44aa99",
  "#d55e00",
  "#aa4499",
  "#999933",
  "#0072b2",
  "#e69f00",
] as const;

/** For a series that combines many small ones. */
export const OTHER_COLOUR = "#9aa0a6";
