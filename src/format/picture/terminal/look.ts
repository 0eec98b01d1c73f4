/** How the series of a panel are distinguished: by colours, as SGR parameters, or by letters. */
import { range } from "d3-array";
import { hcl, type LabColor, lab, rgb } from "d3-color";
import type { ColorDepth } from "../../../base/context.ts";
import type { OutputScreen } from "../../format.ts";
import { orderLegend } from "../model/legend.ts";
import type { Panel, TimeAxis } from "../model/picture.ts";
import type { Scale, Tick } from "../model/scales.ts";
import { createAreaScale, createCellScale } from "./cell-scale.ts";
import { type CellGrid, SGR, type StyledText } from "./canvas.ts";

/** A panel of a picture, prepared for a terminal. */
export interface ChartPanel {
  readonly panel: Panel;
  /** What may be written above it, the best first; empty if it is the only panel. */
  readonly captions: readonly string[];
  readonly unicode: boolean;
  /** SGR parameters of the foreground, one per series; undefined without colours. */
  readonly inks: readonly string[] | undefined;
  /** Drawn in place of dots and blocks, one per series; undefined if those can be distinguished. */
  readonly letters: readonly string[] | undefined;
}

/** The area in which the series of a panel are drawn. */
export interface Plot extends ChartPanel {
  readonly canvas: CellGrid;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly time: TimeAxis;
  /** Maps a value to rows above the lower edge. */
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
}

/** The columns of a plot that have only a part of their data. */
export function listPartialColumns({ time, width, panel }: Plot): ReadonlySet<number> {
  const scale = panel.mark === "line" ? createCellScale(time, width) : createAreaScale(time, width);
  return new Set(
    time.partial.flatMap(([start, end]) =>
      range(Math.round(scale(start)), Math.max(Math.round(scale(end)), Math.round(scale(start)) + 1)),
    ),
  );
}

/** The same mark, lighter: dim if it has a colour, a small letter if it is one. */
export function weaken({ text, style }: StyledText): StyledText {
  return {
    text: /^[A-Z]$/.test(text) ? text.toLowerCase() : text,
    style: style === undefined ? style : `${style};${SGR.dim}`,
  };
}

/** The letter of a single series. */
export const ALONE = "*";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Names in the order of their letters: as in the legends, which follow the drawing from its top. */
export function listLegendNames(panels: readonly Panel[]): readonly string[] {
  return [...new Set(panels.flatMap((panel) => orderLegend(panel).map(({ name }) => name)))];
}

export function toChartPanel(
  panel: Panel,
  { captions, names }: Pick<ChartPanel, "captions"> & { readonly names: readonly string[] },
  { colorDepth, unicode }: Pick<OutputScreen, "colorDepth" | "unicode">,
): ChartPanel {
  const { series } = panel;
  const colors = series.map(({ colour }) => makeVisible(colour));
  const inks = chooseInks(colors, colorDepth);
  const isAlone = series.length === 1;
  const letters = series.map(({ name }) =>
    isAlone ? ALONE : (ALPHABET[names.indexOf(name) % ALPHABET.length] as string),
  );
  return { panel, captions, unicode, inks, letters: unicode && (inks || isAlone) ? undefined : letters };
}

/** Chooses colours as different as the terminal can show. */
function chooseInks(colors: readonly LabColor[], depth: ColorDepth): string[] | undefined {
  if (depth === 1) return undefined;
  if (depth === 24) return colors.map(toTrueColor);
  return pickNearest(
    colors,
    depth === 8 ? listColors256() : COLORS_16.map(([ink, color]) => ({ ink, color: lab(color) })),
  );
}

/** Range of lightness (of 100) that is visible on both black and white backgrounds. */
const LIGHTNESS = { least: 40, most: 82 };

/** Adjusts lightness, as the background is unknown: coal must not vanish on a dark one, nor solar on a light one. */
function makeVisible(color: string): LabColor {
  const { h, c, l } = hcl(color);
  return lab(hcl(h, c, Math.min(Math.max(l, LIGHTNESS.least), LIGHTNESS.most)));
}

function toTrueColor(color: LabColor): string {
  const { r, g, b } = color.rgb().clamp();
  return `38;2;${[r, g, b].map(Math.round).join(";")}`;
}

interface PaletteColor {
  readonly color: LabColor;
  readonly ink: string;
}

/** Assigns palette colours, without repeats until the palette is used up; the closest pairs are matched first. */
function pickNearest(colors: readonly LabColor[], palette: readonly PaletteColor[]): string[] {
  const pairs = colors.flatMap(({ l, a, b }, index) =>
    // CIE76.
    palette.map((color) => ({
      index,
      color,
      distance: Math.hypot(l - color.color.l, a - color.color.a, b - color.color.b),
    })),
  );
  const picked = new Map<number, PaletteColor>();
  const taken = new Set<PaletteColor>();
  for (const { index, color } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (picked.has(index) || taken.has(color)) continue;
    picked.set(index, color);
    taken.add(color);
  }
  return colors.map((_, index) => (picked.get(index) ?? (palette[index % palette.length] as PaletteColor)).ink);
}

/** Channel levels in xterm's cube of 216 colours. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** A cube and a ramp of greys; leaves out the first 16 colours, which themes change. */
function listColors256(): PaletteColor[] {
  const cube = LEVELS.flatMap((r) => LEVELS.flatMap((g) => LEVELS.map((b) => rgb(r, g, b))));
  const greys = Array.from({ length: 24 }, (_, step) => rgb(8 + 10 * step, 8 + 10 * step, 8 + 10 * step));
  return [...cube, ...greys].map((color, index) => ({ color: lab(color), ink: `38;5;${16 + index}` }));
}

/** xterm's colours, without black and white, one of which is the background. */
const COLORS_16 = Object.entries({
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
});
