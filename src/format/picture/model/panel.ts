/** One panel: which series are drawn, as what, and in which order. */
import { extent, max, mean, min, sum } from "d3-array";
import { formatCount } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { INTERVALS, isSummed } from "../../../base/vocabulary.ts";
import { findInterval, type TimeSeries } from "../../../series/time-series.ts";
import { DAY } from "../../../time/local-time.ts";
import { chooseColours, stackingRank } from "./colours.ts";
import { type DrawnSeries, foldSmallest, leaveOutNetBattery, MAX_ENTRIES, readEntries } from "./entries.ts";
import { alignLines, breakAtGaps, createFindEnd, type FindEnd, LARGEST, type NumberLine, type DrawnSource } from "./read-points.ts";
import type { Mark, Panel, PictureSeries } from "./picture.ts";
import { findVaryingLabels, titleMetrics } from "./words.ts";

interface Built {
  readonly panel: Panel;
  readonly notes: readonly string[];
}

/** The panel of all series of one unit; undefined if they have no points. */
export function buildPanel(items: readonly TimeSeries[], maxEntries: number): Built | undefined {
  const all = items.flatMap((item) => item.series.map((series): DrawnSource => ({ item, series })));
  const filled = all.filter(({ series }) => series.points.instants.length > 0);
  const sources = leaveOutNetBattery(filled);
  const [first] = sources;
  if (!first) return undefined;
  const mark = chooseMark(sources);
  const entries = readEntries(sources);
  const findEnd = createFindEnd(first, entries);
  const shown = foldSmallest(mark === "line" ? entries : orderStack(entries), mark === "line" ? "mean" : "sum", maxEntries);
  const drawn = mark === "line" ? shown.map((entry) => ({ ...entry, ...breakAtGaps(entry, findEnd) })) : stackTogether(shown, findEnd);
  const series = describeSeries(drawn, mark);
  const panel = { title: titleMetrics(sources), unit: escapeControls(first.item.unit), mark, domain: findDomain(series, mark), series };
  return {
    panel: mark === "column" ? { ...panel, ends: (drawn[0] as NumberLine).times.map(findEnd) } : panel,
    notes: [...(sources.length < filled.length ? [LEFT_OUT] : []), ...describeSkipped(entries), ...describeEntries(drawn, mark)],
  };
}

const LEFT_OUT = "battery is not drawn: it is the net of battery_charging and battery_discharging";

function describeSkipped(entries: readonly DrawnSeries[]): string[] {
  const skipped = sum(entries, (entry) => entry.skipped);
  return skipped > 0
    ? [`not drawn: ${formatCount(skipped, "value")} that ${skipped === 1 ? "is not a number" : "are not numbers"}, or beyond ${LARGEST}`]
    : [];
}

function describeEntries(drawn: readonly DrawnSeries[], mark: Mark): string[] {
  const loads = drawn.filter(({ isFlipped }) => isFlipped).map(({ name }) => name);
  const others = drawn.filter(({ source }) => source === undefined);
  return [
    ...(loads.length > 0 ? [`drawn below the axis: ${loads.join(", ")}`] : []),
    ...others.map(({ name }) => `${name} is the ${mark === "line" ? "mean" : "sum"} of the smallest series`),
  ];
}

function describeSeries(drawn: readonly DrawnSeries[], mark: Mark): PictureSeries[] {
  const colours = chooseColours(drawn);
  const above = sum(drawn, ({ values }) => Math.max(0, sum(values)));
  return drawn.map(({ name, times, values }, index) => {
    const figures = { last: values.findLast((value) => !Number.isNaN(value)), mean: mean(values) };
    const share = above > 0 ? sum(values) / above : undefined;
    return { name, colour: colours[index] as string, times, values, figures: mark === "line" ? figures : { ...figures, share } };
  });
}

const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"];

/** Series of one metric that add up are stacked; prices, shares and levels do not add up. */
function chooseMark(sources: readonly DrawnSource[]): Mark {
  const { item } = sources[0] as DrawnSource;
  const isSum = isSummed(item.metric, item.unit);
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

/** By fueltech; others keep their order. */
function orderStack(entries: readonly DrawnSeries[]): DrawnSeries[] {
  return entries.toSorted((a, b) => stackingRank(a.source) - stackingRank(b.source));
}

/** The entries of a stack at the same times, with their missing buckets. */
function stackTogether(entries: readonly DrawnSeries[], findEnd: FindEnd): DrawnSeries[] {
  const { times } = alignLines(entries);
  const grid = breakAtGaps({ times, values: times }, findEnd);
  const { values } = alignLines([...entries, grid]);
  return entries.map((entry, index) => ({ ...entry, times: grid.times, values: values[index] as Float64Array }));
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
