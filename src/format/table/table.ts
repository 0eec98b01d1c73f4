/**
 * table: for reading. Numbers are rounded, columns that never change move to a footer, and the layout is what fits the
 * screen.
 */
import { nameCode, nameCodeBriefly } from "../../base/code-names.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { PlacedSeries, Row, Column } from "../../series/layout/layout.ts";
import { listLabelLists, orderLabelNames } from "../../series/order.ts";
import { formatOffset, MINUTE } from "../../time/local-time.ts";
import { nameZone, NETWORK_ZONE, type Zone } from "../../time/zone.ts";
import type { AnalysisResult } from "../../series/analyses/result.ts";
import {
  type Batch,
  type Encoder,
  type Format,
  type FormatOptions,
  type Header,
  joinTexts,
  type LaidSeries,
} from "../format.ts";
import { describeRuns } from "../forecast-text.ts";
import { findPartialStarts } from "../../series/partial-starts.ts";
import { fitColumns, fits, GAP } from "./fit.ts";
import { DOTS, MARK, type Grid } from "./grid.ts";
import { findFirstText, listVarying } from "./labels.ts";
import { describeCapacity } from "../../query/computation.ts";
import { describeTransforms } from "../../query/transforms.ts";
import { createUnitNamer, describeNets, type Namer } from "../unit-names.ts";
import { createRowGrid, type Look } from "./row-grid.ts";
import { findClock, listRows, seriesRows, type TableRows } from "./rows.ts";
import { drawScreen, type Fitted, widthOf } from "./screen.ts";
import { measureCells, noValueText } from "../text-width.ts";
import { transposeRows } from "./transposed-grid.ts";
import { orderFuels } from "./transposed-rows.ts";
import { printText } from "../cells.ts";

interface TableStyle {
  readonly draw: (fitted: Fitted, options: FormatOptions) => Iterable<string>;
  /** Whether an analysis may print its own lines in place of rows. */
  readonly hasLines: boolean;
}

export const table: Format = {
  collects: true,
  styled: true,
  usesUnits: true,
  open: (header, options) => openTable(header, options, { draw: drawScreen, hasLines: true }),
};

export function openTable(header: Header, options: FormatOptions, { draw, hasLines }: TableStyle): Encoder {
  const listed: Row[] = [];
  let series: SeriesBatch | undefined;
  let lines: AnalysisResult["lines"];
  return {
    write: (batch) => {
      lines = batch.chunk?.analysis?.lines;
      if (isOfSeries(batch)) series = batch;
      else for (const row of batch.rows()) listed.push(row);
      return [];
    },
    end: () =>
      joinTexts(
        lines && hasLines
          ? printLines(lines({ width: widthOf(options.screen), none: noValueText(options.screen.unicode) }))
          : draw(series ? fitSeries(series, header, options) : fitList(header, listed, options), options),
      ),
  };
}

function* printLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

type SeriesBatch = Batch & Required<Pick<Batch, "placed" | "chunk" | "pivot">>;

function isOfSeries(batch: Batch): batch is SeriesBatch {
  return batch.placed !== undefined && batch.chunk !== undefined && batch.pivot !== undefined;
}

/** Width assumed for a file or a pipe if the layout is free. */
const PAGE_WIDTH = 120;

function fitList({ columns, provenance }: Header, listed: readonly Row[], options: FormatOptions): Fitted {
  const { screen, foldsColumns: folds } = options;
  const remarks = toRemarks(describeTransforms(provenance?.query ?? {}));
  const look = { ...lookOf(options), partial: new Set<number>(), remarks, zone: undefined };
  return { ...fitGrid(createRowGrid([{ title: "", rows: listRows(columns, listed) }], look), widthOf(screen)), folds };
}

function toRemarks(texts: readonly string[]): Look["remarks"] {
  return texts.map((text) => ({ text, isOfMark: false, instants: [] }));
}

function lookOf({ screen: { colors, unicode }, null: none }: FormatOptions): Pick<Look, "colors" | "none"> {
  return { colors, none: none ?? noValueText(unicode) };
}

function fitGrid(grid: Grid, width: number): Fitted {
  return { grid, fit: fitColumns(grid.columns, width, grid.listMinor) };
}

/**
 * Unless a flag chooses the layout: series of one label get a column for each of its values, if all values of all rows
 * fit; otherwise a row for each series, and columns of the newest intervals. Only on a terminal may older intervals be
 * left out.
 */
