/** The script of a page: values under the pointer or the cursor keys, and a legend that switches series. */
export const PAGE_SCRIPT = `"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const chart = document.getElementById("chart");
const cursor = document.getElementById("cursor");
const tip = document.getElementById("tip");
const hidden = data.panels.map(() => new Set());
const allTimes = data.times.map(([first, ...runs]) => {
  const times = [first];
  for (const [step, count] of runs) for (let i = 0; i < count; i++) times.push(times[times.length - 1] + step);
  return times;
});
const scale = ([a, b, from, to], value) => from + ((value - a) / (b - a)) * (to - from);
const toX = (instant) => scale(data.x, instant);
const print = new Intl.NumberFormat("en", { maximumFractionDigits: 6 }).format;

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

// Series that are switched off are left out of the stack.
function restack(panel, index) {
  if (!panel.stack) return;
  const { starts, ends, values } = panel.stack;
  const above = starts.map(() => 0);
  const below = starts.map(() => 0);
  const toY = (value) => Math.round(scale(panel.y, value) * 10) / 10;
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
    const path = chart.querySelector('[data-panel="' + index + '"] [data-series="' + key + '"] path');
    if (path) path.setAttribute("d", panel.isColumns ? drawColumns(bands, starts, ends) : drawArea(bands, starts));
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

function show(instant, index) {
  const panel = data.panels[index];
  const visible = panel.order.filter((key) => !hidden[index].has(key));
  let at = null;
  for (const key of visible) {
    const times = allTimes[panel.series[key].times];
    const time = times[findNearest(times, instant, panel.isColumns)];
    if (time !== undefined && (at === null || Math.abs(time - instant) < Math.abs(at - instant))) at = time;
  }
  if (at === null) return hide();
  shown = { at, index };
  const rows = visible.map((key) => {
    const { name, times, values } = panel.series[key];
    const list = allTimes[times];
    const found = findNearest(list, at, false);
    return [key, name, list[found] === at && values[found] !== null ? print(values[found]) : "-"];
  });
  tip.replaceChildren(createElement("strong", printTime(at) + " (" + panel.unit + ")"), ...rows.map(([key, name, value]) => {
    const row = createElement("div", "");
    const swatch = document.querySelector('button[data-panel="' + index + '"][data-series="' + key + '"] svg').cloneNode(true);
    row.append(swatch, createElement("span", name), createElement("b", value));
    return row;
  }));
  const x = panel.isColumns ? middleOf(panel, at) : toX(at);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
  cursor.removeAttribute("visibility");
  tip.hidden = false;
  place(x, panel);
}

function middleOf(panel, at) {
  const { starts, ends } = panel.stack;
  const key = findNearest(starts, toX(at) + 0.1, true);
  return (starts[key] + ends[key]) / 2;
}

// Beside the cursor, on the side that has room.
function place(x, panel) {
  const box = chart.getBoundingClientRect();
  const ratio = box.width / chart.viewBox.baseVal.width;
  const left = x * ratio;
  const isRight = left + tip.offsetWidth + 16 < box.width;
  tip.style.left = Math.max(0, isRight ? left + 12 : left - tip.offsetWidth - 12) + "px";
  tip.style.top = panel.top * ratio + "px";
}

function hide() {
  shown = null;
  tip.hidden = true;
  cursor.setAttribute("visibility", "hidden");
}

function createElement(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function panelAt(y) {
  const found = data.panels.findIndex(({ top, height }) => y < top + height + 20);
  return found < 0 ? data.panels.length - 1 : found;
}

chart.addEventListener("pointermove", (event) => {
  const box = chart.getBoundingClientRect();
  const ratio = chart.viewBox.baseVal.width / box.width;
  const [a, b, from, to] = data.x;
  const x = Math.min(to, Math.max(from, (event.clientX - box.left) * ratio));
  if (data.panels.length > 0) show(scale([from, to, a, b], x), panelAt((event.clientY - box.top) * ratio));
});
chart.addEventListener("pointerleave", hide);
chart.addEventListener("blur", hide);
chart.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (event.key === "Escape") hide();
  if (!(event.key in steps) || data.panels.length === 0) return;
  event.preventDefault();
  const index = shown ? shown.index : 0;
  const key = data.panels[index].order.find((one) => !hidden[index].has(one));
  if (key === undefined) return;
  const times = allTimes[data.panels[index].series[key].times];
  const step = steps[event.key];
  let at = shown ? findNearest(times, shown.at, false) : step < 0 ? times.length : -1;
  const from = toX(times[at]);
  // At least a pixel further, however many points share one.
  do at += step; while (times[at] !== undefined && Math.abs(toX(times[at]) - from) < 1);
  show(times[Math.min(times.length - 1, Math.max(0, at))], index);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-series]");
  if (!button) return;
  const { panel, series } = button.dataset;
  const isShown = button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", String(!isShown));
  hidden[panel][isShown ? "add" : "delete"](Number(series));
  chart.querySelector('[data-panel="' + panel + '"] [data-series="' + series + '"]').toggleAttribute("hidden", isShown);
  restack(data.panels[panel], Number(panel));
});
`;
