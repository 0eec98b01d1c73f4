/** One panel: which series are drawn, as what, and in which order. */
import { extent, max, mean, min, sum } from "d3-array";
import { INTERVALS } from "../../base/vocabulary.ts";
import { findInterval, findLabel, type TimeSeries } from "../../series/time-series.ts";
import { chooseColours, stackingRank } from "./colours.ts";
import { alignLines, breakAtGaps, combineLines, createFindEnd, type Line, readLine, type Source } from "./lines.ts";
import type { Mark, Panel, PictureSeries } from "./picture.ts";
import { findVaryingLabels, nameMetrics, nameSources } from "./words.ts";

/** Entries of a legend; of more, the smallest become one. */
const MAX_ENTRIES = 12;

interface Built {
  readonly panel: Panel;
  readonly notes: readonly string[];
}

/** A series on its way into a panel. */
interface Entry extends Line {
  readonly name: string;
  /** Undefined for those that stand for many. */
  readonly source?: Source;
}

/** The panel of all series of one unit; undefined if they have no points. */
export function buildPanel(items: readonly TimeSeries[]): Built | undefined {
  const all = items.flatMap((item) => item.series.map((series): Source => ({ item, series })));
  const { sources, notes } = leaveOutNetBattery(all.filter(({ series }) => series.points.instants.length > 0));
  const [first] = sources;
  if (!first) return undefined;
  const names = nameSources(sources);
  const lines = sources.map(readLine);
  const loads = sources.filter((source, index) => isLoad(source) && (sum((lines[index] as Line).values) ?? 0) > 0);
  const signed = sources.map((source, index) => flip({ source, name: names[index] as string, ...(lines[index] as Line) }, loads));
  if (loads.length > 0) notes.push(`drawn below the axis: ${[...new Set(loads.map((load) => names[sources.indexOf(load)]))].join(", ")}`);
  const mark = chooseMark(sources);
  const entries = mark === "line" ? signed : orderStack(signed);
  const shown = foldSmallest(entries, mark, notes);
  const findEnd = createFindEnd(first, lines);
  const drawn = mark === "line" ? shown.map((entry) => ({ ...entry, ...breakAtGaps(entry, findEnd) })) : stackTogether(shown, findEnd);
  const colours = chooseColours(drawn.map(({ name, source }) => ({ name, source })));
  const above = sum(drawn, ({ values }) => Math.max(0, sum(values)));
  const series = drawn.map((entry, index): PictureSeries => {
    const { name, times, values } = entry;
    const share = above > 0 ? sum(values) / above : undefined;
    return {
      name,
      colour: colours[index] as string,
      times,
      values,
      figures: { ...measure(values), ...(mark === "line" ? {} : { share }) },
    };
  });
  const ends = mark === "column" ? { ends: (drawn[0] as Line).times.map(findEnd) } : {};
  return { panel: { title: nameMetrics(sources), unit: first.item.unit, mark, domain: findDomain(series, mark), series, ...ends }, notes };
}

/** `battery` is charging and discharging in one: beside both it would count them twice. */
function leaveOutNetBattery(sources: readonly Source[]): { readonly sources: readonly Source[]; readonly notes: string[] } {
  const fuels = new Set(sources.map(findFuel));
  if (!fuels.has("battery") || !fuels.has("battery_charging") || !fuels.has("battery_discharging")) return { sources, notes: [] };
  return {
    sources: sources.filter((source) => findFuel(source) !== "battery"),
    notes: ["battery is left out, as battery_charging and battery_discharging are drawn"],
  };
}

function findFuel({ series }: Source): unknown {
  return findLabel(series, "fueltech") ?? findLabel(series, "fueltech_group");
}

/** What takes power out of the network; services send it as positive numbers. */
function isLoad(source: Source): boolean {
  const { metric } = source.item;
  if (metric.startsWith("flow_exports")) return true;
  const fuel = findFuel(source);
  return (metric === "power" || metric === "energy") && (fuel === "battery_charging" || fuel === "pumps");
}

