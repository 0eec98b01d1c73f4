/**
 * What terminal pictures of every size, locale and number of colours have in common. For what charts look like, see
 * test/golden/chart.md.
 */
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { chart, type ChartOptions, drawChart } from "../../src/format/picture/terminal/chart.ts";
import { createRowScale, listRowTicks } from "../../src/format/picture/terminal/axes.ts";
import { condense } from "../../src/format/picture/model/condense.ts";
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import type { FormatOptions } from "../../src/format/format.ts";
import type { Panel } from "../../src/format/picture/model/picture.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws, runs, some } from "../support/extent.ts";
import { eachPart, OPTIONS, TERMINAL } from "./encode.ts";
import { nastyTexts } from "./generators.ts";
import { createItem, draw, SUBJECT } from "./pictures.ts";

const PLAIN: Omit<ChartOptions, "fold"> = { width: 80, height: 24, colorDepth: 1, unicode: true };

function paint(items: readonly TimeSeries[], options: Partial<ChartOptions> = {}): string[] {
  const fold = (maxEntries: number) => buildPicture(items, { ...SUBJECT, maxEntries });
  return drawChart(draw(...items), { ...PLAIN, fold, ...options });
}

/** The plot's cells in each row: those right of the value axis. */
function plotOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /[│┤▔](.*)$/.exec(line)?.[1] ?? []);
}

const wave = Array.from({ length: 288 }, (_, index) => Math.round(60 + 40 * Math.sin(index / 40)));
const FUELTECHS = [
  "coal_brown",
  "coal_black",
  "gas_ccgt",
  "gas_ocgt",
  "hydro",
  "wind",
  "solar_utility",
  "solar_rooftop",
  "distillate",
];
const fleet = createItem("power MW 5m", [
  ...FUELTECHS.map((fueltech, index) => [{ fueltech }, wave.map((value) => value * (index + 1))] as const),
  [{ fueltech: "battery_charging" }, wave],
]);
const prices = createItem("price $/MWh 5m", [
  [{ region: "NSW1" }, wave],
  [{ region: "VIC1" }, wave.map((value) => 50 - value)],
]);
const year = createItem("energy MWh 1M", [
  [{ fueltech: "wind" }, [5e6, 4e6, 6e6, null, 5e6, 4e6, 3e6, 4e6, 5e6, 6e6, 7e6, 6e6]],
]);
const ALL = { fleet: [fleet], prices: [prices], both: [prices, fleet], year: [year], nothing: [] };

const SIZES = [
  [40, 12],
  [120, 40],
  [80, 24],
  [200, 60],
] as const;

describe.each(some(2, SIZES))("%i x %i", (width, height) => {
  test.each(Object.keys(ALL) as (keyof typeof ALL)[])(
    "%s: no line is wider, and every name is complete, or one of many says so",
    (name) => {
      const lines = paint(ALL[name], { width, height });
      expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
      const text = lines.join("\n");
      const missing = draw(...ALL[name]).panels.flatMap(({ series }) =>
        series.filter((one) => series.length > 1 && !text.includes(one.name)),
      );
      expect(missing.length > 0).toBe(/\d others|, \d\sof\s\d\spanels/.test(text));
    },
  );

  test.each(["prices", "year", "fleet"] as const)(
    "%s: it is no higher, and its plots have at least a quarter of the rows",
    (name) => {
      const lines = paint(ALL[name], { width, height });
      expect(lines.length).toBeLessThanOrEqual(height);
      expect(plotOf(lines).length).toBeGreaterThanOrEqual(height / 4);
    },
  );
});

/** Terminals of 40×20, 40×12 and 80×24 keep two rows for the prompt. */
const SMALL = [
  [40, 10],
  [80, 22],
  [40, 18],
] as const;

