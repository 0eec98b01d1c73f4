/** table: for reading. Numbers are rounded, and columns that never change move to a footer. */
import type { Row } from "../series/layout/layout.ts";
import { type Batch, type Encoder, type Format, type FormatOptions, type Header, joinTexts } from "./format.ts";
import { drawView, widthOf } from "./table/screen.ts";
import { findOnlyLabel, viewList, viewSeries } from "./table/view.ts";

export const table: Format = { collects: true, open: openEncoder };

function openEncoder(header: Header, options: FormatOptions): Encoder {
  const listed: Row[] = [];
  let series: SeriesBatch | undefined;
  return {
    write: (batch) => {
      if (isOfSeries(batch)) series = batch;
      else for (const row of batch.rows()) listed.push(row);
      return [];
    },
    end: () => joinTexts(series ? drawSeries(series, header, options) : drawView(viewList(header.columns, listed), options).lines),
  };
}

type SeriesBatch = Batch & Required<Pick<Batch, "placed" | "chunk" | "pivot">>;

function isOfSeries(batch: Batch): batch is SeriesBatch {
  return batch.placed !== undefined && batch.chunk !== undefined && batch.pivot !== undefined;
}

/** Width assumed for a file or a pipe when a label's values become columns. */
const PAGE_WIDTH = 120;
/** Includes the spaces before it. */
const MIN_COLUMN_WIDTH = 3;

/** Gives one metric with one label a column for each value of the label, if they fit and no flag chooses another layout. */
function drawSeries(batch: SeriesBatch, { columns, zone }: Header, options: FormatOptions): Iterable<string> {
  const { screen, shape, pivot } = options;
  const { timeSeries } = batch.chunk;
  const plain = viewSeries({ columns, placed: batch.placed }, { timeSeries, zone, pivot });
  const width = screen.isTerminal ? widthOf(screen) : PAGE_WIDTH;
  const label = shape === undefined && pivot === undefined ? findOnlyLabel(plain, timeSeries) : undefined;
  if (label !== undefined && plain.labelSets.length <= width / MIN_COLUMN_WIDTH) {
    const view = viewSeries(batch.pivot(label), { timeSeries, zone, pivot: label });
    const { lines, isWhole } = drawView(view, options, width);
    if (isWhole) {
      batch.onRows?.(view.count);
      return lines;
    }
  }
  batch.onRows?.(plain.count);
  return drawView(plain, options).lines;
}
