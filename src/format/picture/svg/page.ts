/** A picture on a page: what stands where, in pixels. */
import type { Panel } from "../model/picture.ts";
import type { Scale, Tick } from "../model/scales.ts";
import type { TickRoom } from "../model/time-ticks.ts";
import type { LegendBox } from "./legend-box.ts";
import type { TextSizes } from "./markup.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotFrame {
  readonly panel: Panel;
  readonly caption: string | undefined;
  readonly box: Box;
  readonly x: Scale;
  /** The same for its marks. */
  readonly markX: Scale;
  readonly y: Scale;
  readonly valueTicks: readonly Tick[];
  /** Whether values are printed beside it, and times below it. */
  readonly hasValues: boolean;
  readonly hasTimes: boolean;
  readonly timeRoom: TickRoom;
}

export interface SvgFrame {
  readonly width: number;
  readonly height: number;
  readonly sizes: TextSizes;
  readonly plots: readonly PlotFrame[];
  readonly timeTicks: readonly Tick[];
  readonly legends: readonly LegendBox[];
  /** Title and subtitle, by their baselines; none on a page that has its own. */
  readonly heading: readonly { readonly text: string; readonly y: number; readonly isTitle: boolean }[];
  readonly notes: readonly { readonly text: string; readonly y: number }[];
}