describe.each(some(2, SMALL))("in little space: %i x %i", (width, height) => {
  const many = ["NSW1", "VIC1"].flatMap((region) =>
    [...FUELTECHS, "battery", "battery_charging", "battery_discharging"].map(
      (fueltech) => [{ region, fueltech }, wave] as const,
    ),
  );
  const units = ["power MW 5m", "energy MWh 5m", "emissions t 5m", "market_value $ 5m"];

  test.each(some(2, [4, 1, 2]))("%i panels of many series are no higher, and say what they leave out", (count) => {
    const items = units.slice(0, count).map((kind) => createItem(kind, many));
    const lines = paint(items, { width, height });
    expect(lines.length).toBeLessThanOrEqual(height);
    expect(lines[0]).toMatch(/^Power/);
    const text = lines.join(" ");
    const rows = lines.filter((line) => line.includes("└"));
    expect(plotOf(lines).length).toBeGreaterThanOrEqual(Math.max(Math.floor(height / 4), 3 * rows.length));
    // Fueltechs of both regions together, if no other way leaves enough space.
    expect(text).toMatch(/\d others|[A-Z] wind/);
    expect(/, \d of \d panels/.test(text)).toBe(rows.length < count);
  });
});

test("any text in any size: no control character, only ASCII if the locale is not UTF-8, no line too wide", () => {
  const options = fc.record({
    width: fc.integer({ min: 24, max: 150 }),
    height: fc.integer({ min: 8, max: 60 }),
    unicode: fc.boolean(),
  });
  const names = fc.uniqueArray(nastyTexts, { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(
      names,
      fc.constantFrom("power MW 5m", "energy MWh 1d", "price $/MWh 5m"),
      options,
      (texts, kind, size) => {
        const item = createItem(
          kind,
          texts.map((text, index) => [{ fueltech: text }, [index, null, -1, 5]] as const),
        );
        for (const line of paint([item], size)) {
          expect(line).not.toMatch(size.unicode ? /[\p{Cc}\u202e\u2028]/u : /[^\x20-\x7e]/);
          expect(stringWidth(line)).toBeLessThanOrEqual(size.width);
        }
      },
    ),
    { numRuns: draws(15, 200) },
  );
});

describe("colours", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
  const codesOf = (lines: readonly string[]) =>
    [...lines.join("").matchAll(/\u001b\[([\d;]*)m/g)].map(([, code = ""]) => code);
  const frontsOf = (lines: readonly string[]) =>
    new Set(
      lines.flatMap((line) => (line.includes("■") ? codesOf(line.split("■").map((part) => part.slice(-20))) : [])),
    );

  test.each([
    [24, /^38;2;\d+;\d+;\d+$/],
    [8, /^38;5;(1[6-9]|[2-9]\d|1\d\d|2\d\d)$/],
    [4, /^(3[1-6]|9[0-6])$/],
  ] as const)("%i bits: each series has its own, and none is the background's", (colorDepth, form) => {
    const fronts = [...frontsOf(paint([fleet], { colorDepth }))].filter((code) => code !== "0");
    expect(fronts).toHaveLength(FUELTECHS.length + 1);
    expect(fronts.filter((code) => !form.test(code))).toEqual([]);
  });

  test("no colours: no escape sequence, and a letter for each series", () => {
    const text = paint([fleet]).join("\n");
    expect(text).not.toContain("\u001b");
    for (const letter of "ABCDEFGHIJ") expect(text).toMatch(new RegExp(`^.*\\b${letter} [a-z]`, "m"));
  });

  test.each([24, 8, 4] as const)("%i bits: the text without colours is always the same", (colorDepth) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is taken out
    const bare = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, ""));
    expect(bare(paint([fleet], { colorDepth }))).toEqual(bare(paint([fleet], { colorDepth: 24 })));
  });

  test("coal and rooftop solar are visible on black and on white", () => {
    for (const code of frontsOf(paint([fleet], { colorDepth: 24 }))) {
      const [, , ...channels] = code.split(";").map(Number);
      if (channels.length < 3) continue;
      expect(Math.max(...channels)).toBeGreaterThan(80);
      expect(Math.min(...channels)).toBeLessThan(170);
    }
  });
});

