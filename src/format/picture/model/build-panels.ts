/** Decides how the series of one unit are drawn: their marks, order and panels. */
import { group, max, mean, sum } from "d3-array";
import { isRegion, nameOrCode } from "../../../base/code-names.ts";
import { PALETTE } from "../../../base/colours.ts";
import { formatCount } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { isDayOrLonger } from "../../../base/intervals.ts";
import { isComputed } from "../../../base/computed-metrics.ts";
import { isSummed, UNIT_LABEL } from "../../../base/vocabulary.ts";
import { findFuels, type FuelSource, leaveOutDoubles, UNKNOWN_UNITS } from "../../../series/fuels.ts";
import { LARGEST, readNumberLine } from "../../../series/number-line.ts";
import type { Points } from "../../../series/points.ts";
import { findInterval, findLabel, keyOfItem, keyOfRow, type TimeSeries } from "../../../series/time-series.ts";
import { orderStack } from "./colours.ts";
import type { Viewed } from "../../../series/views/viewed.ts";
import { foldLines, foldStack, MAX_ENTRIES } from "./fold.ts";
import { type DrawnSeries, type PartialInstants, type PickedInstants, readEntries } from "./legend.ts";
import type { Mark, Panel, Subject } from "./picture.ts";
import { alignLines, breakAtGaps, createFindEnd, type FindEnd } from "./read-points.ts";
import { chooseAxis, listSpikes } from "./value-axis.ts";
import { findVaryingLabels, nameSources, type Naming, titleMetrics } from "./words.ts";

/** More lines than this cannot be told apart in one panel. */
const MAX_LINES = 8;

/** A panel whose series have no colours yet. */
export interface PanelDraft extends Omit<Panel, "series"> {
  readonly entries: readonly DrawnSeries[];
  /** Lines before the smallest were combined, if there are colours for all: these do not depend on how many are. */
  readonly unfolded: readonly DrawnSeries[];
  /** True for one of small multiples. */
  readonly isPart: boolean;
}

interface Choices extends Pick<Subject, "units" | "rawNames" | "yScale" | "maxEntries"> {
  readonly partial: PartialInstants;
  readonly viewed?: Viewed | undefined;
}

/**
 * The panels of all series of one unit; none if they have no points. Series of different metrics share a panel only if they are of
 * one place and of similar size. If `mayBeSplit`, many lines are small multiples.
 */
export function buildPanels(items: readonly TimeSeries[], choices: Choices, mayBeSplit: boolean): PanelDraft[] {
  const filled = findFuels(listFilled(items), choices.units);
  const kinds = [...group(filled, createKindOf(filled)).values()];
  return kinds.flatMap((kind) => {
    const metrics = [...group(kind, ({ item }) => item.metric).values()];
    const isOne = metrics.length === 1 || metrics.every(({ length }) => length === 1);
    const canBeSplit = mayBeSplit && kinds.length === 1 && (choices.maxEntries ?? MAX_ENTRIES) > MAX_LINES;
    const isApart = !isOne && !(canBeSplit && groupByRegion(kind));
    return (isApart ? metrics : [kind]).flatMap((own) => buildPanel(own, choices, canBeSplit && !isApart));
  });
}

function listFilled(items: readonly TimeSeries[]): FuelSource[] {
  return items.flatMap((item) =>
    item.series
      .filter(({ points }) => points.instants.length > 0 && (!isComputed(item.metric) || hasValue(points)))
      .map((series) => ({ item, series })),
  );
}

/** Metrics below this part of the largest are flat beside it. */
const FLAT = 0.01;

/** Tells curtailment from what is used, and metrics of small values from others. */
function createKindOf(sources: readonly FuelSource[]): (source: FuelSource) => string {
  const metrics = group(sources, ({ item }) => item.metric);
  if (metrics.size === 1) return () => "";
  const sizes = new Map(Array.from(metrics, ([metric, own]) => [metric, own.map(readSizes)]));
  const least = FLAT * (max(sizes.values(), (own) => max(own, (values) => mean(values))) ?? 0);
  const isFlat = (most = 0) => most > 0 && most < least;
  return ({ item: { metric } }) =>
    JSON.stringify([metric.startsWith("curtailment"), isFlat(max(sizes.get(metric) ?? [], (values) => max(values)))]);
}

