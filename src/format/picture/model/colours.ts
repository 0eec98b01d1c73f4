/** The colour of each series, and its place in a stack. */
import { hcl } from "d3-color";
import { FUELTECH_COLOURS, OTHER_COLOUR, PALETTE, REGION_COLOURS, RENEWABLE_COLOURS } from "../../../base/colours.ts";
import { findLabel } from "../../../series/time-series.ts";
import type { DrawnSource } from "./read-points.ts";

const KNOWN_COLOURS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fueltech: FUELTECH_COLOURS,
  fueltech_group: FUELTECH_COLOURS,
  renewable: RENEWABLE_COLOURS,
  region: REGION_COLOURS,
};

const STACKING_ORDER = Object.keys(FUELTECH_COLOURS);

/** The place in a stack, by fueltech; what has none keeps its order, outside of those that have. */
export function stackingRank(source: DrawnSource | undefined): number {
  const found = source && findLabel(source.series, "fueltech_group");
  const fuel = (source && findLabel(source.series, "fueltech")) ?? found;
  const rank = STACKING_ORDER.indexOf(String(fuel));
  return rank < 0 ? STACKING_ORDER.length : rank;
}

interface Named {
  readonly name: string;
  readonly source?: DrawnSource | undefined;
}

/** The colours that the field knows, else one of the palette by the series' name: it has the same in most pictures. */
export function chooseColours(series: readonly Named[]): string[] {
  const uses = new Map<string, number>();
  const taken = new Set<number>();
  return series.map(({ name, source }) => {
    if (!source) return OTHER_COLOUR;
    const colour = findKnownColour(source, series) ?? pickFromPalette(name, taken);
    const nth = uses.get(colour) ?? 0;
    uses.set(colour, nth + 1);
    return nth === 0 ? colour : shade(colour, nth);
  });
}

/** The colour of the first label that has colours and tells the series apart. */
function findKnownColour({ series: { labels } }: DrawnSource, all: readonly Named[]): string | undefined {
  for (const [label, colours] of Object.entries(KNOWN_COLOURS)) {
    const value = Object.hasOwn(labels, label) ? String(labels[label]) : undefined;
    if (value === undefined || !Object.hasOwn(colours, value)) continue;
    const isShared = all.length > 1 && all.every(({ source }) => !source || String(findLabel(source.series, label)) === value);
    if (!isShared) return colours[value];
  }
  return undefined;
}

function pickFromPalette(name: string, taken: Set<number>): string {
  let index = hash(name) % PALETTE.length;
  while (taken.has(index) && taken.size < PALETTE.length) index = (index + 1) % PALETTE.length;
  taken.add(index);
  return PALETTE[index] as string;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** The hue in another lightness, for a fueltech in another region. */
function shade(colour: string, nth: number): string {
  const { h, c, l } = hcl(colour);
  const [darkest, lightest] = SHADES;
  // Light ones grow darker at first, dark ones lighter.
  const step = l > (darkest + lightest) / 2 ? -SHADE_STEP : SHADE_STEP;
  return hcl(h, c, darkest + ((l - darkest + step * nth + SHADE_STEP * (lightest - darkest)) % (lightest - darkest))).formatHex();
}

const SHADES = [20, 85] as const;
/** Few steps come near to an earlier one. */
const SHADE_STEP = 19;

/** Light enough to be seen on a dark page. */
export function lighten(colour: string): string {
  const { h, c, l } = hcl(colour);
  return l < MIN_LIGHTNESS ? hcl(h, c, MIN_LIGHTNESS).formatHex() : colour;
}

const MIN_LIGHTNESS = 46;