function flip(entry: Entry & { readonly source: Source }, loads: readonly Source[]): Entry {
  return loads.includes(entry.source) ? { ...entry, values: entry.values.map((value) => -value) } : entry;
}

const SUMMED_UNITS: readonly string[] = ["MWh", "$", "t"];
const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"];
const DAY = 86_400_000;

/** Series of one metric that add up are stacked; prices, shares and levels do not add up. */
function chooseMark(sources: readonly Source[]): Mark {
  const { item } = sources[0] as Source;
  const isSum = SUMMED_UNITS.includes(item.unit) && item.metric !== "storage_battery";
  const isOneMetric = sources.every((source) => source.item.metric === item.metric);
  if (!isOneMetric || !(isSum || item.unit === "MW")) return "line";
  if (isSum && isDayOrLonger(item)) return "column";
  // An area needs two times.
  const isOneTime = new Set(sources.flatMap(({ series }) => [series.points.instants[0], series.points.instants.at(-1)])).size === 1;
  const isByFuel = findVaryingLabels(sources).some((label) => FUEL_LABELS.includes(label));
  if (!isByFuel && sources.length <= MAX_ENTRIES) return "line";
  return isOneTime ? "column" : "area";
}

function isDayOrLonger(item: TimeSeries): boolean {
  const interval = findInterval(item);
  if (interval === undefined) return false;
  const { bucket } = INTERVALS[interval];
  return !("ms" in bucket) || bucket.ms >= DAY;
}

function orderStack(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => stackingRank(a.source) - stackingRank(b.source));
}

function foldSmallest(entries: readonly Entry[], mark: Mark, notes: string[]): readonly Entry[] {
  if (entries.length <= MAX_ENTRIES) return entries;
  const size = new Map(entries.map((entry) => [entry, sum(entry.values, Math.abs)]));
  const bySize = entries.toSorted((a, b) => (size.get(b) ?? 0) - (size.get(a) ?? 0));
  const kept = new Set(bySize.slice(0, MAX_ENTRIES - 1));
  const folded = entries.filter((entry) => !kept.has(entry));
  const by = mark === "line" ? "mean" : "sum";
  const name = `other (${folded.length})`;
  notes.push(`${name} is the ${by} of the ${folded.length} smallest series`);
  return [...entries.filter((entry) => kept.has(entry)), { name, ...combineLines(folded, by) }];
}

/** The entries of a stack at the same times, with their missing buckets. */
function stackTogether(entries: readonly Entry[], findEnd: (instant: number) => number): Entry[] {
  const { times } = alignLines(entries);
  const grid = breakAtGaps({ times, values: times }, findEnd);
  const { values } = alignLines([...entries, grid]);
  return entries.map((entry, index) => ({ ...entry, times: grid.times, values: values[index] as Float64Array }));
}

function measure(values: Float64Array): { last: number | undefined; mean: number | undefined } {
  return { last: values.findLast((value) => !Number.isNaN(value)), mean: mean(values) };
}

function findDomain(series: readonly PictureSeries[], mark: Mark): [number, number] {
  const extents = mark === "line" ? series.flatMap(({ values }) => extent(values)) : sumExtents(series);
  const low = min(extents, (value) => value) ?? 0;
  const high = max(extents, (value) => value) ?? 1;
  if (mark === "line" && low > 0 && low > high / 2) return low === high ? [0, high] : [low, high];
  // Zero is in sight where it is near.
  return low === 0 && high === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
}

/** The lowest and the highest end of the stacks. */
function sumExtents(series: readonly PictureSeries[]): number[] {
  const times = series[0]?.times ?? new Float64Array();
  const sumAt = (index: number, sign: 1 | -1) => sum(series, ({ values }) => Math.max(0, sign * (values[index] as number)) || 0);
  return [-(max(times.keys(), (index) => sumAt(index, -1)) ?? 0), max(times.keys(), (index) => sumAt(index, 1)) ?? 0];
}
