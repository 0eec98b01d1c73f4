/** What a page computes when series are switched: axes, stacks and paths, in the units of a view. */
import type { PagePanel, PagePlot, PageStack, ScaleSpan } from "../page-data.ts";

type Domain = readonly [low: number, high: number];

/** True for the index of a series that is switched on. */
export type IsShown = (series: number) => boolean;

export interface Axis {
  readonly span: ScaleSpan;
  /** Undefined: the axis is as it was drawn. */
  readonly ticks: { readonly values: readonly number[]; readonly digits: number } | undefined;
}

/** The position of a value, or the value of a position. */
export function scale([a, b, from, to]: ScaleSpan, value: number): number {
  return from + ((value - a) / (b - a)) * (to - from);
}

/** The index of the nearest instant, or of the last one that is not later; -1 if there is none. `times`: sorted. */
export function findNearestIndex(times: readonly number[], instant: number, isLast: boolean): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < instant) low = middle + 1;
    else high = middle;
  }
  const [before = Number.NEGATIVE_INFINITY, after = Number.POSITIVE_INFINITY] = [times[low - 1], times[low]];
  if (after === instant) return low;
  return isLast || instant - before < after - instant ? low - 1 : low;
}

/** The axis that fits what is switched on. One that cuts spikes off, or is logarithmic, stays. */
export function fitAxis(panel: PagePanel, plot: PagePlot, isShown: IsShown): Axis {
  const [, , from, to] = plot.y;
  const isWhole = panel.series.every((_, index) => isShown(index));
  const domain = isWhole || !panel.isLinear ? undefined : findShownDomain(panel, plot, isShown);
  if (!domain) return { span: plot.y, ticks: undefined };
  const [low, high] = domain;
  const step = findStep(low, high, plot.ticks);
  const [lowest, highest] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  // As in the drawing: not if most of the part above or below zero would be empty.
  const y: ScaleSpan = [
    low < 0 && lowest < 2 * low ? low : lowest,
    high > 0 && highest > 2 * high ? high : highest,
    from,
    to,
  ];
  return { span: y, ticks: listTicks(y[0], y[1], plot.ticks) };
}

function findShownDomain({ series }: PagePanel, { stack }: PagePlot, isShown: IsShown): Domain | undefined {
  const ends = stack
    ? listEnds(stack, isShown)
    : series.filter((_, index) => isShown(index)).flatMap(({ values }) => values);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const end of ends) if (end !== null) [low, high] = [Math.min(low, end), Math.max(high, end)];
  const isFarFromZero = !stack && low > 0 && low > high / 2;
  if (!isFarFromZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  return low < high ? [low, high] : undefined;
}

/** The lowest and highest ends of a stack. */
function listEnds({ starts, values }: PageStack, isShown: IsShown): number[] {
  const shown = values.filter((_, index) => isShown(index));
  const sumAt = (at: number, sign: 1 | -1) =>
    shown.reduce((total, list) => total + Math.max(0, sign * (list[at] ?? 0)), 0);
  return starts.flatMap((_, at) => [-sumAt(at, -1), sumAt(at, 1)]);
}

/**
 * 1, 2 or 5 times a power of ten, as d3 chooses it: a page holds no code of other packages, which would need their
 * notices.
 */
function findStep(low: number, high: number, count: number): number {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const error = raw / power;
  return power * (error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1);
}

/** At most `most` round numbers. */
function listTicks(low: number, high: number, most: number): Axis["ticks"] {
  for (let count = most; ; count--) {
    const step = findStep(low, high, count);
    const first = Math.ceil(low / step - 1e-9);
    const length = Math.floor(high / step + 1e-9) - first + 1;
    if (length > most && count > 1) continue;
    const values = Array.from({ length }, (_, index) => (first + index) * step);
    return { values, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
  }
}

/** One path for each series of a stack; those that are switched off get none. */
export function restack(
  { starts, ends, values }: PageStack,
  span: ScaleSpan,
  isShown: IsShown,
): (string | undefined)[] {
  const above = starts.map(() => 0);
  const below = starts.map(() => 0);
  return values.map((list, index) => {
    if (!isShown(index)) return undefined;
    const isMostlyBelow = list.reduce<number>((sum, value) => sum + (value ?? 0), 0) < 0;
    const bands = list.map((value, at): PixelBand | undefined => {
      if (value === null) return undefined;
      const isBelow = value < 0 || (value === 0 && isMostlyBelow);
      const side = isBelow ? below : above;
      const from = side[at] as number;
      side[at] = from + value;
      return { from: roundPixel(scale(span, from)), to: roundPixel(scale(span, from + value)), isBelow };
    });
    return ends.length > 0 ? columnPath(bands, starts, ends) : areaPath(bands, starts);
  });
}

interface PixelBand {
  readonly from: number;
  readonly to: number;
  readonly isBelow: boolean;
}

function columnPath(
  bands: readonly (PixelBand | undefined)[],
  starts: readonly number[],
  ends: readonly number[],
): string {
  const columns = bands.map((band, at) => {
    const start = starts[at] as number;
    const width = (ends[at] as number) - start;
    const free = width > 4 ? width * 0.15 : 0;
    return band ? `M${start + free / 2},${band.from}h${width - free}V${band.to}h${free - width}z` : "";
  });
  return columns.join("");
}

/** Split at gaps, and where a band changes sides of the axis. */
function areaPath(bands: readonly (PixelBand | undefined)[], starts: readonly number[]): string {
  const areas: { readonly there: string[]; readonly back: string[] }[] = [];
  bands.forEach((band, at) => {
    if (!band) return;
    if (bands[at - 1]?.isBelow !== band.isBelow) areas.push({ there: [], back: [] });
    areas.at(-1)?.there.push(`${starts[at]},${band.to}`);
    areas.at(-1)?.back.unshift(`${starts[at]},${band.from}`);
  });
  return areas.map(({ there, back }) => `M${there.join("L")}L${back.join("L")}Z`).join("");
}

function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}
