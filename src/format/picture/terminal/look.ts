import type { Panel, TimeAxis } from "../model/picture.ts";
import type { Ink, Pens } from "./pens.ts";
import type { Scale } from "../model/scales.ts";
import type { CellGrid } from "./canvas.ts";

/** How the series of a panel are told apart. */
export interface Look {
  readonly pens: Pens;
  readonly unicode: boolean;
  /** One per series; undefined without colours. */
  readonly inks: readonly Ink[] | undefined;
  /** Drawn in place of dots and blocks: one per series; undefined where those can be told apart. */
  readonly letters: readonly string[] | undefined;
}

export interface PanelLook {
  readonly panel: Panel;
  readonly look: Look;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** The mark of the only series, where there are no dots and blocks. */
const ALONE = "*";

export function chooseLook({ series }: Panel, pens: Pens, unicode: boolean): Look {
  const inks = pens.inks(series.map(({ colour }) => colour));
  if (unicode && (inks || series.length === 1)) return { pens, unicode, inks, letters: undefined };
  const letters = series.map((_, index) => (series.length === 1 ? ALONE : (ALPHABET[index % ALPHABET.length] as string)));
  return { pens, unicode, inks, letters };
}

/** The cells of a canvas where a panel's series are drawn. */
export interface PlotCells {
  readonly canvas: CellGrid;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly time: TimeAxis;
  /** From a value to rows above the lower edge. */
  readonly scale: Scale;
  readonly look: Look;
}