function readSizes({ series: { points } }: FuelSource): Float64Array {
  return readNumberLine(points).values.map(Math.abs);
}

function buildPanel(filled: readonly FuelSource[], choices: Choices, mayBeSplit: boolean): PanelDraft[] {
  const { units, rawNames: isRaw = false, yScale, maxEntries = MAX_ENTRIES, partial, viewed } = choices;
  const sources = leaveOutDoubles(filled);
  const [first] = sources as readonly [FuelSource];
  const entries = readEntries(sources, { isRaw, units, partial, picked: viewed?.picked && listPicked(viewed.picked) });
  const findEnd = createFindEnd(first, entries);
  // Neither the times of sorted values nor marks on single values go with a stack.
  const adding = viewed?.picked || viewed?.axis === "share" ? "line" : chooseMark(sources);
  const isUnknown = adding !== "line" && sources.length > 1 && sources.some((source) => source.isUnknown);
  const wanted = yScale === "log" || isUnknown ? "line" : adding;
  const stacked = wanted === "line" ? undefined : foldStack(orderStack(entries), { most: maxEntries, isRaw });
  const mark = stacked ? wanted : "line";
  const shown = stacked ? stackTogether(stacked, findEnd) : breakLines(foldLines(entries, maxEntries), findEnd);
  const metrics = [...new Set(sources.map(({ item }) => item.metric))];
  const isSplit = mayBeSplit && mark === "line" && (entries.length > MAX_LINES || (metrics.length > 1 && metrics.length < entries.length));
  const parts: readonly LinePart[] = isSplit
    ? splitLines({ entries: breakLines(entries, findEnd), folded: shown }, { isRaw, units })
    : [{ title: titleMetrics(metrics), entries: shown }];
  const { factor, unit, ...axis } = chooseAxis(
    parts.flatMap((part) => part.entries),
    { mark, unit: first.item.unit, yScale },
  );
  const unstacked = isUnknown ? [`not stacked: ${UNKNOWN_UNITS}`] : [];
  const notes = [...unstacked, ...describeLeftOut(filled, sources, { isRaw, units }), ...listSkipped(entries)];
  return parts.map((part, index): PanelDraft => {
    const scale = (values: Float64Array) => (factor === 1 ? values : values.map((value) => value / factor));
    const drawn = part.entries.map((entry) => ({
      ...entry,
      values: scale(entry.values),
      picked: entry.picked && { ...entry.picked, values: scale(entry.picked.values) },
      sums: entry.sums && { ...entry.sums, over: entry.sums.over / factor },
    }));
    const ends = drawn[0]?.times.map((time, at, times) => Math.min(findEnd(time), times[at + 1] ?? Number.POSITIVE_INFINITY));
    return {
      title: part.title,
      unit: escapeControls(unit),
      mark,
      hasLast: viewed?.axis === undefined,
      ...axis,
      spikes: listSpikes(drawn, axis),
      entries: drawn,
      unfolded: stacked || part.isRenamed || entries.length > PALETTE.length ? [] : entries,
      isPart: isSplit,
      ends: mark === "column" ? ends : undefined,
      notes: index === 0 ? notes : [],
    };
  });
}

function listPicked(picked: readonly TimeSeries[]): PickedInstants {
  return new Map(
    picked.flatMap((item) =>
      item.series.map((series) => [keyOfItem(item) + keyOfRow(item, series), new Set(series.points.instants)] as const),
    ),
  );
}

/** False for a ratio that a series never has, such as the share of a battery's net. */
function hasValue({ values }: Points): boolean {
  return values.some((value) => value !== null);
}

function breakLines(entries: readonly DrawnSeries[], findEnd: FindEnd): readonly DrawnSeries[] {
  return entries.map((entry) => ({ ...entry, ...breakAtGaps(entry, findEnd) }));
}

