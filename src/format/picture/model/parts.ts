/** Arranges the series of one unit in panels: one, or small multiples by region, period or series. */
import { group } from "d3-array";
import { isRegion, nameOrCode } from "../../../base/code-names.ts";
import { formatCount } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import type { FuelSource } from "../../../series/fuels.ts";
import { findLabel } from "../../../series/time-series.ts";
import { foldLines, MAX_ENTRIES } from "./fold.ts";
import type { DrawnSeries } from "./legend.ts";
import { cutPeriods, splitBySeries } from "./periods.ts";
import type { Mark, Subject } from "./picture.ts";
import { alignLines, breakAtGaps, type FindEnd } from "./read-points.ts";
import { findVaryingLabels, nameSources, type Naming } from "./words.ts";

/** More lines than this cannot be told apart in one panel. */
export const MAX_LINES = 8;
/** Lines of periods have colours that follow each other. */
const MAX_PERIODS = 24;

/** The series of one unit, and how they are drawn. */
export interface UnitDrawing {
  readonly entries: readonly DrawnSeries[];
  /** In order, without the smallest if they are too many; undefined if they are lines. */
  readonly stacked: readonly DrawnSeries[] | undefined;
  readonly mark: Mark;
  /** True if columns are drawn where lines would be dots. */
  readonly isOneTime: boolean;
  /** True if fueltechs would have to be known for a stack. */
  readonly isUnknown: boolean;
  readonly findEnd: FindEnd;
  /** The service's unit. */
  readonly unit: string;
  /** The metrics. */
  readonly title: string;
}

type PartChoices = Pick<Subject, "units" | "rawNames" | "maxEntries">;

export interface Arranged {
  readonly parts: readonly LinePart[];
  /** What is not drawn. */
  readonly remarks: readonly string[];
}

export function arrangeParts(
  { stacked, entries, findEnd, title, isOneTime }: UnitDrawing,
  { maxEntries = MAX_ENTRIES, rawNames, units }: PartChoices,
  mayBeSplit: boolean,
): Arranged {
  if (stacked) return { parts: [{ title, entries: stackTogether(stacked, findEnd) }], remarks: [] };
  const folded = foldLines(entries, maxEntries);
  if (mayBeSplit && isOneTime)
    return { parts: folded.map((entry) => ({ title: entry.name, entries: [entry], isAlone: true })), remarks: [] };
  const shown = breakLines(folded, findEnd);
  const metrics = new Set(entries.map(({ source }) => source?.item.metric)).size;
  const isSplit = mayBeSplit && (entries.length > MAX_LINES || (metrics > 1 && metrics < entries.length));
  if (!isSplit) return { parts: [{ title, entries: shown }], remarks: [] };
  return {
    parts: splitIntoParts(
      { entries: breakLines(entries, findEnd), folded: shown },
      { isRaw: rawNames === true, units },
    ),
    remarks: [],
  };
}

/**
 * A panel for each period of a stack; else one for each series, with a line for each period. The newest, if they are
 * too many.
 */
export function arrangePeriods(
  { stacked, entries, findEnd, title }: UnitDrawing,
  names: readonly string[],
  { maxEntries }: PartChoices,
): Arranged {
  const shown = names.slice(-(maxEntries ?? (stacked ? MAX_ENTRIES : MAX_PERIODS)));
  const earlier = names.slice(0, names.length - shown.length);
  const remarks = earlier.length === 0 ? [] : [`not drawn: ${[...new Set([earlier[0], earlier.at(-1)])].join(" to ")}`];
  if (stacked) {
    const parts = cutPeriods(stacked, names).filter((part) => shown.includes(part.title));
    return { parts: parts.map((part) => ({ ...part, entries: stackTogether(part.entries, findEnd) })), remarks };
  }
  const { parts, left } = splitBySeries(entries, shown, maxEntries ?? MAX_ENTRIES);
  const isOne = parts.length === 1 && left === 0;
  return {
    parts: parts.map((part) => ({ title: isOne ? title : part.title, entries: breakLines(part.entries, findEnd) })),
    remarks: left === 0 ? remarks : [...remarks, `not drawn: ${formatCount(left, "smaller series", "smaller series")}`],
  };
}

function breakLines(entries: readonly DrawnSeries[], findEnd: FindEnd): readonly DrawnSeries[] {
  return entries.map((entry) => ({ ...entry, ...breakAtGaps(entry, findEnd) }));
}

interface LinePart {
  readonly title: string;
  /** True if its entries have names without the region. */
  readonly isRenamed?: boolean;
  /** True if it is a single column. */
  readonly isAlone?: boolean;
  readonly entries: readonly DrawnSeries[];
}

/** One part per region if that leaves few lines in each; otherwise one per line. */
function splitIntoParts(
  { entries, folded }: { readonly entries: readonly DrawnSeries[]; readonly folded: readonly DrawnSeries[] },
  { isRaw, units }: Naming,
): LinePart[] {
  const sources = entries.flatMap(({ source }) => source ?? []);
  const regions = groupByRegion(sources);
  if (!regions) return folded.map((entry) => ({ title: entry.name, entries: [entry] }));
  const names = nameSources(sources, { isRaw, units, without: [regions.label] });
  const nameOf = (source: FuelSource) => names[sources.indexOf(source)] as string;
  return regions.parts.map(([code, own]) => ({
    title: escapeControls(nameOrCode("region", code, isRaw)),
    isRenamed: true,
    entries: entries.flatMap((entry) =>
      entry.source && own.includes(entry.source) ? { ...entry, name: nameOf(entry.source) } : [],
    ),
  }));
}

interface RegionParts {
  readonly label: string;
  readonly parts: readonly (readonly [code: string, sources: readonly FuelSource[]])[];
}

/** Undefined if the parts would be too many, or too many lines each, or a single one. */
export function groupByRegion(sources: readonly FuelSource[]): RegionParts | undefined {
  const label = findVaryingLabels(sources).find(isRegion);
  if (label === undefined) return undefined;
  const parts = [...group(sources, ({ series }) => String(findLabel(series, label)))];
  const isGood = parts.length <= MAX_ENTRIES && parts.every(([, own]) => own.length > 1 && own.length <= MAX_LINES);
  return isGood ? { label, parts } : undefined;
}

/** Gives the series of a stack the same times, including their missing intervals. */
function stackTogether(entries: readonly DrawnSeries[], findEnd: FindEnd): readonly DrawnSeries[] {
  const { times } = alignLines(entries);
  const grid = breakAtGaps({ times, values: times }, findEnd);
  const { values } = alignLines([...entries, grid]);
  return entries.map((entry, index) => ({ ...entry, times: grid.times, values: values[index] as Float64Array }));
}
