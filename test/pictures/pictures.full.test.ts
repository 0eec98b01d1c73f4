/** What all pictures of list.txt have in common, in each size. To look at them: node scripts/pictures.mjs <folder>. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { some } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { areaOf, listOverlaps, readSvg } from "./read-svg.ts";

const LIST = readFileSync(fileURLToPath(new URL("list.txt", import.meta.url)), "utf8");
const PICTURES = LIST.trim()
  .split("\n")
  .map((line) => line.split(": "))
  .map(([name = "", query = ""]) => ({ name, query }));
/** In network time: 2026-11-27 02:10. */
const NOW = Date.UTC(2026, 10, 26, 16, 10);

/** Pictures of several units, or without marks: they have no plot of full size. */
const SEVERAL = ["demand-and-price", "demand-price-regions", "five-units", "price-compared-regions"];
const SPLIT = [
  "flows",
  "curtailment",
  "profile-fuels-years",
  "profile-regions-years",
  "profile-facilities-quarters",
  "one-month-regions",
  "energy-rolling",
  "price-duration-quarters",
];
/**
 * What is said of intervals that are not complete, and of forecasts, and long names take a line or two of the drawing,
 * in any size.
 */
const WORDY = [
  "coal-units",
  "energy-seasons",
  "energy-month-days",
  "partial-month",
  "forecast-regions",
  "forecast-and-demand",
  "battery-and-coal",
  "demand-compared",
];

/** What stands in place of the time is told in a longer subtitle. */
function isOfView(name: string): boolean {
  return name.startsWith("profile-") || name.startsWith("duration-");
}

async function paint(query: string, args: readonly string[]): Promise<string> {
  const home = createHome();
  const { code, stdout, stderr } = await home.run([...query.split(" "), "--sandbox", "-q", ...args], {
    env: { LC_ALL: "C.UTF-8" },
    clock: createVirtualClock(0, () => NOW),
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

test("the list has fifty-one pictures", () => {
  expect(new Set(PICTURES.map(({ name }) => name)).size).toBe(51);
});

describe.each(
  some(
    7,
    [...PICTURES].sort((a, b) => Number(SPLIT.includes(b.name)) - Number(SPLIT.includes(a.name))),
  ),
)("$name", ({ name, query }) => {
  test.each([
    [480, 300, 0.63],
    [960, 540, 0.58],
  ])("svg of %i x %i: room for the drawing, ticks, no two texts in one place", async (width, height, part) => {
    const page = readSvg(await paint(query, ["-f", "svg", "--width", String(width), "--height", String(height)]));
    expect(listOverlaps(page.texts)).toEqual([]);
    for (const { left, right, top, bottom } of page.texts) {
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      expect([right <= page.width + 1, bottom <= page.height]).toEqual([true, true]);
    }
    for (const { valueTicks, timeTicks } of page.plots) {
      expect(valueTicks).toBeGreaterThanOrEqual(2);
      expect(valueTicks).toBeLessThanOrEqual(6);
      expect(timeTicks).toBeLessThanOrEqual(13);
    }
    const drawn = page.plots.reduce((sum, plot) => sum + areaOf(plot), 0) / (page.width * page.height);
    const others =
      SEVERAL.includes(name) || SPLIT.includes(name) ? 0.25 : WORDY.includes(name) ? 0.07 : isOfView(name) ? 0.1 : 0;
    const notes = height > 300 ? 0.06 : 0;
    expect(drawn).toBeGreaterThanOrEqual(part - others - notes);
  });

  test.each([
    [80, 24],
    [40, 20],
    [120, 40],
    [200, 60],
  ])("chart of %i x %i: room for the drawing, two times, no line too wide", async (columns, rows) => {
    // Two lines are the prompt's, and one is a message.
    const chart = await paint(query, ["-f", "chart", "--width", String(columns), "--height", String(rows - 3)]);
    const lines = chart.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(rows - 3);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    const plot = lines.filter((line) => /[│┤▔]/.test(line));
    const base = lines.findLast((line) => line.includes("└")) ?? "";
    expect(base.match(/┬/g)?.length).toBeGreaterThanOrEqual(name.startsWith("one-") ? 1 : 2);
    if (SEVERAL.includes(name) || SPLIT.includes(name)) return;
    // Where the subtitle has no room, the title says in a second line that the data are synthetic.
    const part = WORDY.includes(name) ? 0.41 : columns < 80 ? 0.52 : 0.63;
    expect(plot.length).toBeGreaterThanOrEqual(Math.ceil(part * (rows - 3)));
    expect(stringWidth(base) - base.indexOf("└") - 1).toBeGreaterThanOrEqual(0.66 * columns);
  });
});