describe("lines", () => {
  test("a gap stays a gap", () => {
    const [row = ""] = plotOf(
      paint([createItem("price $/MWh 5m", [[{ region: "NSW1" }, [5, 5, 5, null, null, null, 5, 5, 5]]])]),
    ).filter((line) => line.trim() !== "");
    const [, before = "", gap = "", after = ""] = /^(\S+)(\s+)(\S+)$/.exec(row) ?? [];
    expect(Math.abs(before.length - after.length)).toBeLessThanOrEqual(1);
    expect(gap.length).toBeGreaterThan(before.length);
  });

  const COUNT = runs(5000, 100_000);
  const spiky = (count: number) =>
    Array.from({ length: count }, (_, index) => (index === Math.round(0.55 * count) ? 16_600 : 60 + (index % 7)));

  test(`one spike among ${COUNT} points reaches the top`, () => {
    const [item, options] = [
      createItem("price $/MWh 5m", [[{ region: "NSW1" }, spiky(COUNT)]]),
      { yScale: "linear" as const },
    ];
    const plot = plotOf(
      drawChart(buildPicture([item], { ...SUBJECT, ...options }), { ...PLAIN, fold: () => draw(item) }),
    );
    const spike = plot[0]?.search(/\S/) ?? -1;
    expect(spike / (plot.at(-1)?.length ?? 0)).toBeCloseTo(0.55, 1);
    expect(plot.filter((row) => /\S/.test(row[spike] ?? " "))).toHaveLength(plot.length);
  });

  test("a line of more points than dots is on the range of its values, and a gap stays one", () => {
    const values = Array.from({ length: 4000 }, (_, index) =>
      index > 1400 && index < 2600 ? null : (index % 2) * 100,
    );
    const picture = condense(draw(createItem("price $/MWh 5m", [[{}, values]])), { dots: 160, points: 160 });
    const rows = plotOf(drawChart(picture, { ...PLAIN, fold: () => picture }));
    const filled = rows.map((row) => row.slice(0, 20)).join("");
    expect(filled.match(/\./g)?.length).toBeGreaterThan(150);
    expect(filled).toMatch(/[\u2800-\u28ff]/);
    expect(rows.map((row) => row.slice(30, 44).trim()).join("")).toBe("");
  });

  test("negative values are below the line at zero", () => {
    const plot = plotOf(paint([createItem("price $/MWh 5m", [[{ region: "NSW1" }, [50, 50, 50, -50, -50, -50]]])]));
    const zero = plot.findIndex((row) => row.includes("───"));
    const first = (rows: readonly string[]) => rows.map((row) => row.slice(0, 20)).join("");
    const last = (rows: readonly string[]) => rows.map((row) => row.padEnd(60).slice(-10)).join("");
    expect([first(plot.slice(0, zero)), last(plot.slice(0, zero))].map((text) => text.trim() !== "")).toEqual([
      true,
      false,
    ]);
    expect([first(plot.slice(zero + 1)), last(plot.slice(zero + 1))].map((text) => text.trim() !== "")).toEqual([
      false,
      true,
    ]);
  });
});

