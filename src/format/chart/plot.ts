import type { TimeAxis } from "../picture/picture.ts";
import type { Scale } from "../picture/scales.ts";
import type { Canvas } from "./canvas.ts";
import type { Look } from "./look.ts";

/** The cells of a canvas where a panel's series are drawn. */
export interface Plot {
  readonly canvas: Canvas;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly time: TimeAxis;
  /** From a value to rows above the lower edge. */
  readonly scale: Scale;
  readonly look: Look;
}
