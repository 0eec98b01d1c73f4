/** Positions the parts of a picture on a page, in pixels. */
import { max } from "d3-array";
import { type PlotPlace, placePlots } from "../model/arrange.ts";
import { fitFirst } from "../model/fit-names.ts";
import { listCaptions } from "../model/legend.ts";
import type { Panel, Picture, PictureSeries } from "../model/picture.ts";
import { createMarkScale, createTimeScale, createValueScale, listValueTicks, MAX_TICKS } from "../model/scales.ts";
import { fitTimeTicks } from "../model/time-ticks.ts";
import { type BesidePlace, type LegendBox, placeBelow, placeBeside } from "./legend-box.ts";
import { measureText, type TextSizes } from "./markup.ts";
import { stackMarks } from "./marks.ts";
import type { Box, PlotFrame, SvgFrame } from "./page.ts";
import {
  leastPart,
  LEGEND_GAP,
  listPlacements,
  measurePage,
  type SvgPage,
  type PageSize,
  placeLegendsBelow,
  type Placement,
  ROUNDING,
  svgSurfaceOf,
} from "./placement.ts";

/** Approximate distance between two values on the axis. */
const VALUE_STEP = 44;
/** Minimum distance between two times on the axis, in characters. */
const TIME_GAP = 2;

interface PageCandidate extends Placement {
  readonly page: SvgPage;
}

/** Numbers of entries to try if a legend takes too much room. */
const FEWER = [10, 9, 8, 7, 6, 5];
/** Of layouts that all leave too little room, the first with this part of the best is taken. */
const NEARLY = 0.9;

/**
 * Lays out a page of the requested size. The legend gives way to the plots: it loses its figures, goes below them, and
 * has fewer entries (`fold`).
 */
export function layOutPage(picture: Picture, options: PageSize, fold: (maxEntries: number) => Picture): SvgFrame {
  const candidates: PageCandidate[] = [];
  for (const smaller of foldStepwise(picture, fold)) {
    const page = measurePage(smaller, options);
    for (const placement of listPlacements(page)) {
      if (placement.part >= leastPart(page.width, smaller.panels.length)) return paint({ ...placement, page });
      candidates.push({ ...placement, page });
    }
  }
  const page = measurePage(picture, options);
  for (const maxLines of [3, 2, 1]) candidates.push({ ...placeLegendsBelow(page, maxLines), page });
  const best = max(candidates, ({ part }) => part) ?? 0;
  const findFirst = (least: number) => candidates.find(({ part }) => part >= least);
  return paint((findFirst(leastPart(page.width, picture.panels.length)) ?? findFirst(NEARLY * best)) as PageCandidate);
}

/** Yields the picture with fewer and fewer entries, as long as it is drawn in the same way. */
function* foldStepwise(picture: Picture, fold: (maxEntries: number) => Picture): Generator<Picture> {
  yield picture;
  const most = max(picture.panels, ({ series }) => series.length) ?? 0;
  const describe = ({ panels }: Picture) => panels.map(({ mark, title }) => `${mark} ${title}`).join();
  for (const entries of FEWER.filter((count) => count < most)) {
    const smaller = fold(entries);
    if (describe(smaller) === describe(picture)) yield smaller;
  }
}

/** Lays out plots alone, for a page that has title and legend elsewhere. */
export function layOutPlots(picture: Picture, options: PageSize): SvgFrame {
  const page: SvgPage = {
    ...measurePage(picture, options),
    legendPanels: [],
    heading: [],
    notes: [],
    top: 8,
    bottom: 0,
  };
  const [placement] = listPlacements(page);
  return paint({ ...(placement as Placement), page });
}

