/** Decides how series are drawn: their panels, marks and order. */
import { extent, group, max, mean, min, sum } from "d3-array";
import { type LargerUnit, listLargerUnits } from "../../../base/larger-units.ts";
import { formatCount, formatList } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { INTERVALS, isSummed } from "../../../base/vocabulary.ts";
import { findClockOffset, findInterval, type TimeSeries } from "../../../series/time-series.ts";
import { DAY, HOUR } from "../../../time/local-time.ts";
import type { Zone } from "../../../time/zone.ts";
import { chooseColours, orderStack } from "./colours.ts";
import { findFuels, type FuelSource, isEnergy, isUnknownUnit, leaveOutDoubles } from "../../../series/fuels.ts";
import { type DrawnSeries, foldSmallest, MAX_ENTRIES, readEntries } from "./legend.ts";
import type { Mark, Panel, Picture, PictureSeries, Subject, TimeAxis } from "./picture.ts";
import { alignLines, breakAtGaps, createFindEnd, type FindEnd } from "./read-points.ts";
import { LARGEST, type NumberLine } from "../../../series/number-line.ts";
import { describeSubject, findVaryingLabels, nameSources, nameSubject, titleMetrics } from "./words.ts";

/** Builds the picture of merged series, in canonical order. */
export function buildPicture(timeSeries: readonly TimeSeries[], subject: Subject): Picture {
  const units = [...group(timeSeries, ({ unit }) => unit).values()];
  const panels = units.map((items) => buildPanel(items, subject)).filter((panel) => panel !== undefined);
  const time = findTimeAxis(panels, timeSeries, subject.zone);
  return {
    title: nameSubject(timeSeries, subject.query),
    subtitle: describeSubject(timeSeries, { ...subject, time }),
    time,
    panels,
    notes: [...new Set(panels.flatMap(({ notes }) => notes))],
  };
}

function findTimeAxis(panels: readonly Panel[], timeSeries: readonly TimeSeries[], zone: Zone): TimeAxis {
  const [first] = timeSeries;
  const offset = first ? findClockOffset(first) : 0;
  const columns = panels.find(({ ends }) => ends !== undefined);
  const starts = columns?.series[0]?.times;
  return {
    domain: findTimeDomain(panels),
    toWallClock: (instant) => zone.toWallClock(instant, offset),
    interval: first && findInterval(first),
    buckets: starts && columns?.ends && { starts, ends: columns.ends },
  };
}

function findTimeDomain(panels: readonly Panel[]): [number, number] {
  const instants = panels.flatMap(({ series, ends }) => [...series.flatMap(({ times }) => [times[0], times.at(-1)]), ends?.at(-1)]);
  const [start = 0, end = HOUR] = extent(instants, (instant) => instant);
  return start === end ? [start - HOUR, end + HOUR] : [start, end];
}

/** The panel of all series of one unit; undefined if they have no points. */
function buildPanel(items: readonly TimeSeries[], { units, maxEntries = MAX_ENTRIES }: Subject): Panel | undefined {
  const all = items.flatMap((item) => item.series.map((series): FuelSource => ({ item, series })));
  const filled = findFuels(
    all.filter(({ series }) => series.points.instants.length > 0),
    units,
  );
  const sources = leaveOutDoubles(filled);
  const [first] = sources;
  if (!first) return undefined;
  const mark = chooseMark(sources);
  const isLine = mark === "line";
  const entries = readEntries(sources);
  const findEnd = createFindEnd(first, entries);
  const ordered = isLine ? entries : orderStack(entries);
  const shown = foldSmallest(ordered, isLine ? "mean" : "sum", maxEntries);
  const aligned = isLine ? shown.map((entry) => ({ ...entry, ...breakAtGaps(entry, findEnd) })) : stackTogether(shown, findEnd);
  const [low, high] = findValueDomain(aligned, mark);
  const { name: unit, factor } = chooseUnit(first.item.unit, Math.max(-low, high));
  const drawn = factor === 1 ? aligned : aligned.map((entry) => ({ ...entry, values: entry.values.map((value) => value / factor) }));
  const series = describeSeries(drawn, mark);
  return {
    title: titleMetrics(sources),
    unit: escapeControls(unit),
    mark,
    domain: [low / factor, high / factor],
    series,
    ends:
      mark === "column" ? series[0]?.times.map((time, index, times) => Math.min(findEnd(time), times[index + 1] ?? Infinity)) : undefined,
    notes: [...describeLeftOut(filled, sources), ...listNotes(entries, drawn, mark)],
  };
}