interface LinePart {
  readonly title: string;
  /** True if its entries have names without the region. */
  readonly isRenamed?: boolean;
  readonly entries: readonly DrawnSeries[];
}

/** One part per region if that leaves few lines in each; otherwise one per line. */
function splitLines(
  { entries, folded }: { readonly entries: readonly DrawnSeries[]; readonly folded: readonly DrawnSeries[] },
  { isRaw, units }: Naming,
): LinePart[] {
  const sources = entries.flatMap(({ source }) => source ?? []);
  const regions = groupByRegion(sources);
  if (!regions) return folded.map((entry) => ({ title: entry.name, entries: [entry] }));
  const names = nameSources(sources, { isRaw, units, without: [regions.label] });
  // Names of series in different regions may be equal.
  const nameOf = (source: FuelSource) => (names[sources.indexOf(source)] as string).replace(/ \(\d+\)$/, "");
  return regions.parts.map(([code, own]) => ({
    title: escapeControls(nameOrCode("region", code, isRaw)),
    isRenamed: true,
    entries: entries.flatMap((entry) => (entry.source && own.includes(entry.source) ? { ...entry, name: nameOf(entry.source) } : [])),
  }));
}

interface RegionParts {
  readonly label: string;
  readonly parts: readonly (readonly [code: string, sources: readonly FuelSource[]])[];
}

/** Undefined if the parts would be too many, or too many lines each, or a single one. */
function groupByRegion(sources: readonly FuelSource[]): RegionParts | undefined {
  const label = findVaryingLabels(sources).find(isRegion);
  if (label === undefined) return undefined;
  const parts = [...group(sources, ({ series }) => String(findLabel(series, label)))];
  const isGood = parts.length <= MAX_ENTRIES && parts.every(([, own]) => own.length > 1 && own.length <= MAX_LINES);
  return isGood ? { label, parts } : undefined;
}

function describeLeftOut(filled: readonly FuelSource[], sources: readonly FuelSource[], naming: Naming): string[] {
  const names = nameSources(filled, naming);
  const [only, ...more] = filled.flatMap((source, index) => (sources.includes(source) ? [] : [names[index] as string]));
  if (only === undefined) return [];
  const what = more.length === 0 ? only : formatCount(1 + more.length, "battery", "batteries");
  return [`not drawn: ${what}, the net of charging and discharging`];
}

function listSkipped(entries: readonly DrawnSeries[]): string[] {
  const skipped = sum(entries, (entry) => entry.skipped);
  const what = skipped === 1 ? "is not a number" : "are not numbers";
  return skipped > 0 ? [`not drawn: ${formatCount(skipped, "value")} that ${what}, or beyond ${LARGEST}`] : [];
}

const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"];

/** Chooses the mark: series of one metric that add up are stacked; prices, shares and levels do not add up. */
function chooseMark(sources: readonly FuelSource[]): Mark {
  const { item } = sources[0] as FuelSource;
  const isSum = isSummed(item.metric, item.unit);
  const isOneMetric = sources.every((source) => source.item.metric === item.metric);
  if (!isOneMetric || !(isSum || item.unit === "MW")) return "line";
  if (isSum && isDayOrLonger(findInterval(item))) return "column";
  // An area needs at least two times.
  const isOneTime = new Set(sources.flatMap(({ series }) => [series.points.instants[0], series.points.instants.at(-1)])).size === 1;
  const isByFuel = findVaryingLabels(sources).some((label) => FUEL_LABELS.includes(label));
  const isUnits = sources.every(({ series }) => Object.hasOwn(series.labels, UNIT_LABEL));
  if (!isByFuel && !(isUnits && sources.length > MAX_LINES)) return "line";
  return isOneTime ? "column" : "area";
}

/** Gives the series of a stack the same times, including their missing intervals. */
function stackTogether(entries: readonly DrawnSeries[], findEnd: FindEnd): readonly DrawnSeries[] {
  const { times } = alignLines(entries);
  const grid = breakAtGaps({ times, values: times }, findEnd);
  const { values } = alignLines([...entries, grid]);
  return entries.map((entry, index) => ({ ...entry, times: grid.times, values: values[index] as Float64Array }));
}