function paint({ page, columns, plotWidth, plotHeight, figures, beside, below, maxLines }: PageCandidate): SvgFrame {
  const { picture, margin, sizes, legendPanels } = page;
  const { panels, time, sharesLegend } = picture;
  const surface = svgSurfaceOf(page);
  const heights = panels.map((panel) => (sharesLegend ? 0 : (below[legendPanels.indexOf(panel)] ?? 0)));
  const { plots: places, end } = placePlots(
    surface,
    { columns, plotWidth, plotHeight },
    { left: surface.left, top: page.top, legends: heights },
  );
  const plots = panels.map((panel, index): PlotFrame => {
    const { x: left, y: top, hasValues, hasTimes } = places[index] as PlotPlace;
    const captions = panels.length === 1 ? [] : listCaptions(picture, panel);
    const caption = fitFirst(captions, (text) => measureText(text, sizes.font) <= plotWidth);
    const box = { x: left, y: top, width: plotWidth, height: plotHeight };
    const x = createTimeScale(time, [left, left + plotWidth]);
    const markX = createMarkScale(x, time, panel);
    const timeRoom = measureTimeRoom(box, columns === 1 ? page : undefined, sizes);
    return { panel, caption, box, x, markX, ...scaleValues(panel, box), hasValues, hasTimes, timeRoom };
  });
  const [first] = plots;
  const rightOf = ({ box }: PlotFrame) => box.x + box.width + surface.legendGap;
  const placeLegend = (panel: Panel): LegendBox => {
    const index = panels.indexOf(panel);
    const plot = plots[index] as PlotFrame;
    if (beside === 0) {
      const y = sharesLegend ? end : (places[index] as PlotPlace).end;
      return placeBelow(panel, { x: margin, y, width: page.width - 2 * margin, maxLines }, sizes);
    }
    if (!sharesLegend) return placeBeside(panel, figures, { ...besidePlot(plot, sizes), x: rightOf(plot), sizes });
    const x = surface.left + columns * plotWidth + (columns - 1) * surface.gap + surface.legendGap;
    return placeBeside(panel, figures, { x, top: plot.box.y, bottom: end, endOf: () => undefined, sizes });
  };
  const shared = sharesLegend && beside === 0 ? (below[0] ?? LEGEND_GAP) - LEGEND_GAP : 0;
  const height = Math.max(page.height, end + shared + page.bottom);
  return {
    width: Math.max(page.width, surface.left + columns * plotWidth + margin),
    height,
    sizes,
    plots,
    timeTicks: first ? fitTimeTicks(time, first.x, first.timeRoom) : [],
    legends: legendPanels.map(placeLegend),
    heading: page.heading,
    notes: page.notes.map((text, index) => ({
      text,
      y: height - margin / 2 - (page.notes.length - 1 - index) * sizes.line,
    })),
  };
}

/** `page`: unless other plots are beside it, where each keeps to its own part of the page. */
function measureTimeRoom(box: Box, page: SvgPage | undefined, sizes: TextSizes): PlotFrame["timeRoom"] {
  return {
    measure: (text: string) => measureText(text, sizes.font),
    gap: TIME_GAP * sizes.character,
    ends: page ? [2, page.width - 2] : [box.x - sizes.font / 2, box.x + box.width + sizes.font / 2],
  };
}

function besidePlot(plot: PlotFrame, { line }: TextSizes): Omit<BesidePlace, "x"> {
  const { panel, box, y } = plot;
  const stacked = panel.mark === "line" ? undefined : stackMarks(plot);
  const endOf = (series: PictureSeries) => {
    if (panel.isOrdered) return undefined;
    if (!stacked) return series.figures.last === undefined ? undefined : y(series.figures.last);
    const [low, high] = stacked.layers.find((layer) => layer.series === series)?.bands.at(-1) ?? [
      Number.NaN,
      Number.NaN,
    ];
    return Number.isNaN(high) ? undefined : y((low + high) / 2);
  };
  return { top: box.y - line / 2, bottom: box.y + box.height + line / 2, endOf };
}

function scaleValues(panel: Panel, { y: top, height }: Box): Pick<PlotFrame, "y" | "valueTicks"> {
  const count = Math.min(Math.max(2, Math.round(height / VALUE_STEP)), MAX_TICKS);
  const y = createValueScale(panel, [top + height, top], Math.max(count, ROUNDING));
  const isEmpty = panel.series.every(({ figures }) => figures.last === undefined);
  return { y, valueTicks: isEmpty ? [] : listValueTicks(y, count) };
}
