/** Decides how the series of one unit are drawn: their marks, order and panels. */
import { group, max, mean, sum } from "d3-array";
import { PALETTE } from "../../../base/colours.ts";
import { isFuelLabel, ROOFTOP } from "../../../base/fueltechs.ts";
import { formatCount } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { isDayOrLonger } from "../../../base/intervals.ts";
import { isRatio } from "../../../base/computed-metrics.ts";
import { UNIT_LABEL } from "../../../base/vocabulary.ts";
import { findFuels, type FuelSource, leaveOutDoubles, UNKNOWN_UNITS } from "../../../series/fuels.ts";
import { LARGEST, readNumberLine } from "../../../series/number-line.ts";
import type { Points } from "../../../series/points.ts";
import { findInterval, keyOfItem, keyOfRow, sumsUp, type TimeSeries } from "../../../series/time-series.ts";
import { orderStack } from "./colours.ts";
import { PERIOD_LABEL, type AnalysisResult } from "../../../series/analyses/result.ts";
import { foldStack, MAX_ENTRIES } from "./fold.ts";
import { type DrawnSeries, type PartialInstants, type PickedInstants, printFigure, readEntries } from "./legend.ts";
import { type Arranged, arrangeParts, arrangePeriods, type UnitDrawing, groupByRegion, MAX_LINES } from "./parts.ts";
import { joinPeriods } from "./periods.ts";
import type { Mark, Panel, Spike, Subject } from "./picture.ts";
import { createFindEnd } from "./read-points.ts";
import { chooseAxis, listSpikes } from "./value-axis.ts";
import { findVaryingLabels, nameSources, type Naming, titleMetrics } from "./words.ts";
import { HOUR } from "../../../time/local-time.ts";
import { ROOFTOP_REACH } from "../../../base/provisional.ts";

/** A panel whose series have no colours yet. */
interface PanelDraft extends Omit<Panel, "series"> {
  readonly entries: readonly DrawnSeries[];
  /** Lines before the smallest were combined, if there are colours for all: these do not depend on how many are. */
  readonly unfolded: readonly DrawnSeries[];
  /** True for one of small multiples. */
  readonly isPart: boolean;
  /** What is cut off or not drawn: shown in any size. */
  readonly remarks: readonly string[];
  /** Times of a stack at which rooftop solar is not there yet. */
  readonly late: readonly number[];
}

interface PanelOptions extends Pick<Subject, "units" | "rawNames" | "yScale" | "maxEntries"> {
  readonly partial: PartialInstants;
  readonly analysis?: AnalysisResult | undefined;
}

/**
 * The panels of all series of one unit; none if they have no points. Series of different metrics share a panel only if
 * they are of one place and of similar size. If `mayBeSplit`, many lines are small multiples.
 */
export function buildPanels(items: readonly TimeSeries[], choices: PanelOptions, mayBeSplit: boolean): PanelDraft[] {
  const filled = findFuels(listDrawable(items), choices.units);
  const kinds = [...group(filled, createKindOf(filled)).values()];
  return kinds.flatMap((kind) => {
    const metrics = [...group(kind, ({ item }) => item.metric).values()];
    const isOne = metrics.length === 1 || metrics.every(({ length }) => length === 1);
    if (choices.analysis?.periods)
      return metrics.flatMap((own) =>
        buildPanel(own, choices, mayBeSplit && kinds.length === 1 && metrics.length === 1),
      );
    const canBeSplit = mayBeSplit && kinds.length === 1 && (choices.maxEntries ?? MAX_ENTRIES) > MAX_LINES;
    const isApart = !isOne && !(canBeSplit && groupByRegion(kind));
    return (isApart ? metrics : [kind]).flatMap((own) => buildPanel(own, choices, canBeSplit && !isApart));
  });
}

