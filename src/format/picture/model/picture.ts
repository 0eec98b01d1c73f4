/** A picture of series as a plain value: marks, panels, colours and texts. Painters decide positions and sizes. */
import type { Interval } from "../../../base/intervals.ts";
import type { Query } from "../../../query/query.ts";
import type { UnitFacts } from "../../../series/fuels.ts";
import type { NumberLine } from "../../../series/number-line.ts";
import type { PartialIntervals } from "../../../query/window.ts";
import type { AnalysisResult } from "../../../series/analyses/result.ts";
import type { Zone } from "../../../time/zone.ts";

/** What the picture is about, besides its series. */
export interface Subject {
  readonly zone: Zone;
  /** Undefined for library users. */
  readonly query?: Query | undefined;
  readonly isSynthetic?: boolean | undefined;
  /** When the newest response was created, in milliseconds since 1970 UTC. */
  readonly createdAt?: number | undefined;
  readonly units?: UnitFacts | undefined;
  /** True if codes are kept in place of names. */
  readonly rawNames?: boolean | undefined;
  readonly yScale?: YScale | undefined;
  readonly palette?: Palette | undefined;
  /** In place of one that ents makes. */
  readonly title?: string | undefined;
  /** `Source: OpenElectricity` */
  readonly source?: string | undefined;
  /** When the data were as they are shown, if they may be otherwise by now; in milliseconds since 1970 UTC. */
  readonly asOf?: number | undefined;
  readonly partial?: readonly PartialIntervals[] | undefined;
  /** What an analysis adds: an axis in place of the time, or points to be marked. */
  readonly analysis?: AnalysisResult | undefined;
  /** Maximum number of legend entries, at least 3; by default as many as fit on a page. */
  readonly maxEntries?: number | undefined;
}

/** Grey is told apart by lightness, and by dashes and hatches. */
type Palette = "colour" | "grey";

/** What a title has around its metrics. */
export interface SubjectName {
  /** `Average day of wind `; empty if the metrics are first. */
  readonly lead: string;
  /** ` in Queensland, by year` */
  readonly about: string;
}

/** Texts contain no control characters; painters escape them for their output. */
export interface Picture {
  /** `Power by fueltech, New South Wales (GW)`; without the unit if there are several. */
  readonly title: string;
  /** What a title has around its metrics. */
  readonly subjectName: SubjectName;
  /** True if the title is the user's, and the one that ents makes begins the subtitle. */
  readonly hasOwnTitle?: boolean;
  /** Network, period, interval and zone, and whether data are synthetic. */
  readonly subtitle: string;
  /** True if the title must say so where the subtitle has no room. */
  readonly isSynthetic: boolean;
  readonly time: TimeAxis;
  /** One per unit, from top to bottom, or one per part of the lines of a unit; empty if there are no points. */
  readonly panels: readonly Panel[];
  /** True if the panels are small multiples: they share unit, domain and scale, and may stand side by side. */
  readonly isSplit: boolean;
  /** True if all panels have the same names and colours, and one legend is enough. */
  readonly sharesLegend: boolean;
  /** Notes about all panels. */
  readonly notes: readonly string[];
  /** Which intervals are not complete, as their lighter marks do not say why: shown in any size. */
  readonly remarks: readonly string[];
  /** Where the data are from, and their licence. */
  readonly source: string | undefined;
}

/**
 * The time axis that all panels share. Positions are instants, in milliseconds since 1970 UTC, so an hour that the
 * clock shows twice takes two hours. Texts show the wall clock of the requested zone.
 */
export interface TimeAxis {
  /** From the first point to the last or, with columns, to the end of the last interval. Never empty. */
  readonly domain: readonly [start: number, end: number];
  /** Returns the wall clock at an instant, in milliseconds as if it were UTC. */
  readonly toWallClock: (instant: number) => number;
  /** Undefined if the service names no interval that ents knows. */
  readonly interval: Interval | undefined;
  /** The intervals, if columns are drawn. */
  readonly intervals?: ColumnSpans | undefined;
  /** The parts to draw lighter, as instants: forecasts, and intervals of which there is only a part. */
  readonly partial: readonly (readonly [start: number, end: number])[];
  /** The instant from which on all values are forecasts; undefined if there are none, or the axis does not have it. */
  readonly now: number | undefined;
  /** What stands in place of the time. */
  readonly other?: OtherAxis | undefined;
}