function fitSeries(batch: SeriesBatch, { columns, zone, provenance }: Header, options: FormatOptions): Fitted {
  const { screen, shape, pivot, intervalEnd, units, rawNames } = options;
  const coded = { columns, keys: batch.keys, placed: batch.placed };
  const joined = Object.fromEntries(columns.filter(({ kind }) => kind === "text").map(({ name }) => [name, null]));
  const shown = batch.placed.map(({ source }) => ({ ...joined, ...source.series.labels }));
  const nameOfUnit = createUnitNamer(units, shown);
  const nameFully: Namer = (label, code) => nameCode(label, code) ?? nameOfUnit(label, code);
  const laid = rawNames ? coded : nameSeriesLabels(coded, nameFully, pivot);
  const { placed } = laid;
  const rows = seriesRows(laid, zone);
  batch.onRows?.(rows.count);
  const time = describeShownTime(placed, zone, options);
  const issued = describeRuns(batch.chunk.timeSeries, zone);
  const ofRuns = toRemarks(issued === undefined ? [] : [`forecast ${issued}`]);
  const query = provenance?.query ?? {};
  const said = [...describeNets(units, shown), ...describeCapacity(query), ...describeTransforms(query)];
  const remarks = toRemarks(said);
  const look = { ...lookOf(options), ...time, remarks: [...ofRuns, ...remarks, ...time.remarks] };
  const isFree = shape === undefined && pivot === undefined;
  const width = screen.isTerminal ? widthOf(screen) : PAGE_WIDTH;
  if (isFree) {
    const codes = rawNames ? rows : seriesRows(coded, zone);
    // Codes are shorter than some names.
    const nameOfConstant = rawNames ? keepCode : nameFully;
    for (const nameOf of rawNames ? [keepCode] : [nameFully, nameCodeBriefly, keepCode]) {
      const pivoted = pivotRows(batch, { codes, nameOf, nameOfConstant, zone, look, width });
      if (pivoted) return pivoted;
    }
  }
  const mayTranspose = isFree && !batch.keys && intervalEnd !== true && rows.labelSets.length > 1;
  const transposed = mayTranspose ? transposeRows({ rows, placed, zone, units }, look, width) : undefined;
  if (transposed && (screen.isTerminal || transposed.isWhole)) return transposed;
  const facts = [...aboutOf(batch), ...(pivot === undefined ? [] : namePivot(batch, pivot))];
  return fitGrid(
    createRowGrid([{ title: "", rows }], look, { facts, isPicked: batch.chunk.analysis !== undefined }),
    widthOf(screen),
  );
}

/** What the values are, if an analysis has computed them. */
function aboutOf({ chunk: { analysis } }: SeriesBatch): string[] {
  return analysis?.about === undefined ? [] : [analysis.about];
}

function namePivot({ chunk: { timeSeries } }: SeriesBatch, pivot: string): string[] {
  const metrics = [...new Set(timeSeries.map(({ metric }) => metric))];
  return metrics.length === 1 ? [escapeControls(`${metrics[0]} by ${pivot}`)] : [];
}

/** The zone, and the intervals that are not complete. */
function describeShownTime(
  placed: readonly PlacedSeries[],
  zone: Zone,
  { partial = [] }: FormatOptions,
): Pick<Look, "zone" | "partial" | "remarks"> {
  const clocked = placed
    .filter(({ points }) => points.instants.length > 0)
    .map((series) => ({ ...series, offset: findClock(series) }));
  const found = partial.map((group) => ({
    ...group,
    instants: clocked.flatMap((series) => findPartialStarts(series, group.starts)),
  }));
  // A service may not have sent the interval yet.
  const isReached = (starts: readonly number[]) =>
    clocked.some(({ points, offset }) =>
      starts.some((start) => start <= (points.instants.at(-1) ?? 0) + offset * MINUTE),
    );
  const [first] = clocked;
  const isOneOffset = first !== undefined && clocked.every(({ offset }) => offset === first.offset);
  return {
    zone: zone === NETWORK_ZONE && isOneOffset ? `UTC${formatOffset(first.offset)}` : nameZone(zone),
    partial: new Set(found.flatMap(({ instants }) => instants)),
    remarks: found.flatMap(({ text, why, starts, instants }) => {
      const isOfMark = instants.length > 0;
      return isReached(starts) ? [{ text: isOfMark ? `${MARK} ${why}` : text, isOfMark, instants }] : [];
    }),
  };
}