function listDrawable(items: readonly TimeSeries[]): FuelSource[] {
  return items.flatMap((item) =>
    item.series
      .filter(({ points }) => points.instants.length > 0 && (!isRatio(item.metric) || hasValue(points)))
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

function buildPanel(filled: readonly FuelSource[], choices: PanelOptions, mayBeSplit: boolean): PanelDraft[] {
  const sources = leaveOutDoubles(filled);
  const drawing = readDrawing(sources, choices);
  const { entries, isUnknown } = drawing;
  const periods = choices.analysis?.periods?.names;
  const arranged = periods ? arrangePeriods(drawing, periods, choices) : arrangeParts(drawing, choices, mayBeSplit);
  const unstacked = isUnknown ? [`not stacked: ${UNKNOWN_UNITS}`] : [];
  const notes = [...unstacked, ...describeUndrawn(filled, sources, namingOf(choices)), ...listSkipped(entries)];
  return draftParts({ ...arranged, notes, isSplit: mayBeSplit && arranged.parts.length > 1 }, drawing, choices);
}

/** A part or a line for each period names it. */
function namingOf({ rawNames, units, analysis }: PanelOptions): Naming {
  return { isRaw: rawNames === true, units, ...(analysis?.periods ? { without: [PERIOD_LABEL] } : {}) };
}

function readDrawing(sources: readonly FuelSource[], choices: PanelOptions): UnitDrawing {
  const { yScale, maxEntries = MAX_ENTRIES, partial, analysis } = choices;
  const [first] = sources as readonly [FuelSource];
  const naming = namingOf(choices);
  const periods = analysis?.periods?.names;
  const entries = readEntries(sources, { ...naming, partial, picked: analysis?.picked && listPicked(analysis.picked) });
  const whole = periods ? joinPeriods(entries, periods) : entries;
  const isOneTime = new Set(entries.flatMap(({ times }) => [times[0], times.at(-1)])).size === 1;
  // Neither the times of sorted values nor marks on single values go with a stack.
  const isOfLines = yScale === "log" || analysis?.picked !== undefined || analysis?.axis === "share";
  const adding = isOfLines || (periods && whole.length === 1) ? "line" : chooseMark(sources, isOneTime, whole.length);
  const isUnknown = adding !== "line" && sources.length > 1 && sources.some((source) => source.isUnknown);
  const stacked =
    adding === "line" || isUnknown
      ? undefined
      : foldStack(orderStack(whole), { most: maxEntries, isRaw: naming.isRaw });
  return {
    entries,
    stacked,
    mark: stacked ? adding : "line",
    isOneTime: isOneTime && !isOfLines,
    isUnknown,
    findEnd: createFindEnd(first, entries, analysis?.axis === "year"),
    unit: first.item.unit,
    title: titleMetrics([...new Set(sources.map(({ item }) => item.metric))]),
  };
}

function draftParts(
  { parts, remarks, notes, isSplit }: Arranged & { readonly notes: readonly string[]; readonly isSplit: boolean },
  { entries, stacked, findEnd, title, unit: ownUnit, ...drawing }: UnitDrawing,
  { analysis, yScale }: PanelOptions,
): PanelDraft[] {
  const mark = parts.some(({ isAlone }) => isAlone) ? "column" : drawing.mark;
  const { factor, unit, ...axis } = chooseAxis(
    parts.map((part) => part.entries),
    { mark, unit: ownUnit, yScale },
  );
  const scale = (values: Float64Array) => (factor === 1 ? values : values.map((value) => value / factor));
  const isCurve = analysis?.axis === "share";
  const cut: Spike[] = [];
  const drafts = parts.map((part, index): PanelDraft => {
    const {
      entries: held,
      isHalfHourly,
      late,
    } = stacked ? holdRooftop(part.entries) : { ...part, isHalfHourly: false, late: [] };
    const drawn = held.map((entry) => ({
      ...entry,
      values: scale(entry.values),
      picked: entry.picked && { ...entry.picked, values: scale(entry.picked.values) },
      sums: entry.sums && { ...entry.sums, over: entry.sums.over / factor },
    }));
    const ends = drawn[0]?.times.map((time, at, times) =>
      Math.min(findEnd(time), times[at + 1] ?? Number.POSITIVE_INFINITY),
    );
    const { above, below } = listSpikes(drawn, axis);
    const spikes = [...above, ...below];
    // Of several periods in a panel, the largest.
    const named = analysis?.periods && parts.length > 1 ? spikes.slice(0, 1) : spikes;
    if (isCurve)
      for (const spike of named) cut.push({ ...spike, of: named === spikes ? (spike.of ?? part.title) : part.title });
    return {
      title: isSplit || parts.length === 1 ? part.title : `${title}, ${part.title}`,
      metrics: title,
      unit: escapeControls(unit),
      mark,
      hasLast: analysis?.axis === undefined,
      isOrdered: analysis?.periods !== undefined && !stacked,
      ...axis,
      spikes: isCurve ? [] : [...above.slice(0, 1), ...below.slice(0, 1)],
      entries: drawn,
      unfolded: stacked || analysis?.periods || part.isRenamed || entries.length > PALETTE.length ? [] : entries,
      isPart: isSplit,
      ends: mark === "column" ? ends : undefined,
      notes: [...(index === 0 ? notes : []), ...(isHalfHourly ? [HALF_HOURLY] : [])],
      remarks: index === 0 ? remarks : [],
      late,
    };
  });
  const [first, ...others] = drafts;
  return first ? [{ ...first, remarks: [...first.remarks, ...nameSpikes(cut, unit)] }, ...others] : [];
}

const HALF_HOURLY = "rooftop solar is half-hourly here: each value is drawn for its half hour";

/** `cut off: New South Wales 17,500, Victoria 15,100 $/MWh`; empty if nothing is. */
function nameSpikes(spikes: readonly Spike[], unit: string): string[] {
  if (spikes.length === 0) return [];
  const list = spikes.map(({ value, of = "" }) => `${of} ${printFigure(value)}`).join(", ");
  return [`cut off: ${list} ${escapeControls(unit)}`];
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

function describeUndrawn(filled: readonly FuelSource[], sources: readonly FuelSource[], naming: Naming): string[] {
  const names = nameSources(filled, naming);
  const [only, ...more] = new Set(
    filled.flatMap((source, index) => (sources.includes(source) ? [] : [names[index] as string])),
  );
  if (only === undefined) return [];
  const what = more.length === 0 ? only : formatCount(1 + more.length, "battery", "batteries");
  return [`not drawn: ${what}, the net of charging and discharging`];
}

function listSkipped(entries: readonly DrawnSeries[]): string[] {
  const skipped = sum(entries, (entry) => entry.skipped);
  const what = skipped === 1 ? "is not a number" : "are not numbers";
  return skipped > 0 ? [`not drawn: ${formatCount(skipped, "value")} that ${what}, or beyond ${LARGEST}`] : [];
}

/** Chooses the mark: series of one metric that add up are stacked; prices, shares and levels do not add up. */
function chooseMark(sources: readonly FuelSource[], isOneTime: boolean, count: number): Mark {
  const { item } = sources[0] as FuelSource;
  const alone = isOneTime && count === 1 ? "column" : "line";
  const isSum = sumsUp(item);
  const isOneMetric = sources.every((source) => source.item.metric === item.metric);
  if (!isOneMetric || item.addsUp === false || !(isSum || item.unit === "MW")) return alone;
  if (isSum && isDayOrLonger(findInterval(item))) return "column";
  const isByFuel = findVaryingLabels(sources).some(isFuelLabel);
  const isUnits = sources.every(({ series }) => Object.hasOwn(series.labels, UNIT_LABEL));
  if (!isByFuel && !(isUnits && count > MAX_LINES)) return alone;
  // An area needs at least two times.
  return isOneTime ? "column" : "area";
}

interface RooftopResult {
  readonly entries: readonly DrawnSeries[];
  readonly isHalfHourly: boolean;
  /** The times after the last value of rooftop solar, which comes later than the others. */
  readonly late: readonly number[];
}

/** Draws a half-hourly value for its half hour, and finds what is late. `entries`: of a stack, with the same times. */
export function holdRooftop(entries: readonly DrawnSeries[]): RooftopResult {
  let isHalfHourly = false;
  const late = new Set<number>();
  const has = (index: number) => entries.some(({ values }) => !Number.isNaN(values[index]));
  const held = entries.map((entry): DrawnSeries => {
    if (entry.source?.fuel !== ROOFTOP) return entry;
    const { times } = entry;
    const values = entry.values.slice();
    const known = [...times.keys()].filter((index) => !Number.isNaN(values[index]));
    for (const [at, from] of known.entries()) {
      const [time, until = times.length] = [times[from] as number, known[at + 1]];
      // The last is as long as the one before it.
      const step =
        until < times.length ? (times[until] as number) - time : time - (times[known[at - 1] ?? from] as number);
      for (let index = from + 1; index < until; index++) {
        const age = (times[index] as number) - time;
        if (!has(index)) continue;
        if (step === HOUR / 2 && age < step) {
          values[index] = values[from] as number;
          isHalfHourly = true;
        } else if (until === times.length && age <= ROOFTOP_REACH) late.add(time + age);
      }
    }
    return { ...entry, values };
  });
  return { entries: held, isHalfHourly, late: [...late] };
}