/** What stands in place of the time axis: the times of a period, or the share of time. */
export interface OtherAxis {
  /** What is added to a position so that it is a time of the calendar that has its name. */
  readonly start: number;
  /** `wall`: a position with `start` added. */
  readonly print: (wall: number) => string;
  /** The same for a tick. */
  readonly printTick: (wall: number) => string;
  /** The extent; undefined for that of the points. */
  readonly domain?: readonly [number, number];
}

/** Arrays of equal length. */
export interface ColumnSpans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Areas and columns are stacked away from the axis, negative values below it. */
export type Mark = "line" | "area" | "column";

/** `clip`: a few extreme values are cut at the edge, which says how far they go. */
export type YScale = "linear" | "log" | "clip";

/** A value beyond the domain. */
export interface Spike {
  readonly time: number;
  readonly value: number;
  /** The name of its series; undefined if there is one. */
  readonly of: string | undefined;
}

export interface Panel {
  /** The metrics: `Price`; of small multiples, what distinguishes them: `Queensland`. */
  readonly title: string;
  /** The metrics alone. */
  readonly metrics: string;
  /** Of the values here: the service's unit or a larger one, such as GW. */
  readonly unit: string;
  readonly mark: Mark;
  /** True if its points are in order of time, so that one is the last. */
  readonly hasLast: boolean;
  /** True if its series follow each other, such as years: in this order in the legend, and by colour. */
  readonly isOrdered: boolean;
  /** The unrounded extent of the drawn values; for stacks, of their sums. Never empty. */
  readonly domain: readonly [low: number, high: number];
  readonly yScale: YScale;
  /** On a logarithmic axis, the smallest size of a value that is not zero. */
  readonly least?: number | undefined;
  /** The most extreme value beyond each end of the domain, if any. */
  readonly spikes: readonly Spike[];
  /** In stacking order from the axis outwards, or else in canonical order. In a stack, all have the same `times`. */
  readonly series: readonly PictureSeries[];
  /** The ends of the intervals drawn as columns, parallel to `times`. */
  readonly ends?: Float64Array | undefined;
  /** Notes on values that were left out or drawn differently. */
  readonly notes: readonly string[];
}

/** The panels that have a legend: those of several series, or the first if one legend is enough. */
export function listLegendPanels({ panels, sharesLegend }: Picture): readonly Panel[] {
  return (sharesLegend ? panels.slice(0, 1) : panels).filter(({ series }) => series.length > 1);
}

/** `GW`; `GW, log scale` */
export function printUnit({ unit, yScale }: Pick<Panel, "unit" | "yScale">): string {
  return yScale === "log" ? `${unit}, log scale` : unit;
}

/** How a series is told from others. */
export interface Style {
  /** `#rrggbb` */
  readonly colour: string;
  /** Of a grey line: the lengths of its dashes and gaps; empty for a solid one. */
  readonly dash?: string | undefined;
  /** Of a grey area: the number of its hatch; 0 for none. */
  readonly hatch?: number | undefined;
}

export interface PictureSeries extends NumberLine, Style {
  readonly name: string;
  /** The lowest and highest of the values that each of `values` is the mean of; undefined if it is of one. */
  readonly range?: ValueRange | undefined;
  /** Points to be marked. */
  readonly picked?: NumberLine | undefined;
  readonly figures: Figures;
}

/** Parallel to `times`. */
interface ValueRange {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Figures of the legend, without intervals that are not complete; undefined if a series has no value. */
export interface Figures {
  readonly last: number | undefined;
  readonly mean: number | undefined;
  /** In a stack: its sum as a fraction of the sum of all series above the axis, 0 to 1; negative below it. */
  readonly share?: number | undefined;
}
