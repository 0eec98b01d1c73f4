/** The script of a page: values under the pointer or the cursor keys, and a legend that switches series. */
import type { PageData, PagePanel, PagePlot, PageStack } from "../page-data.ts";
import { type Axis, findNearestIndex, fitAxis, restack, scale } from "./geometry.ts";

const data = JSON.parse(find("#data").textContent) as PageData;
const tip = find<HTMLElement>("#tip");
const hidden = data.panels.map(() => new Set<number>());
const printers = data.panels.map(({ digits }) => createPrinter(digits));
const allTimes = data.times.map(([first, ...runs]) => {
  const times = [first];
  for (const [step, count] of runs)
    for (let index = 0; index < count; index++) times.push((times.at(-1) as number) + step);
  return times;
});

/** Where the cursor is. */
interface CursorPlace {
  readonly instant: number;
  readonly panel: number;
  readonly view: number;
}

let shown: CursorPlace | undefined;

function find<E extends Element>(selector: string, inside: ParentNode = document): E {
  return inside.querySelector(selector) as E;
}

function createPrinter(digits: number): (value: number) => string {
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => format.format(value);
}

function isShown(panel: number): (series: number) => boolean {
  return (series) => !hidden[panel]?.has(series);
}

function setAll(element: Element, names: readonly string[], value: number): void {
  for (const name of names) element.setAttribute(name, String(value));
}

function createElement(name: string, text = "", ...children: readonly Node[]): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  element.append(...children);
  return element;
}

/** Draws a panel without the series that are switched off. */
function redrawPanel(index: number): void {
  const panel = data.panels[index] as PagePanel;
  data.views.forEach(({ plots }, view) => {
    const plot = plots[index] as PagePlot;
    const group = find(`.view[data-view="${view}"] [data-panel="${index}"]`);
    const axis = fitAxis(panel, plot, isShown(index));
    drawTicks(find(".values", group), axis);
    const [low, high] = axis.span;
    const zero = group.querySelector(".zero");
    if (zero) setAll(zero, ["y1", "y2"], scale(axis.span, Math.min(Math.max(0, low), high)));
    if (plot.stack) drawStack(group, plot.stack, { axis, index });
    else for (const path of group.querySelectorAll(".series path, .range")) stretch(path, plot, axis);
  });
}

/** The values of the axes as they were drawn first. */
const drawn = new Map<Element, readonly Element[]>();

function drawTicks(group: Element, { span, ticks }: Axis): void {
  const original = drawn.get(group) ?? [...group.children];
  drawn.set(group, original);
  if (!ticks) return group.replaceChildren(...original);
  const [line, text] = ["line", "text"].map((name) => original.find(({ nodeName }) => nodeName === name));
  const print = createPrinter(ticks.digits);
  group.replaceChildren(
    ...ticks.values.flatMap((value) => {
      const y = scale(span, value);
      const [ruler, label] = [line, text].map((element) => element?.cloneNode() as Element | undefined);
      ruler?.setAttribute("class", value === 0 ? "axis" : "grid");
      if (ruler) setAll(ruler, ["y1", "y2"], y);
      label?.setAttribute("y", String(y + 4));
      if (label) label.textContent = print(value);
      return [ruler, label].filter((element) => element !== undefined);
    }),
  );
}

function drawStack(
  group: Element,
  stack: PageStack,
  { axis, index }: { readonly axis: Axis; readonly index: number },
): void {
  restack(stack, axis.span, isShown(index)).forEach((path, series) => {
    if (path !== undefined) group.querySelector(`[data-series="${series}"] path`)?.setAttribute("d", path);
  });
}

/** Lines are not drawn again, but moved to the axis. */
function stretch(path: Element, { y }: PagePlot, { span }: Axis): void {
  const [before, after] = [y, span].map((value) => scale(value, 1) - scale(value, 0)) as [number, number];
  const factor = after / before;
  path.setAttribute("vector-effect", "non-scaling-stroke");
  path.setAttribute("transform", `matrix(1 0 0 ${factor} 0 ${scale(span, 0) - factor * scale(y, 0)})`);
}

function showValues({ instant, panel: index, view }: CursorPlace): void {
  const panel = data.panels[index] as PagePanel;
  const series = panel.order.filter(isShown(index)).map((key) => {
    const { name, times, values } = panel.series[key] as PagePanel["series"][number];
    return { key, name, times: allTimes[times] as readonly number[], values };
  });
  const nearest = series
    .map(({ times }) => times[findNearestIndex(times, instant, panel.isColumns)])
    .filter((time) => time !== undefined);
  const [at] = nearest.toSorted((a, b) => Math.abs(a - instant) - Math.abs(b - instant));
  if (at === undefined) return hideValues();
  shown = { instant: at, panel: index, view };
  const print = printers[index] as (value: number) => string;
  const rows = series.map(({ key, name, times, values }) => {
    const found = findNearestIndex(times, at, false);
    const value = times[found] === at ? (values[found] ?? null) : null;
    const swatch = document.querySelector(`button[data-panel="${index}"][data-series="${key}"] svg`);
    return { value, row: createRow(name, value === null ? "-" : print(value), swatch) };
  });
  const values = rows.flatMap(({ value }) => value ?? []);
  const total =
    panel.addsUp && values.length > 1 ? [createRow("total", print(values.reduce((sum, value) => sum + value, 0)))] : [];
  for (const row of total) row.className = "total";
  tip.replaceChildren(
    createElement("strong", `${printTime(at)} (${panel.unit})`),
    ...rows.map(({ row }) => row),
    ...total,
  );
  tip.hidden = false;
  placeCursors(shown);
}

