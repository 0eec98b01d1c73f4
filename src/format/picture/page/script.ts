/** The script of a page: values under the pointer or the cursor keys, and a legend that switches series. */
export const PAGE_SCRIPT = `"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");
const hidden = data.panels.map(() => new Set());
const allTimes = data.times.map(([first, ...runs]) => {
  const times = [first];
  for (const [step, count] of runs) for (let i = 0; i < count; i++) times.push(times[times.length - 1] + step);
  return times;
});
const scale = ([a, b, from, to], value) => from + ((value - a) / (b - a)) * (to - from);
const round = (value) => Math.round(value * 10) / 10;
const printer = (digits) => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format;
const printers = data.panels.map(({ digits }) => printer(digits));
const isVisible = (index) => (_, key) => !hidden[index].has(key);

function printTime(instant) {
  let ahead = 0;
  for (const [from, offset] of data.clock) if (from <= instant) ahead = offset;
  return new Date(instant + ahead).toISOString().slice(0, data.timeLength).replace("T", " ");
}

function findNearest(times, instant, within) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < instant) low = middle + 1;
    else high = middle;
  }
  if (times[low] === instant) return low;
  const isBefore = low === times.length || (low > 0 && (within || instant - times[low - 1] < times[low] - instant));
  return isBefore ? low - 1 : low;
}

// Round numbers as d3 chooses them: the step is 1, 2 or 5 times a power of ten.
function findStep(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const error = raw / power;
  return power * (error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1);
}

function listTicks(low, high, most) {
  for (let count = most; ; count--) {
    const step = findStep(low, high, count);
    const from = Math.ceil(low / step - 1e-9);
    const to = Math.floor(high / step + 1e-9);
    if (to - from < most || count === 1) return { step, values: Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step) };
  }
}

function findDomain(panel, plot, index) {
  let [low, high] = [0, 0];
  if (plot.stack) {
    const shown = plot.stack.values.filter(isVisible(index));
    plot.stack.starts.forEach((_, at) => {
      const sum = (sign) => shown.reduce((total, values) => total + Math.max(0, sign * (values[at] || 0)), 0);
      low = Math.min(low, -sum(-1));
      high = Math.max(high, sum(1));
    });
  } else {
    [low, high] = [Infinity, -Infinity];
    for (const { values } of panel.series.filter(isVisible(index)))
      for (const value of values) if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (!(low > 0 && low > high / 2)) [low, high] = [Math.min(0, low), Math.max(0, high)];
  }
  return low < high ? [low, high] : undefined;
}

// The axis fits what is switched on. With all series it is as it was; an axis that cuts spikes off, or is logarithmic, stays.
function rescale(panel, plot, index) {
  const [a, b, from, to] = plot.y;
  const domain = hidden[index].size > 0 && panel.isLinear ? findDomain(panel, plot, index) : undefined;
  if (!domain) return { y: plot.y, ticks: undefined };
  const step = findStep(domain[0], domain[1], plot.ticks);
  const nice = [Math.floor(domain[0] / step) * step, Math.ceil(domain[1] / step) * step];
  const low = domain[0] < 0 && nice[0] < 2 * domain[0] ? domain[0] : nice[0];
  const high = domain[1] > 0 && nice[1] > 2 * domain[1] ? domain[1] : nice[1];
  return { y: [low, high, from, to], ticks: listTicks(low, high, plot.ticks) };
}

function redraw(index) {
  const panel = data.panels[index];
  data.views.forEach(({ plots }, view) => {
    const plot = plots[index];
    const group = document.querySelector('.view[data-view="' + view + '"] [data-panel="' + index + '"]');
    const { y, ticks } = rescale(panel, plot, index);
    drawTicks(group.querySelector(".values"), plot, y, ticks);
    const zero = group.querySelector(".zero");
    if (zero) for (const end of ["y1", "y2"]) zero.setAttribute(end, scale(y, Math.min(Math.max(0, y[0]), y[1])));
    const move = scale(y, 0) - (scale(y, 1) - scale(y, 0)) * (scale(plot.y, 0) / (scale(plot.y, 1) - scale(plot.y, 0)));
    const factor = (scale(y, 1) - scale(y, 0)) / (scale(plot.y, 1) - scale(plot.y, 0));
    if (plot.stack) restack(group, panel, plot, y, index);
    else for (const path of group.querySelectorAll(".series path")) {
      path.setAttribute("vector-effect", "non-scaling-stroke");
      path.setAttribute("transform", "matrix(1 0 0 " + factor + " 0 " + move + ")");
    }
  });
}

function drawTicks(group, plot, y, ticks) {
  group.original ??= [...group.childNodes];
  if (!ticks) return group.replaceChildren(...group.original);
  const [line, text] = ["line", "text"].map((name) => group.original.find((node) => node.nodeName === name));
  const print = printer(Math.max(0, -Math.floor(Math.log10(ticks.step) + 1e-9)));
  group.replaceChildren(...ticks.values.flatMap((value) => {
    const at = scale(y, value);
    const rule = line.cloneNode();
    rule.setAttribute("class", value === 0 ? "axis" : "grid");
    for (const end of ["y1", "y2"]) rule.setAttribute(end, at);
    if (!text) return [rule];
    const label = text.cloneNode();
    label.setAttribute("y", at + 4);
    label.textContent = print(value);
    return [rule, label];
  }));
}

// Series that are switched off are left out of the stack.
function restack(group, panel, { stack: { starts, ends, values } }, y, index) {
  const above = starts.map(() => 0);
  const below = starts.map(() => 0);
  const toY = (value) => round(scale(y, value));
  values.forEach((column, key) => {
    if (hidden[index].has(key)) return;
    const isMostlyBelow = column.reduce((sum, value) => sum + value, 0) < 0;
    const bands = column.map((value, at) => {
      if (value === null) return null;
      const isBelow = value < 0 || (value === 0 && isMostlyBelow);
      const side = isBelow ? below : above;
      const from = side[at];
      side[at] += value;
      return [toY(from), toY(side[at]), isBelow];
    });
    const path = group.querySelector('[data-series="' + key + '"] path');
    if (path) path.setAttribute("d", ends.length > 0 ? drawColumns(bands, starts, ends) : drawArea(bands, starts));
  });
}

function drawColumns(bands, starts, ends) {
  return bands.map((band, at) => {
    const width = ends[at] - starts[at];
    const free = width > 4 ? width * 0.15 : 0;
    return band ? "M" + (starts[at] + free / 2) + "," + band[0] + "h" + (width - free) + "V" + band[1] + "h" + (free - width) + "z" : "";
  }).join("");
}

function drawArea(bands, starts) {
  let path = "";
  for (let at = 0; at < bands.length; at++) {
    if (!bands[at]) continue;
    const from = at;
    while (bands[at + 1] && bands[at + 1][2] === bands[at][2]) at++;
    const there = [];
    const back = [];
    for (let i = from; i <= at; i++) {
      there.push(starts[i] + "," + bands[i][1]);
      back.unshift(starts[i] + "," + bands[i][0]);
    }
    path += "M" + there.join("L") + "L" + back.join("L") + "Z";
  }
  return path;
}

let shown = null;

function show(instant, index, view) {
  const panel = data.panels[index];
  const visible = panel.order.filter((key) => !hidden[index].has(key));
  let at = null;
  for (const key of visible) {
    const times = allTimes[panel.series[key].times];
    const time = times[findNearest(times, instant, panel.isColumns)];
    if (time !== undefined && (at === null || Math.abs(time - instant) < Math.abs(at - instant))) at = time;
  }
  if (at === null) return hide();
  shown = { at, index, view };
  const rows = visible.map((key) => {
    const { name, times, values } = panel.series[key];
    const list = allTimes[times];
    const found = findNearest(list, at, false);
    return { key, name, value: list[found] === at ? values[found] : null };
  });
  const print = (value) => (value === null ? "-" : printers[index](value));
  const lines = rows.map(({ key, name, value }) => {
    const button = document.querySelector('button[data-panel="' + index + '"][data-series="' + key + '"] svg');
    return createRow(name, print(value), button ? [button.cloneNode(true)] : []);
  });
  const known = rows.filter(({ value }) => value !== null);
  const total = known.reduce((sum, { value }) => sum + value, 0);
  if (panel.addsUp && known.length > 1) lines.push(createRow("total", print(total), []));
  if (panel.addsUp && known.length > 1) lines.at(-1).className = "total";
  tip.replaceChildren(createElement("strong", printTime(at) + " (" + panel.unit + ")"), ...lines);
  moveCursors(at, view);
  tip.hidden = false;
  place(data.views[view].plots[index], view, at);
}

function createRow(name, value, before) {
  const row = createElement("div", "");
  row.append(...before, createElement("span", name), createElement("b", value));
  return row;
}

function toX(plot, index, instant) {
  if (!data.panels[index].isColumns || !plot.stack) return scale(plot.x, instant);
  const { starts, ends } = plot.stack;
  const key = Math.max(0, findNearest(starts, scale(plot.x, instant) + 0.1, true));
  return (starts[key] + (ends[key] ?? starts[key])) / 2;
}

function moveCursors(at, view) {
  document.querySelectorAll('.view[data-view="' + view + '"] .cursor').forEach((cursor, index) => {
    const x = toX(data.views[view].plots[index], index, at);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, x);
    cursor.removeAttribute("visibility");
  });
}

function chartOf(view) {
  return document.querySelector('.view[data-view="' + view + '"]');
}

// Beside the cursor, on the side that has room.
function place(plot, view, at) {
  const chart = chartOf(view);
  const box = chart.getBoundingClientRect();
  const ratio = box.width / chart.viewBox.baseVal.width;
  const left = toX(plot, shown.index, at) * ratio;
  const isRight = left + tip.offsetWidth + 16 < box.width;
  tip.style.left = Math.max(0, isRight ? left + 12 : left - tip.offsetWidth - 12) + "px";
  tip.style.top = plot.top * ratio + "px";
}

function hide() {
  shown = null;
  tip.hidden = true;
  for (const cursor of document.querySelectorAll(".cursor")) cursor.setAttribute("visibility", "hidden");
}

function createElement(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function plotAt(plots, x, y) {
  const distance = ({ left, width, top, height }) =>
    Math.max(left - x, 0, x - left - width) + Math.max(top - y, 0, y - top - height);
  return plots.reduce((best, plot, index) => (distance(plot) < distance(plots[best]) ? index : best), 0);
}

document.querySelectorAll(".view").forEach((chart, view) => {
  const { plots } = data.views[view];
  chart.addEventListener("pointermove", (event) => {
    if (plots.length === 0) return;
    const box = chart.getBoundingClientRect();
    const ratio = chart.viewBox.baseVal.width / box.width;
    const index = plotAt(plots, (event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio);
    const [a, b, from, to] = plots[index].x;
    const x = Math.min(to, Math.max(from, (event.clientX - box.left) * ratio));
    show(scale([from, to, a, b], x), index, view);
  });
  chart.addEventListener("pointerleave", hide);
  chart.addEventListener("blur", hide);
  chart.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key === "Escape") hide();
    if (!(event.key in steps) || plots.length === 0) return;
    event.preventDefault();
    const index = shown ? shown.index : 0;
    const key = data.panels[index].order.find((one) => !hidden[index].has(one));
    if (key === undefined) return;
    const times = allTimes[data.panels[index].series[key].times];
    const step = steps[event.key];
    let at = shown ? findNearest(times, shown.at, false) : step < 0 ? times.length : -1;
    const from = scale(plots[index].x, times[at]);
    // At least a pixel further, however many points share one.
    do at += step; while (times[at] !== undefined && Math.abs(scale(plots[index].x, times[at]) - from) < 1);
    show(times[Math.min(times.length - 1, Math.max(0, at))], index, view);
  });
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-series]");
  if (!button) return;
  const { panel, series } = button.dataset;
  const isShown = button.getAttribute("aria-pressed") === "true";
  // One legend may serve several panels.
  const panels = data.sharesLegend ? [...data.panels.keys()] : [Number(panel)];
  button.setAttribute("aria-pressed", String(!isShown));
  for (const index of panels) {
    hidden[index][isShown ? "add" : "delete"](Number(series));
    for (const mark of document.querySelectorAll('.view [data-panel="' + index + '"] [data-series="' + series + '"]')) mark.toggleAttribute("hidden", isShown);
    redraw(index);
  }
});
`;