describe("stacks", () => {
  const constant = (mw: Readonly<Record<string, number>>) =>
    createItem(
      "power MW 5m",
      Object.entries(mw).map(([fueltech, value]) => [{ fueltech }, Array.from({ length: 12 }, () => value)] as const),
    );
  /** The letters of the middle column, from the top. */
  const middle = (item: TimeSeries) =>
    plotOf(paint([item]))
      .map((row) => row[40])
      .join("")
      .trim();

  test("from the axis outwards, in proportion", () => {
    const column = middle(constant({ coal_black: 75, wind: 25 }));
    // Letters are in the order of the legend, which is that of the drawing from its top.
    expect(column).toMatch(/^A+B+$/);
    expect(column.indexOf("B") / column.length).toBeCloseTo(0.25, 1);
  });

  test("a bar that reaches a tick ends there, in any height", () => {
    const value = fc.double({ min: 0.01, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(value, fc.option(value, { nil: 0 }), fc.integer({ min: 3, max: 60 }), (high, low, height) => {
        const { panels } = draw(
          createItem("power MW 5m", [
            [{ fueltech: "wind" }, [high, high]],
            [{ fueltech: "hydro" }, [-low, -low]],
          ]),
        );
        const [panel] = panels as [Panel];
        const scale = createRowScale(panel, height);
        const ticks = listRowTicks(panel, scale).map(({ at }) => scale(at));
        expect(ticks.length).toBeGreaterThan(1);
        for (const rows of ticks) expect(rows).toBeCloseTo(Math.round(rows), 4);
        expect(scale(panel.domain[0])).toBeGreaterThan(-0.01);
        expect(scale(panel.domain[1])).toBeLessThan(height + 0.01);
      }),
    );
  });

  test("a gap of all series is blank", () => {
    const values = [1, 1, 1, null, null, null, 1, 1, 1];
    const [row = ""] = plotOf(
      paint([
        createItem("power MW 5m", [
          [{ fueltech: "wind" }, values],
          [{ fueltech: "coal_black" }, values],
        ]),
      ]),
    ).slice(-1);
    expect(row).toMatch(/^B+ +B+$/);
  });
});

test.each([24, 30, 34, 36, 40, 44, 60])("no figure is cut, and a cut name says so, in %i columns", (width) => {
  const item = createItem("market_value $ 1d", [
    [{ name: "solar_utility" }, [139_547, 57_218]],
    [{ name: `battery_${"x".repeat(40)}` }, [223_457, 120_028]],
  ]);
  const legend = paint([item], { width }).filter((line) => /^[AB] /.test(line));
  for (const line of legend)
    expect(line).toMatch(
      /^[AB] (solar_utility|battery_x+(\.\.\.)?)( +[\d,.]+k?)*( +[\d.]+%)?( {2}[AB] solar_utility)?$/,
    );
  expect(legend.join("\n")).toMatch(width < 50 ? /x\.\.\./ : /x{40}/);
});

test("values that no axis can hold are not drawn, with a note", () => {
  const picture = draw(createItem("price $/MWh 5m", [[{}, [1, 1e308, -1e308, 1e200, 2]]]));
  expect(picture.notes).toEqual(["not drawn: 3 values that are not numbers, or beyond 1e+21"]);
  expect(
    paint([createItem("price $/MWh 5m", [[{}, [1e-300, 2e-300]]])], { width: 24, height: 10 }).length,
  ).toBeGreaterThan(5);
});

test("the legend of one of two panels is its own: below it, with figures", () => {
  const demand = createItem("demand MW 5m", [
    [{ region: "NSW1" }, wave],
    [{ region: "VIC1" }, wave],
  ]);
  const lines = paint([demand, createItem("price $/MWh 5m", [[{ region: "NSW1" }, wave]])], { width: 80, height: 40 });
  const [legend, caption] = ["NSW1 ", "Price ($/MWh)"].map((text) => lines.findIndex((line) => line.includes(text)));
  expect(legend).toBeLessThan(caption ?? 0);
  expect(lines.slice(0, caption).join("\n")).toMatch(/last +mean/);
});

test.each([
  ["no data", []],
  ["no values", [createItem("price $/MWh 5m", [[{}, [null, null]]])]],
])("says %s", (words, items) => {
  expect(paint(items).join("\n")).toContain(words);
});

describe("the format", () => {
  function print(options: Partial<FormatOptions>): string[] {
    const encoder = chart.open(
      { columns: [], printTimestamp: (timestamp) => timestamp, zone: createZone("network") },
      { ...OPTIONS, ...options },
    );
    const batch = { rows: () => [], placed: [], chunk: { heads: [], timeSeries: [prices] } };
    const text = [...eachPart(encoder.write(batch)), ...eachPart(encoder.end())].join("");
    return text.slice(0, -1).split("\n");
  }

  test.each([
    ["a file or a pipe is 80 x 24", {}, [80, 24]],
    ["a terminal keeps two rows for the prompt", { screen: { ...TERMINAL, columns: 120, rows: 40 } }, [120, 38]],
    ["--width and --height are wanted more", { screen: TERMINAL, width: 60, height: 30 }, [60, 30]],
    ["less than a plot can be drawn in is taken as that", { width: 1, height: 1 }, [24, 12]],
  ])("%s", (_, options, [width = 0, height = 0]) => {
    const lines = print(options);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBe(width);
    expect(lines.length).toBeGreaterThan(height / 2);
    expect(lines.length).toBeLessThanOrEqual(height);
  });
});
