/** table: for reading. Numbers are rounded, and what all rows have in common stands under them. */
import type { Column, Row } from "../series/layout/layout.ts";
import { type Batch, type Encoder, type Format, type FormatOptions, type Header, joinTexts } from "./format.ts";
import { type TableDrawing, drawView, type Viewing, widthOf } from "./table/screen.ts";
import { findOnlyLabel, type SeriesFacts, type View, viewList, viewSeries } from "./table/view.ts";

export const table: Format = {
  shape: "wide",
  collects: true,
  open: openEncoder,
};

function openEncoder(header: Header, options: FormatOptions): Encoder {
  const listed: Row[] = [];
  let series: SeriesBatch | undefined;
  return {
    write: (batch) => {
      if (isOfSeries(batch)) series = batch;
      else for (const row of batch.rows()) listed.push(row);
      return [];
    },
    end: () => joinTexts((series ? drawSeries(series, header, options) : drawList(header.columns, listed, options)).lines),
  };
}

type SeriesBatch = Batch & Required<Pick<Batch, "placed" | "chunk" | "pivot">>;

function isOfSeries(batch: Batch): batch is SeriesBatch {
  return batch.placed !== undefined && batch.chunk !== undefined && batch.pivot !== undefined;
}

function drawList(columns: readonly Column[], rows: readonly Row[], { screen, limit }: FormatOptions): TableDrawing {
  return drawView(viewList(columns, rows), { screen, limit });
}

function drawSeries(batch: SeriesBatch, { columns, zone }: Header, options: FormatOptions): TableDrawing {
  const { screen, linesAbove, limit, shape, pivot } = options;
  const viewing = { screen, linesAbove, limit };
  const facts = { timeSeries: batch.chunk.timeSeries, zone };
  const plain = viewSeries({ columns, placed: batch.placed }, { ...facts, pivot });
  const isFree = shape === undefined && pivot === undefined;
  const pivoted = isFree ? drawPivoted(batch, { ...facts, rows: plain.rows }, viewing) : undefined;
  batch.onRows?.((pivoted?.view ?? plain).rows.count);
  return pivoted?.drawing ?? drawView(plain, viewing);
}

/** A file or a pipe has no width, but no more columns are made of a label than a page holds. */
const PAGE_WIDTH = 120;
/** With the spaces before it. */
const MIN_COLUMN_WIDTH = 3;

interface Pivoted {
  readonly view: View;
  readonly drawing: TableDrawing;
}

/** One metric with one label: a column for each value of the label, if they fit. */
function drawPivoted(batch: SeriesBatch, { rows, ...facts }: SeriesFacts & Pick<View, "rows">, viewing: Viewing): Pivoted | undefined {
  const width = viewing.screen.isTerminal ? widthOf(viewing.screen) : PAGE_WIDTH;
  const label = findOnlyLabel(rows, facts.timeSeries);
  if (label === undefined || rows.labelSets.length > width / MIN_COLUMN_WIDTH) return undefined;
  const view = viewSeries(batch.pivot(label), { ...facts, pivot: label });
  const drawing = drawView(view, { ...viewing, width });
  return drawing.isWhole ? { view, drawing } : undefined;
}
