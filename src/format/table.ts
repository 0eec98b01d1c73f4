/** table: for reading. Numbers are rounded, and what all rows have in common stands under them. */
import type { Row } from "../series/layout/table.ts";
import { type Batch, type Encoder, type Format, type FormatOptions, type Header, joinTexts } from "./format.ts";
import { type Drawing, drawView, widthOf } from "./table-screen.ts";
import { findOnlyLabel } from "./table-labels.ts";
import { type View, viewList, viewSeries } from "./table-view.ts";

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
    end: () => joinTexts(printDrawing(series ? drawSeries(series, header, options) : drawView(viewList(header.columns, listed), options))),
  };
}

type SeriesBatch = Batch & Required<Pick<Batch, "placed" | "chunk" | "pivot">>;

function isOfSeries(batch: Batch): batch is SeriesBatch {
  return batch.placed !== undefined && batch.chunk !== undefined && batch.pivot !== undefined;
}

function drawSeries(batch: SeriesBatch, header: Header, options: FormatOptions): Drawing {
  const facts = { timeSeries: batch.chunk.timeSeries, zone: header.zone };
  const plain = viewSeries({ columns: header.columns, placed: batch.placed }, { ...facts, pivot: options.pivot });
  const isFree = options.shape === undefined && options.pivot === undefined;
  const [view, drawing] = (isFree && drawPivoted(batch, { ...facts, plain }, options)) || [plain, drawView(plain, options)];
  batch.reportRows?.(view.rows.count);
  return drawing;
}

/** A file or a pipe has no width, but no more columns are made of a label than a page holds. */
const PAGE_WIDTH = 120;
/** With the spaces before it. */
const MIN_COLUMN_WIDTH = 3;

type Facts = Pick<Header, "zone"> & Pick<SeriesBatch["chunk"], "timeSeries"> & { readonly plain: View };

/** One metric with one label: a column for each value of the label, if they fit. */
function drawPivoted(batch: SeriesBatch, { plain, ...facts }: Facts, options: FormatOptions): [View, Drawing] | undefined {
  const width = Math.min(widthOf(options.screen), options.screen.isTerminal ? Number.POSITIVE_INFINITY : PAGE_WIDTH);
  const label = findOnlyLabel(plain.rows, facts.timeSeries);
  if (label === undefined || plain.rows.labelSets.length > width / MIN_COLUMN_WIDTH) return undefined;
  const view = viewSeries(batch.pivot(label), { ...facts, pivot: label });
  const drawing = drawView(view, { ...options, width });
  return drawing.isWhole ? [view, drawing] : undefined;
}

function* printDrawing({ body, footer }: Drawing): Generator<string> {
  yield* body;
  for (const line of footer) yield `${line}\n`;
}