function describeLeftOut(filled: readonly FuelSource[], sources: readonly FuelSource[]): string[] {
  const names = nameSources(filled);
  const leftOut = filled.flatMap((source, index) => (sources.includes(source) ? [] : { source, name: names[index] as string }));
  if (leftOut.length === 0) return [];
  const isNet = leftOut.every(({ source }) => isEnergy(source));
  const list = leftOut.map(({ name }) => name);
  return [`not drawn: ${formatList(list, "and")}, ${isNet ? "the net of charging and discharging" : "of which battery is the net"}`];
}

function listNotes(entries: readonly DrawnSeries[], drawn: readonly DrawnSeries[], mark: Mark): string[] {
  const skipped = sum(entries, (entry) => entry.skipped);
  const what = skipped === 1 ? "is not a number" : "are not numbers";
  const loads = drawn.filter(({ isFlipped }) => isFlipped).map(({ name }) => name);
  const others = drawn.filter(({ source }) => source === undefined);
  return [
    ...(skipped > 0 ? [`not drawn: ${formatCount(skipped, "value")} that ${what}, or beyond ${LARGEST}`] : []),
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

/** From here on, the next larger unit reads better: 12 GW rather than 12,000 MW. */
const LARGE = 10_000;

/** One unit for a panel, by its largest value. `factor`: divides the service's values. */
function chooseUnit(unit: string, largest: number): { readonly name: string; readonly factor: number } {
  const same: LargerUnit = { name: unit, power: 0 };
  const choices = [same, ...listLargerUnits(unit)];
  const { name, power } = choices.find((one) => largest < LARGE * 10 ** one.power) ?? choices.at(-1) ?? same;
  return { name, factor: 10 ** power };
}

const FUEL_LABELS = ["fueltech", "fueltech_group", "renewable"];

/** Chooses the mark: series of one metric that add up are stacked; prices, shares and levels do not add up. */
function chooseMark(sources: readonly FuelSource[]): Mark {
  const { item } = sources[0] as FuelSource;
  const isSum = isSummed(item.metric, item.unit);
  const isOneMetric = sources.every((source) => source.item.metric === item.metric);
  if (!isOneMetric || !(isSum || item.unit === "MW")) return "line";
  // Without a fueltech, a unit may be a load, or the net of two other units.
  if (sources.length > 1 && sources.some(isUnknownUnit)) return "line";
  if (isSum && isDayOrLonger(item)) return "column";
  // An area needs at least two times.
  const isOneTime = new Set(sources.flatMap(({ series }) => [series.points.instants[0], series.points.instants.at(-1)])).size === 1;
  const isByFuel = findVaryingLabels(sources).some((label) => FUEL_LABELS.includes(label));
  if (!isByFuel && sources.length <= MAX_ENTRIES) return "line";
  return isOneTime ? "column" : "area";
}

function isDayOrLonger(item: TimeSeries): boolean {
  const interval = findInterval(item);
  const bucket = interval && INTERVALS[interval].bucket;
  return bucket !== undefined && (!("ms" in bucket) || bucket.ms >= DAY);
}

/** Gives the series of a stack the same times, including their missing buckets. */
function stackTogether(entries: readonly DrawnSeries[], findEnd: FindEnd): DrawnSeries[] {
  const { times } = alignLines(entries);
  const grid = breakAtGaps({ times, values: times }, findEnd);
  const { values } = alignLines([...entries, grid]);
  return entries.map((entry, index) => ({ ...entry, times: grid.times, values: values[index] as Float64Array }));
}

function findValueDomain(series: readonly NumberLine[], mark: Mark): [number, number] {
  const extents = mark === "line" ? series.flatMap(({ values }) => extent(values)) : sumExtents(series);
  const low = min(extents, (value) => value) ?? 0;
  const high = max(extents, (value) => value) ?? 1;
  if (mark === "line" && low > 0 && low > high / 2) return low === high ? [0, high] : [low, high];
  // Include zero if it is near.
  return low === 0 && high === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
}

/** Lists the lowest and highest ends of the stacks. */
function sumExtents(series: readonly NumberLine[]): number[] {
  const times = series[0]?.times ?? new Float64Array();
  const sumAt = (index: number, sign: 1 | -1) => sum(series, ({ values }) => Math.max(0, sign * (values[index] as number)) || 0);
  return [-(max(times.keys(), (index) => sumAt(index, -1)) ?? 0), max(times.keys(), (index) => sumAt(index, 1)) ?? 0];
}