function keepCode(): undefined {
  return undefined;
}

interface Pivoting {
  /** The rows with codes as the service sent them. */
  readonly codes: TableRows;
  readonly nameOf: Namer;
  /** For labels that have one value. */
  readonly nameOfConstant: Namer;
  readonly zone: Zone;
  readonly look: Look;
  readonly width: number;
}

/**
 * One table per metric with a column for each value of the only label; undefined if there are several labels, or too
 * many values.
 */
function pivotRows(
  batch: SeriesBatch,
  { codes: rows, nameOf, nameOfConstant, zone, look, width }: Pivoting,
): Fitted | undefined {
  const [only, ...others] = listVarying(rows);
  if (only === undefined || others.length > 0) return undefined;
  // The network column precedes the labels.
  const label = orderLabelNames(listLabelLists(batch.chunk.timeSeries))[only - findFirstText(rows.columns) - 1];
  if (label === undefined) return undefined;
  const names = Array.from(rows.textsOf(only), (code) => nameOf(label, code) ?? code);
  // Reading all values takes time, and the headings may be too wide already.
  if (measureHeadings(names) > width) return undefined;
  const filled = new Set(
    batch.placed.filter(({ points }) => points.instants.length > 0).map(({ valueColumn }) => valueColumn),
  );
  const metrics = rows.columns.filter(({ kind }) => kind === "value").filter((_, at) => filled.has(at));
  const parts = metrics.map(({ name, metric = name, unit = "" }) => {
    const laid = batch.pivot(label, metric);
    const ordered = label === "fueltech" || label === "fueltech_group" ? orderValues(laid) : laid;
    const named = nameSeriesLabels(
      { ...ordered, columns: namePivotColumns(ordered.columns, label, nameOf) },
      nameOfConstant,
      undefined,
    );
    return { title: metric, unit, rows: seriesRows(named, zone) };
  });
  const headings = parts.map((part) => JSON.stringify(part.rows.columns.map(({ name }) => name)));
  if (new Set(headings).size > 1) return undefined;
  const grid = createRowGrid(parts, look, { facts: aboutOf(batch), optional: [escapeControls(`by ${label}`)] });
  const fit = { shown: [...grid.columns.keys()], isBroken: false };
  return fits(grid.columns, { ...fit, width }) ? { grid, fit } : undefined;
}

/** The least that columns with these names take. */
function measureHeadings(names: Iterable<string>): number {
  let width = 0;
  for (const name of names) width += Math.max(DOTS.length, measureCells(name)) + GAP;
  return width;
}

/** Puts the columns of fueltechs in the field's order. */
function orderValues({ columns, placed, keys }: LaidSeries): LaidSeries {
  const values = columns.filter(({ kind }) => kind === "value");
  const names = orderFuels(values.map(({ name }) => name));
  const ordered = values.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  return {
    keys,
    columns: [...columns.filter(({ kind }) => kind !== "value"), ...ordered],
    placed: placed.map((series) => ({ ...series, valueColumn: names.indexOf(values[series.valueColumn]?.name ?? "") })),
  };
}

/** Names the labels of series. `pivot`: the label whose values are columns. */
function nameSeriesLabels({ columns, placed, keys }: LaidSeries, nameOf: Namer, pivot: string | undefined): LaidSeries {
  const firstText = findFirstText(columns);
  const names = new Map<PlacedSeries["constants"], PlacedSeries["constants"]>();
  for (const { constants } of placed) {
    // Series of the same row share their texts.
    if (names.has(constants)) continue;
    names.set(
      constants,
      constants.map((cell, at) => nameOf(columns[firstText + at]?.name ?? "", printText(cell)) ?? cell),
    );
  }
  return {
    keys,
    columns: pivot === undefined ? columns : namePivotColumns(columns, pivot, nameOf),
    placed: placed.map((series) => ({ ...series, constants: names.get(series.constants) ?? series.constants })),
  };
}

/** Names columns that are the values of a label. */
function namePivotColumns(columns: readonly Column[], label: string, nameOf: Namer): Column[] {
  return columns.map((column) =>
    column.kind === "value" ? { ...column, name: nameOf(label, column.name) ?? column.name } : column,
  );
}
