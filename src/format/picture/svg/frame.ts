/** Positions the parts of a picture on a page, in pixels. */
import { type Arrangement, chooseRoomy, listArrangements, type PlotPlace, placePlots } from "../model/arrange.ts";
import { fitFirst } from "../model/fit-names.ts";
import { listCaptions } from "../model/legend.ts";
import { listFolded } from "../model/fold.ts";
import type { Legend } from "../model/legend-layout.ts";
import type { Panel, Picture, PictureSeries } from "../model/picture.ts";
import { createMarkScale, createTimeScale, createValueScale, listValueTicks, MAX_TICKS } from "../model/scales.ts";
import { fitTimeTicks } from "../model/time-ticks.ts";
import { type BesidePlace, type LegendBox, placeBelow, placeBeside } from "./legend-box.ts";
import { measureText, type TextSizes } from "./markup.ts";
import { stackMarks } from "./marks.ts";
import type { Box, PlotFrame, SvgFrame } from "./page.ts";
import { LEAST, legendStyleOf, measurePage, type SvgPage, type PageSize, ROUNDING, svgSurfaceOf } from "./placement.ts";

/** Approximate distance between two values on the axis. */
const VALUE_STEP = 44;
/** Minimum distance between two times on the axis, in characters. */
const TIME_GAP = 2;

interface PageCandidate extends Arrangement {
  readonly page: SvgPage;
}

/**
 * Lays out a page of the requested size. The legend gives way to the plots: it goes below them, loses its figures, and
 * has fewer entries (`fold`).
 */
export function layOutPage(picture: Picture, options: PageSize, fold: (maxEntries: number) => Picture): SvgFrame {
  function* listPageCandidates(): Generator<PageCandidate> {
    for (const smaller of listFolded(picture, fold)) {
      const page = measurePage(smaller, options);
      for (const arrangement of arrangePage(page)) yield { ...arrangement, page };
    }
  }
  return paint(chooseRoomy(listPageCandidates()) ?? withoutLegend(measurePage(picture, options)));
}

function arrangePage(page: SvgPage): Generator<Arrangement> {
  const { legendPanels: panels, sizes, picture } = page;
  return listArrangements(svgSurfaceOf(page), {
    panels,
    style: legendStyleOf(sizes),
    sharesLegend: picture.sharesLegend,
  });
}

/** A page that is too small for a legend has none. */
function withoutLegend(page: SvgPage): PageCandidate {
  const [arrangement] = arrangePage({ ...page, legendPanels: [] });
  return { ...(arrangement as Arrangement), page };
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
  return paint(withoutLegend(page));
}

/** A page that is too small for the least plot grows. */
function paint({ page, columns, legends, beside, ...grid }: PageCandidate): SvgFrame {
  const plotWidth = Math.max(LEAST.width, grid.plotWidth);
  const plotHeight = Math.max(LEAST.height, grid.plotHeight);
  const { picture, margin, sizes, legendPanels } = page;
  const { panels, time, sharesLegend } = picture;
  const surface = svgSurfaceOf(page);
  const heightBelow = (legend: Legend | undefined) => (legend && beside === 0 ? legend.height : 0);
  const { plots: places, end } = placePlots(
    surface,
    { columns, plotWidth, plotHeight },
    {
      left: surface.left,
      top: page.top,
      legends: panels.map((panel) => (sharesLegend ? 0 : heightBelow(legends[legendPanels.indexOf(panel)]))),
    },
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
  const placeLegend = (legend: Legend, at: number): LegendBox => {
    const index = panels.indexOf(legendPanels[at] as Panel);
    const plot = plots[index] as PlotFrame;
    if (beside === 0)
      return placeBelow(legend, { x: margin, y: sharesLegend ? end : (places[index] as PlotPlace).end }, sizes);
    const right = sharesLegend
      ? surface.left + columns * (plotWidth + surface.gap) - surface.gap
      : plot.box.x + plotWidth;
    const shared = { top: plot.box.y, bottom: end, endOf: () => undefined };
    return placeBeside(
      legend,
      { ...(sharesLegend ? shared : besidePlot(plot, sizes)), x: right + surface.legendGap },
      sizes,
    );
  };
  const shared = sharesLegend && beside === 0 ? (legends[0]?.height ?? 0) : 0;
  const height = Math.max(page.height, end + shared + page.bottom);
  return {
    width: Math.max(page.width, surface.left + columns * (plotWidth + surface.gap) - surface.gap + margin),
    height,
    sizes,
    plots,
    timeTicks: first ? fitTimeTicks(time, first.x, first.timeRoom) : [],
    legends: legends.map(placeLegend),
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