function createRow(name: string, value: string, swatch?: Element | null): HTMLElement {
  const cells = [createElement("span", name), createElement("b", value)];
  return createElement("div", "", ...(swatch ? [swatch.cloneNode(true)] : []), ...cells);
}

function printTime(instant: number): string {
  const name = data.names[instant];
  if (name !== undefined) return name;
  const ahead = data.clock.findLast(([from]) => from <= instant)?.[1] ?? 0;
  return new Date(instant + ahead).toISOString().slice(0, data.timeLength).replace("T", " ");
}

/** Places the cursors, and the values beside the one of their panel, on the side that has room. */
function placeCursors({ instant, panel, view }: CursorPlace): void {
  const chart = find<SVGSVGElement>(`.view[data-view="${view}"]`);
  const positions = data.views[view]?.plots.map((plot, index) => toX(plot, index, instant)) ?? [];
  chart.querySelectorAll(".cursor").forEach((cursor, index) => {
    setAll(cursor, ["x1", "x2"], positions[index] ?? 0);
    cursor.removeAttribute("visibility");
  });
  const { width } = chart.getBoundingClientRect();
  const ratio = width / chart.viewBox.baseVal.width;
  const left = (positions[panel] ?? 0) * ratio;
  const isRight = left + tip.offsetWidth + 16 < width;
  tip.style.left = `${Math.max(0, isRight ? left + 12 : left - tip.offsetWidth - 12)}px`;
  tip.style.top = `${(data.views[view]?.plots[panel]?.top ?? 0) * ratio}px`;
}

/** The middle of a column. */
function toX({ x, stack }: PagePlot, index: number, instant: number): number {
  const at = scale(x, instant);
  if (!data.panels[index]?.isColumns || !stack) return at;
  const key = Math.max(0, findNearestIndex(stack.starts, at + 0.1, true));
  const start = stack.starts[key] ?? at;
  return (start + (stack.ends[key] ?? start)) / 2;
}

function hideValues(): void {
  shown = undefined;
  tip.hidden = true;
  for (const cursor of document.querySelectorAll(".cursor")) cursor.setAttribute("visibility", "hidden");
}

/** The index of the plot that is nearest to a position. */
function findPlot(plots: readonly PagePlot[], x: number, y: number): number {
  const distances = plots.map(
    ({ left, width, top, height }) => Math.max(left - x, 0, x - left - width) + Math.max(top - y, 0, y - top - height),
  );
  return distances.indexOf(Math.min(...distances));
}

function pointAt({ clientX, clientY }: PointerEvent, chart: SVGSVGElement, view: number): void {
  const plots = data.views[view]?.plots ?? [];
  const box = chart.getBoundingClientRect();
  const ratio = chart.viewBox.baseVal.width / box.width;
  const [x, y] = [(clientX - box.left) * ratio, (clientY - box.top) * ratio] as const;
  const panel = findPlot(plots, x, y);
  const plot = plots[panel];
  if (!plot) return;
  const [first, second, from, to] = plot.x;
  showValues({ instant: scale([from, to, first, second], Math.min(to, Math.max(from, x))), panel, view });
}

/** Keys, and how many points they move by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function pressKey(event: KeyboardEvent, view: number): void {
  if (event.key === "Escape") hideValues();
  const step = STEPS[event.key];
  const index = shown?.panel ?? 0;
  const panel = data.panels[index];
  const plot = data.views[view]?.plots[index];
  if (step === undefined || !panel || !plot) return;
  event.preventDefault();
  const first = panel.order.find(isShown(index));
  const times = first === undefined ? undefined : allTimes[panel.series[first]?.times ?? 0];
  if (!times) return;
  let at = shown ? findNearestIndex(times, shown.instant, false) : step < 0 ? times.length : -1;
  const from = scale(plot.x, times[at] ?? Number.NaN);
  // At least a pixel further, however many points share one.
  do at += step;
  while (Math.abs(scale(plot.x, times[at] ?? Number.NaN) - from) < 1);
  showValues({ instant: times[Math.min(times.length - 1, Math.max(0, at))] as number, panel: index, view });
}

function switchSeries(button: HTMLElement): void {
  const { panel, series } = button.dataset;
  const isOn = button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", String(!isOn));
  for (const index of data.sharesLegend ? data.panels.keys() : [Number(panel)]) {
    hidden[index]?.[isOn ? "add" : "delete"](Number(series));
    for (const mark of document.querySelectorAll(`.view [data-panel="${index}"] [data-series="${series}"]`))
      mark.toggleAttribute("hidden", isOn);
    redrawPanel(index);
  }
}

document.querySelectorAll<SVGSVGElement>(".view").forEach((chart, view) => {
  chart.addEventListener("pointermove", (event) => pointAt(event, chart, view));
  chart.addEventListener("pointerleave", hideValues);
  chart.addEventListener("blur", hideValues);
  chart.addEventListener("keydown", (event) => pressKey(event, view));
});

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>("button[data-series]");
  if (button) switchSeries(button);
});
