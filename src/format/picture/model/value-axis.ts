/** The value axis of a panel: its unit, domain and scale. */
import { extent, max, maxIndex, min, minIndex, quickselect, sort, sum } from "d3-array";
import { scaleLinear } from "d3-scale";
import { type LargerUnit, listLargerUnits } from "../../../base/larger-units.ts";
import type { NumberLine } from "../../../series/number-line.ts";
import type { DrawnSeries } from "./legend.ts";
import type { Mark, Panel, Spike, YScale } from "./picture.ts";

/** In the service's unit; the panel's values are divided by `factor`. */
interface ValueAxis extends Pick<Panel, "unit" | "domain" | "yScale" | "least"> {
  readonly factor: number;
}

interface AxisSubject {
  readonly mark: Mark;
  /** The service's unit. */
  readonly unit: string;
  readonly yScale: YScale | undefined;
}

/** `panels`: the series of all panels that share the axis. */
export function chooseAxis(panels: readonly (readonly NumberLine[])[], { mark, unit, yScale }: AxisSubject): ValueAxis {
  const series = panels.flat();
  const isLog = mark === "line" && yScale === "log";
  // A proportion is one of a whole.
  const whole = findDomain(panels, { mark, isWhole: unit === "%", isLog });
  const isFree = mark === "line" && !isLog && yScale !== "linear";
  const clip = isFree ? findClip(series, yScale === "clip" ? CUT : unit === "$/MWh" ? PRICE_SPIKE : SPIKE) : undefined;
  const [low, high] = clip ? ([Math.max(whole[0], -clip), Math.min(whole[1], clip)] as const) : whole;
  const { name, factor } = chooseAxisUnit(unit, [low, high]);
  return {
    unit: name,
    factor,
    domain: [low / factor, high / factor],
    yScale: isLog ? "log" : clip ? "clip" : "linear",
    least: isLog ? (min(listSizes(series).filter((size) => size > 0)) ?? 1) / factor : undefined,
  };
}

/** Values beyond this multiple of the 99th percentile of all sizes make a chart that shows nothing else. */
const SPIKE = 20;
/** The same of prices: their spikes are short and high. */
const PRICE_SPIKE = 3;
/** Where such a chart is cut, as a multiple of the same. */
const CUT = 2;

/** Where to cut values, on both sides of zero; undefined if none needs it. */
function findClip(series: readonly NumberLine[], spike: number): number | undefined {
  const sizes = listSizes(series);
  if (sizes.length === 0) return undefined;
  const place = 0.99 * (sizes.length - 1);
  const rank = Math.floor(place);
  // All sizes after this rank are larger.
  const size = quickselect(sizes, rank)[rank] as number;
  const larger = sizes.subarray(rank + 1);
  const usual = size + (place - rank) * ((min(larger) ?? size) - size);
  return usual > 0 && (max(larger) ?? size) > spike * usual ? CUT * usual : undefined;
}

/** The sizes of all values, whatever their sign. A loop, as there may be millions. */
function listSizes(series: readonly NumberLine[]): Float64Array {
  const sizes = new Float64Array(sum(series, ({ values }) => values.length));
  let count = 0;
  for (const { values } of series)
    for (const value of values) if (!Number.isNaN(value)) sizes[count++] = Math.abs(value);
  return sizes.subarray(0, count);
}

/**
 * The most extreme value of each series beyond the upper end of a clipped axis, the largest first; and beyond the lower
 * end.
 */
export function listSpikes(
  series: readonly DrawnSeries[],
  { domain: [low, high], yScale }: Pick<Panel, "domain" | "yScale">,
): Spikes {
  const spikes = { above: [] as Spike[], below: [] as Spike[] };
  if (yScale !== "clip") return spikes;
  for (const { name, times, values } of series) {
    const of = series.length > 1 ? name : undefined;
    const spikeAt = (index: number): Spike => ({ time: times[index] as number, value: values[index] as number, of });
    const [highest, lowest] = [spikeAt(maxIndex(values)), spikeAt(minIndex(values))];
    if (highest.value > high) spikes.above.push(highest);
    if (lowest.value < low) spikes.below.push(lowest);
  }
  return { above: sort(spikes.above, ({ value }) => -value), below: sort(spikes.below, ({ value }) => value) };
}

interface Spikes {
  readonly above: readonly Spike[];
  readonly below: readonly Spike[];
}

/** From here on, the next larger unit reads better: 12 GW rather than 12,000 MW. */
const LARGE = 10_000;
/** About as many ticks as axes have. */
const TICKS = 5;

/** Chooses one unit for an axis, by its largest tick. */
function chooseAxisUnit(
  unit: string,
  domain: readonly [number, number],
): { readonly name: string; readonly factor: number } {
  const largest = max(scaleLinear().domain(domain).nice(TICKS).domain(), Math.abs) ?? 0;
  const same: LargerUnit = { name: unit, power: 0 };
  const choices = [same, ...listLargerUnits(unit)];
  const { name, power } = choices.find((choice) => largest < LARGE * 10 ** choice.power) ?? choices.at(-1) ?? same;
  return { name, factor: 10 ** power };
}

function findDomain(
  panels: readonly (readonly NumberLine[])[],
  { mark, isWhole, isLog }: { readonly mark: Mark; readonly isWhole: boolean; readonly isLog: boolean },
): readonly [number, number] {
  const extents = panels.flatMap((series) =>
    mark === "line" ? series.flatMap(({ values }) => extent(values)) : sumExtents(series),
  );
  const low = min(extents, (value) => value) ?? 0;
  const high = max(extents, (value) => value) ?? 1;
  if (low === 0 && high === 0) return [0, 1];
  if (isLog) return [low, high];
  // Include zero if it is near.
  const isFar = mark === "line" && !isWhole && low > high / 2 && low < high;
  return isFar ? [low, high] : [Math.min(0, low), Math.max(0, high)];
}

/** Lists the lowest and highest ends of the stacks. */
function sumExtents(series: readonly NumberLine[]): number[] {
  const times = series[0]?.times ?? new Float64Array();
  const sumAt = (index: number, sign: 1 | -1) =>
    sum(series, ({ values }) => Math.max(0, sign * (values[index] as number)) || 0);
  return [-(max(times.keys(), (index) => sumAt(index, -1)) ?? 0), max(times.keys(), (index) => sumAt(index, 1)) ?? 0];
}
