/** Decides how the series of one unit are drawn: their marks, order and panels. */
import { group, sum } from "d3-array";
import { isRegion, nameOrCode } from "../../../base/code-names.ts";
import { formatCount, formatList } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { isDayOrLonger } from "../../../base/intervals.ts";
import { isComputed } from "../../../base/computed-metrics.ts";
import { isSummed, UNIT_LABEL } from "../../../base/vocabulary.ts";
import { findFuels, type FuelSource, isEnergy, leaveOutDoubles, UNKNOWN_UNITS } from "../../../series/fuels.ts";
import { LARGEST } from "../../../series/number-line.ts";
import type { Points } from "../../../series/points.ts";
import { findInterval, findLabel, type TimeSeries } from "../../../series/time-series.ts";
import { chooseColours, orderStack } from "./colours.ts";
import { foldLines, foldStack, MAX_ENTRIES } from "./fold.ts";
import { type DrawnSeries, findMean, readEntries } from "./legend.ts";
import type { Mark, Panel, PictureSeries, Subject } from "./picture.ts";
import { alignLines, breakAtGaps, createFindEnd, type FindEnd } from "./read-points.ts";
import { chooseAxis } from "./value-axis.ts";
import { findVaryingLabels, nameSources, type Naming, titleMetrics } from "./words.ts";

/** More lines than this cannot be told apart in one panel. */
const MAX_LINES = 8;

type Choices = Pick<Subject, "units" | "rawNames" | "yScale" | "maxEntries">;

/** The panel of all series of one unit, or small multiples if `mayBeSplit` and there are many lines; none if they have no points. */
export function buildPanels(items: readonly TimeSeries[], choices: Choices, mayBeSplit: boolean): Panel[] {
  const { units, rawNames: isRaw = false, yScale, maxEntries = MAX_ENTRIES } = choices;
  const all = items.flatMap((item) => item.series.map((series): FuelSource => ({ item, series })));
  const filled = findFuels(
    all.filter(({ item, series: { points } }) => points.instants.length > 0 && (!isComputed(item.metric) || hasValue(points))),
    units,
  );
  const sources = leaveOutDoubles(filled);
  const [first] = sources;
  if (!first) return [];
  const entries = readEntries(sources, { isRaw, units });
  const findEnd = createFindEnd(first, entries);
  const adding = chooseMark(sources);
  const isUnknown = adding !== "line" && sources.length > 1 && sources.some((source) => source.isUnknown);
  const wanted = yScale === "log" || isUnknown ? "line" : adding;
  const stacked = wanted === "line" ? undefined : foldStack(orderStack(entries), { most: maxEntries, isRaw });
  const mark = stacked ? wanted : "line";
  const shown = stacked ? stackTogether(stacked, findEnd) : breakLines(foldLines(entries, maxEntries), findEnd);
  const isSplit = mayBeSplit && mark === "line" && entries.length > MAX_LINES && maxEntries > MAX_LINES;
  const title = titleMetrics([...new Set(sources.map(({ item }) => item.metric))]);
  const parts = isSplit
    ? splitLines({ entries: breakLines(entries, findEnd), folded: shown }, { isRaw, units })
    : [{ title, entries: shown }];
  const { factor, unit, ...axis } = chooseAxis(
    parts.flatMap((part) => part.entries),
    { mark, unit: first.item.unit, yScale },
  );
  const unstacked = isUnknown ? [`not stacked: ${UNKNOWN_UNITS}`] : [];
  const notes = [...unstacked, ...describeLeftOut(filled, sources, { isRaw, units }), ...listSkipped(entries)];
  return parts.map((part, index): Panel => {
    const drawn = part.entries.map((entry) => ({
      ...entry,
      values: factor === 1 ? entry.values : entry.values.map((value) => value / factor),
      sums: entry.sums && { ...entry.sums, over: entry.sums.over / factor },
    }));
    const series = describeSeries(drawn, mark);
    const ends = series[0]?.times.map((time, at, times) => Math.min(findEnd(time), times[at + 1] ?? Number.POSITIVE_INFINITY));
    return {
      title: part.title,
      unit: escapeControls(unit),
      mark,
      ...axis,
      series,
      ends: mark === "column" ? ends : undefined,
      notes: index === 0 ? notes : [],
    };
  });
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
  readonly entries: readonly DrawnSeries[];
}

/** One part per region if that leaves few lines in each; otherwise one per line. */
function splitLines(
  { entries, folded }: { readonly entries: readonly DrawnSeries[]; readonly folded: readonly DrawnSeries[] },
  { isRaw, units }: Naming,
): LinePart[] {
  const sources = entries.flatMap(({ source }) => source ?? []);
  const region = findVaryingLabels(sources).find(isRegion);
  const regionOf = ({ source }: DrawnSeries) => (source && region !== undefined ? String(findLabel(source.series, region)) : "");
  const groups = [...group(entries, regionOf)];
  const isByRegion =
    groups.length > 1 && groups.length <= MAX_ENTRIES && groups.every(([, own]) => own.length > 1 && own.length <= MAX_LINES);
  if (!isByRegion) return folded.map((entry) => ({ title: entry.name, entries: [entry] }));
  const names = nameSources(sources, { isRaw, units, without: region === undefined ? [] : [region] });
  // Names of series in different regions may be equal.
  const nameOf = (entry: DrawnSeries) => (names[entries.indexOf(entry)] as string).replace(/ \(\d+\)$/, "");
  return groups.map(([code, own]) => ({
    title: escapeControls(nameOrCode("region", code, isRaw)),
    entries: own.map((entry) => ({ ...entry, name: nameOf(entry) })),
  }));
}

function describeLeftOut(filled: readonly FuelSource[], sources: readonly FuelSource[], naming: Naming): string[] {
  const names = nameSources(filled, naming);
  const leftOut = filled.flatMap((source, index) => (sources.includes(source) ? [] : { source, name: names[index] as string }));
  if (leftOut.length === 0) return [];
  if (!leftOut.every(({ source }) => isEnergy(source))) {
    const list = leftOut.map(({ name }) => name);
    return [`not drawn: ${formatList(list, "and")}, of which battery is the net`];
  }
  const [only, ...more] = leftOut;
  return [
    `not drawn: ${more.length === 0 ? only?.name : formatCount(leftOut.length, "battery", "batteries")}, the net of charging and discharging`,
  ];
}

function listSkipped(entries: readonly DrawnSeries[]): string[] {
  const skipped = sum(entries, (entry) => entry.skipped);
  const what = skipped === 1 ? "is not a number" : "are not numbers";
  return skipped > 0 ? [`not drawn: ${formatCount(skipped, "value")} that ${what}, or beyond ${LARGEST}`] : [];
}

function describeSeries(drawn: readonly DrawnSeries[], mark: Mark): PictureSeries[] {
  const colours = chooseColours(drawn, mark);
  const sums = mark === "line" ? [] : drawn.map(({ values }) => sum(values));
  const above = sum(sums, (value) => Math.max(0, value));
  return drawn.map((entry, index) => {
    const { name, times, values } = entry;
    const figures = { last: values.findLast((value) => !Number.isNaN(value)), mean: findMean(entry) };
    const share = above > 0 ? (sums[index] as number) / above : undefined;
    return { name, colour: colours[index] as string, times, values, figures: mark === "line" ? figures : { ...figures, share } };
  });
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
