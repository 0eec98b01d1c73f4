/** The colour of each series, and its position in a stack. */
import { group, sort, sum } from "d3-array";
import { hcl, rgb } from "d3-color";
import { scaleLinear } from "d3-scale";
import { UNIT_LABEL } from "../../../base/vocabulary.ts";
import { FUELTECH_COLOURS, OTHER_COLOUR, PALETTE, REGION_COLOURS, RENEWABLE_COLOURS } from "../../../base/colours.ts";
import { findLabel } from "../../../series/time-series.ts";
import type { DrawnSeries } from "./legend.ts";
import type { FuelSource } from "../../../series/fuels.ts";
import type { Mark, Style, Subject } from "./picture.ts";

const KNOWN_COLOURS: readonly (readonly [label: string, colours: Readonly<Record<string, string>>])[] = [
  ["fueltech", FUELTECH_COLOURS],
  ["fueltech_group", FUELTECH_COLOURS],
  ["renewable", RENEWABLE_COLOURS],
  ["region", REGION_COLOURS],
];

const STACKING_ORDER = Object.keys(FUELTECH_COLOURS);

/** Orders a stack from the axis outwards: by fueltech, series without one last; units of the same fueltech by size. */
export function orderStack(entries: readonly DrawnSeries[]): DrawnSeries[] {
  const ranks = new Map(
    entries.map((entry) => [entry, [rankFuel(entry), isOfUnit(entry) ? -Math.abs(sum(entry.values)) : 0] as const]),
  );
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

function isOfUnit({ source }: DrawnSeries): boolean {
  return source !== undefined && Object.hasOwn(source.series.labels, UNIT_LABEL);
}

interface Coloured {
  readonly mark: Mark;
  readonly isOrdered: boolean;
  readonly entries: readonly DrawnSeries[];
}

/** Chooses what each name in all panels looks like. */
export function chooseStyles(
  panels: readonly Coloured[],
  { palette, analysis }: Pick<Subject, "palette" | "analysis">,
): (name: string, mark: Mark) => Style {
  const { periods, isComparison } = analysis ?? {};
  const isOrdered = panels.some((panel) => panel.isOrdered);
  const listed = [...new Set(panels.flatMap(({ entries }) => entries.map(({ name }) => name)))];
  const names = isOrdered && periods ? periods.names.filter((name) => listed.includes(name)) : listed;
  const placeOf = (name: string) => (names.length < 2 ? 1 : names.indexOf(name) / (names.length - 1));
  if (palette === "grey")
    return (name, mark) => {
      const at = names.indexOf(name);
      if (mark !== "line") return { colour: pickCyclic(FILL_GREYS, at), hatch: at % HATCHES };
      return {
        colour: isOrdered ? GREY_SCALE(placeOf(name)) : pickCyclic(LINE_GREYS, at),
        dash: pickCyclic(DASHES, at),
      };
    };
  const colourOf = isOrdered
    ? (name: string) => (isComparison ? SHADES : TIME_SCALE)(placeOf(name))
    : chooseColours(panels);
  return (name) => ({ colour: colourOf(name) });
}

function pickCyclic(values: readonly string[], at: number): string {
  return values[at % values.length] as string;
}

const hexScale = (colours: readonly string[]) => {
  const scale = scaleLinear<string>(
    colours.map((_, index) => index / (colours.length - 1)),
    colours,
  );
  return (place: number) => rgb(scale(place)).formatHex();
};
/** From the oldest to the newest: ever darker, so that the order is seen with any colour vision. */
const TIME_SCALE = hexScale(["#d39b1f", "#cf4f63", "#7b2c8f", "#1d1147"]);
/** One colour, the older one lighter. */
const SHADES = hexScale(["#7f9fd4", "#12377f"]);
const GREY_SCALE = hexScale(["#a0a0a0", "#000000"]);
const LINE_GREYS = ["#000000", "#7d7d7d", "#444444"];
const FILL_GREYS = ["#2b2b2b", "#d5d5d5", "#6f6f6f", "#ababab"];
/** The number of hatches, with none. */
const HATCHES = 5;
const DASHES = ["", "6 3", "2 3", "8 2 2 3", "5 2 1 2 1 2"];

/**
 * Chooses one colour for each name in all panels: the conventional one, or else one from the palette by the name, so
 * that it has the same colour in most pictures. If all are stacks, series of one fueltech have shades of its colour, in
 * order; lines, which cross each other, have colours of their own.
 */
function chooseColours(panels: readonly Coloured[]): (name: string) => string {
  const mark = panels.some((panel) => panel.mark === "line") ? "line" : "area";
  const known = new Map<string, string | undefined>();
  for (const { entries } of panels)
    for (const { name, source } of entries) {
      if (!source) known.set(name, OTHER_COLOUR);
      else if (!known.has(name)) known.set(name, findKnownColour(source, entries, mark));
    }
  // Names of one colour in one panel.
  const sharing = new Map<string, readonly string[]>();
  for (const { entries } of panels)
    for (const names of group(new Set(entries.map(({ name }) => name)), (name) => known.get(name)).values())
      for (const name of names) if (names.length > (sharing.get(name)?.length ?? 0)) sharing.set(name, names);
  const taken = new Set<number>();
  const colours = new Map(
    Array.from(known, ([name, colour]) => {
      const names = sharing.get(name) ?? [];
      if (colour === undefined || (mark === "line" && names.length > 1 && colour !== OTHER_COLOUR))
        return [name, pickFromPalette(name, taken)];
      return [name, names.length === 1 ? colour : shade(colour, names.indexOf(name), names.length)];
    }),
  );
  return (name) => {
    const colour = colours.get(name) ?? OTHER_COLOUR;
    return mark === "line" ? darken(colour) : colour;
  };
}

/**
 * Finds a colour by the first label, or the unit's fueltech, that has conventional colours and distinguishes the
 * series.
 */
function findKnownColour(source: FuelSource, all: readonly DrawnSeries[], mark: Mark): string | undefined {
  for (const [label, colours] of KNOWN_COLOURS) {
    const value = readLabel(source, label);
    const isOfUnits = label === "fueltech" && mark !== "line" && Object.hasOwn(source.series.labels, UNIT_LABEL);
    const isShared =
      !isOfUnits && all.length > 1 && all.every((entry) => !entry.source || readLabel(entry.source, label) === value);
    if (!isShared && Object.hasOwn(colours, value)) return colours[value];
  }
  return undefined;
}

function readLabel({ series, fuel }: FuelSource, label: string): string {
  return String(findLabel(series, label) ?? (label === "fueltech" ? fuel : undefined));
}

function pickFromPalette(name: string, taken: Set<number>): string {
  let index = hashName(name) % PALETTE.length;
  while (taken.has(index) && taken.size < PALETTE.length) index = (index + 1) % PALETTE.length;
  taken.add(index);
  return PALETTE[index] as string;
}

/** FNV-1a. */
function hashName(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** One of several shades of a hue, from dark to light. */
function shade(colour: string, nth: number, of: number): string {
  const { h, c, l } = hcl(colour);
  const [darkest, lightest] = [Math.max(DARKEST, l - DARKER), Math.min(Math.max(LIGHTEST, l), l + LIGHTER)];
  const range = Math.min(lightest - darkest, SHADE_STEP * (of - 1));
  const from = Math.min(Math.max(l - range / 2, darkest), lightest - range);
  return hcl(h, c, from + (range * nth) / (of - 1)).formatHex();
}

const [DARKEST, LIGHTEST] = [22, 86];
/** Shades that are darker or lighter than a colour by more look like another. */
const [DARKER, LIGHTER] = [40, 55];
/** Largest distance between two shades, in lightness. */
const SHADE_STEP = 16;

/** Makes a colour dark enough for a line on a light page: three times its contrast. */
function darken(colour: string): string {
  const { h, c, l } = hcl(colour);
  return l > MAX_LIGHTNESS ? hcl(h, c, MAX_LIGHTNESS).formatHex() : colour;
}

const MAX_LIGHTNESS = 61;

/** Makes a colour light enough for a dark page. */
export function lighten(colour: string): string {
  const { h, c, l } = hcl(colour);
  return l < MIN_LIGHTNESS ? hcl(h, c, MIN_LIGHTNESS).formatHex() : colour;
}

const MIN_LIGHTNESS = 46;
