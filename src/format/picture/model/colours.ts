/** The colour of each series, and its position in a stack. */
import { sort, sum } from "d3-array";
import { hcl } from "d3-color";
import { UNIT_LABEL } from "../../../base/vocabulary.ts";
import { FUELTECH_COLOURS, OTHER_COLOUR, PALETTE, REGION_COLOURS, RENEWABLE_COLOURS } from "../../../base/colours.ts";
import { findLabel } from "../../../series/time-series.ts";
import type { DrawnSeries } from "./legend.ts";
import type { FuelSource } from "../../../series/fuels.ts";

const KNOWN_COLOURS: readonly (readonly [label: string, colours: Readonly<Record<string, string>>])[] = [
  ["fueltech", FUELTECH_COLOURS],
  ["fueltech_group", FUELTECH_COLOURS],
  ["renewable", RENEWABLE_COLOURS],
  ["region", REGION_COLOURS],
];

const STACKING_ORDER = Object.keys(FUELTECH_COLOURS);

/** Orders a stack from the axis outwards: by fueltech, series without one last; units of the same fueltech by size. */
export function orderStack(entries: readonly DrawnSeries[]): DrawnSeries[] {
  const ranks = new Map(entries.map((entry) => [entry, [rankFuel(entry), isUnit(entry) ? -Math.abs(sum(entry.values)) : 0] as const]));
  return sort(
    entries,
    (entry) => ranks.get(entry)?.[0],
    (entry) => ranks.get(entry)?.[1],
  );
}

function rankFuel({ source }: DrawnSeries): number {
  const rank = STACKING_ORDER.indexOf(source?.fuel ?? "");
  return rank < 0 ? STACKING_ORDER.length : rank;
}

function isUnit({ source }: DrawnSeries): boolean {
  return source !== undefined && Object.hasOwn(source.series.labels, UNIT_LABEL);
}

/** Chooses the conventional colour, or else one from the palette by the series' name, so that it has the same colour in most pictures. */
export function chooseColours(series: readonly DrawnSeries[]): string[] {
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

/** Finds a colour by the first label, or the unit's fueltech, that has conventional colours and distinguishes the series. */
function findKnownColour(source: FuelSource, all: readonly DrawnSeries[]): string | undefined {
  for (const [label, colours] of KNOWN_COLOURS) {
    const value = readLabel(source, label);
    const isShared = all.length > 1 && all.every((one) => !one.source || readLabel(one.source, label) === value);
    if (!isShared && Object.hasOwn(colours, value)) return colours[value];
  }
  return undefined;
}

function readLabel({ series, fuel }: FuelSource, label: string): string {
  return String(findLabel(series, label) ?? (label === "fueltech" ? fuel : undefined));
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

/** The same hue in another lightness, for a fueltech in another region. */
function shade(colour: string, nth: number): string {
  const { h, c, l } = hcl(colour);
  const [darkest, lightest] = SHADES;
  // Light colours get darker first, dark ones lighter.
  const step = l > (darkest + lightest) / 2 ? -SHADE_STEP : SHADE_STEP;
  return hcl(h, c, darkest + ((l - darkest + step * nth + SHADE_STEP * (lightest - darkest)) % (lightest - darkest))).formatHex();
}

const SHADES = [20, 85] as const;
/** Lightness step, chosen so that few steps come close to an earlier one. */
const SHADE_STEP = 19;

/** Makes a colour light enough for a dark page. */
export function lighten(colour: string): string {
  const { h, c, l } = hcl(colour);
  return l < MIN_LIGHTNESS ? hcl(h, c, MIN_LIGHTNESS).formatHex() : colour;
}

const MIN_LIGHTNESS = 46;
