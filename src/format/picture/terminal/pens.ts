/** Colours as SGR parameters, by what a terminal can. */
import { hcl, type LabColor, lab, rgb } from "d3-color";
import type { ColorDepth } from "../../../base/context.ts";

/** One colour, for characters and for what is behind them. */
export interface Ink {
  readonly front: string;
  readonly back: string;
}

export interface Pens {
  readonly bold: string;
  readonly dim: string;
  /** Swaps the colours of a cell. */
  readonly inverse: string;
  /** One per colour, in order, as different as the terminal can show them; undefined without colours. */
  inks(colors: readonly string[]): readonly Ink[] | undefined;
}

export function createPens(depth: ColorDepth): Pens {
  if (depth === 1) return { bold: "", dim: "", inverse: "", inks: () => undefined };
  return {
    bold: "1",
    dim: "2",
    inverse: "7",
    inks: (colors) => {
      const shown = colors.map(makeVisible);
      return depth === 24 ? shown.map(toTrueColor) : pickNearest(shown, depth === 8 ? listColors256() : listColors16());
    },
  };
}

/** Lightness (of 100) that can be told from a black and from a white background. */
const LIGHTNESS = { least: 40, most: 82 };

/** The background is not known: coal must not vanish on a dark one, nor solar on a light one. */
function makeVisible(color: string): LabColor {
  const { h, c, l } = hcl(color);
  return lab(hcl(h, c, Math.min(Math.max(l, LIGHTNESS.least), LIGHTNESS.most)));
}

function toTrueColor(color: LabColor): Ink {
  const { r, g, b } = color.rgb().clamp();
  const channels = [r, g, b].map(Math.round).join(";");
  return { front: `38;2;${channels}`, back: `48;2;${channels}` };
}

interface PaletteColor {
  readonly color: LabColor;
  readonly ink: Ink;
}

/** A colour of the palette for each, none twice while there are as many; what is nearest is matched first. */
function pickNearest(colors: readonly LabColor[], palette: readonly PaletteColor[]): Ink[] {
  const pairs = colors.flatMap((color, index) => palette.map((one) => ({ index, one, distance: measureDistance(color, one.color) })));
  const picked = new Map<number, PaletteColor>();
  const taken = new Set<PaletteColor>();
  for (const { index, one } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (picked.has(index) || taken.has(one)) continue;
    picked.set(index, one);
    taken.add(one);
  }
  return colors.map((_, index) => (picked.get(index) ?? (palette[index % palette.length] as PaletteColor)).ink);
}

/** CIE76. */
function measureDistance(one: LabColor, other: LabColor): number {
  return Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b);
}

/** The levels of a channel in xterm's cube of 216 colours. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** Without the first 16, which themes change: a cube and a ramp of greys. */
function listColors256(): PaletteColor[] {
  const cube = LEVELS.flatMap((r) => LEVELS.flatMap((g) => LEVELS.map((b) => rgb(r, g, b))));
  const greys = Array.from({ length: 24 }, (_, step) => rgb(8 + 10 * step, 8 + 10 * step, 8 + 10 * step));
  return [...cube, ...greys].map((color, index) => ({
    color: lab(color),
    ink: { front: `38;5;${16 + index}`, back: `48;5;${16 + index}` },
  }));
}

/** xterm's, without black and white: one of them is the background. */
const COLORS_16 = {
  31: "#cd0000",
  32: "#00cd00",
  33: "#cdcd00",
  34: "#0000ee",
  35: "#cd00cd",
  36: "#00cdcd",
  90: "#7f7f7f",
  91: "#ff0000",
  92: "#00ff00",
  93: "#ffff00",
  94: "#5c5cff",
  95: "#ff00ff",
  96: "#00ffff",
};

function listColors16(): PaletteColor[] {
  return Object.entries(COLORS_16).map(([code, color]) => ({ color: lab(color), ink: { front: code, back: String(Number(code) + 10) } }));
}
