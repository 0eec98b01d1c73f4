/**
 * What pictures of any series have in common: a few shapes of what services send, with random values, numbers and
 * names.
 */
import fc from "fast-check";
import { hcl } from "d3-color";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import type { Picture } from "../../src/format/picture/model/picture.ts";
import { drawChart } from "../../src/format/picture/terminal/chart.ts";
import { drawSvg } from "../../src/format/picture/svg/svg.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { PALETTE } from "../../src/base/colours.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws } from "../support/extent.ts";
import { OPTIONS } from "../unit/encode.ts";
import { createItem } from "../unit/pictures.ts";
import { areaOf, listOverlaps, readSvg } from "./read-svg.ts";

const FUELS = [
  "coal_black",
  "coal_brown",
  "gas_ccgt",
  "gas_ocgt",
  "gas_recip",
  "hydro",
  "wind",
  "solar_utility",
  "solar_rooftop",
  "battery_charging",
  "battery_discharging",
  "distillate",
];
const REGIONS = ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"];

interface Drawn {
  readonly items: readonly TimeSeries[];
  readonly rawNames: boolean;
}

const values = fc.oneof(
  fc.double({ min: 0, max: 30_000, noNaN: true }).map((value) => Math.round(value * 100) / 100),
  fc.constantFrom(null, 0, 1, 16_600),
);
const labels: fc.Arbitrary<readonly Readonly<Record<string, string>>[]> = fc.oneof(
  fc.subarray(FUELS, { minLength: 1 }).map((names) => names.map((fueltech) => ({ fueltech }))),
  fc.subarray(REGIONS, { minLength: 1 }).map((names) => names.map((region) => ({ region }))),
  fc
    .tuple(fc.subarray(REGIONS, { minLength: 2 }), fc.subarray(FUELS, { minLength: 2 }))
    .map(([regions, fuels]) => regions.flatMap((region) => fuels.map((fueltech) => ({ region, fueltech })))),
  fc
    .uniqueArray(fc.stringMatching(/^[A-Z]{2,8}\d?$/), { minLength: 1, maxLength: 40 })
    .map((codes) => codes.map((unit_code) => ({ unit_code }))),
  fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 15 })
    .map((ends) =>
      ends.map((end) => ({ area: `a name as long as one that nobody shortened before it was sent, ${end}` })),
    ),
);
const kinds = fc.constantFrom(
  "power MW 5m",
  "power MW 1h",
  "energy MWh 1d",
  "energy MWh 1M",
  "emissions t 1M",
  "price $/MWh 5m",
  "demand MW 1h",
  "market_value $ 1d",
);

const drawings: fc.Arbitrary<Drawn> = fc
  .record({ kind: kinds, labels, length: fc.integer({ min: 2, max: 40 }), rawNames: fc.boolean() })
  .chain(({ kind, labels: all, length, rawNames }) =>
    fc
      .array(fc.array(values, { minLength: length, maxLength: length }), {
        minLength: all.length,
        maxLength: all.length,
      })
      .map((lists) => ({
        rawNames,
        items: [
          createItem(
            kind,
            all.map((own, index) => [own, lists[index] ?? []] as const),
          ),
        ],
      })),
  );

function build({ items, rawNames }: Drawn, maxEntries?: number): Picture {
  return buildPicture(items, { zone: createZone("network"), rawNames, maxEntries, isSynthetic: true });
}

function paint(drawn: Drawn, width: number, height: number): string {
  const fold = (maxEntries: number) => build(drawn, maxEntries);
  return [...drawSvg(build(drawn), { options: { ...OPTIONS, width, height }, provenance: undefined, fold })].join("");
}

describe("pictures of any series", () => {
  test.each([
    [480, 300, 0.65],
    [960, 540, 0.58],
  ])(
    "svg of %i x %i: room for the drawing, two to six values, no two texts in one place, none cut",
    (width, height, part) => {
      fc.assert(
        fc.property(drawings, (drawn) => {
          const { texts, plots, ...page } = readSvg(paint(drawn, width, height));
          expect(listOverlaps(texts)).toEqual([]);
          for (const { left, right } of texts) expect([left >= -1, right <= page.width + 1]).toEqual([true, true]);
          for (const { valueTicks, timeTicks } of plots) {
            expect(valueTicks).toBeGreaterThanOrEqual(2);
            expect(valueTicks).toBeLessThanOrEqual(6);
            expect(timeTicks).toBeLessThanOrEqual(13);
          }
          const isSplit = plots.length > 1;
          const drawnPart = plots.reduce((sum, plot) => sum + areaOf(plot), 0) / (page.width * page.height);
          expect(drawnPart).toBeGreaterThanOrEqual(isSplit ? 0.35 : part - 0.08);
        }),
        { numRuns: draws(30, 600, 100) },
      );
    },
  );

  test("a stack stays a stack, and lines stay lines, however few entries there is room for", () => {
    const marksOf = (picture: Picture) => [...new Set(picture.panels.map(({ mark }) => mark))];
    fc.assert(
      fc.property(drawings, fc.integer({ min: 3, max: 11 }), (drawn, maxEntries) => {
        expect(marksOf(build(drawn, maxEntries))).toEqual(marksOf(build(drawn)));
      }),
      { numRuns: draws(100, 2000) },
    );
  });

  test("svg of several panels in any size: no text is cut by an edge", () => {
    const series = REGIONS.map(
      (region, index) => [{ region }, Array.from({ length: 40 }, (_, at) => index * 100 + at - 50)] as const,
    );
    const items = ["price $/MWh 1h", "demand MW 1h", "curtailment MW 1h", "renewable_proportion % 1h"].map((kind) =>
      createItem(kind, series),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 1000 }),
        fc.integer({ min: 150, max: 700 }),
        fc.subarray(items),
        (width, height, some) => {
          const { texts, ...page } = readSvg(paint({ items: some, rawNames: false }, width, height));
          for (const { text, left, right } of texts)
            expect([text, left >= -1, right <= page.width + 1]).toEqual([text, true, true]);
        },
      ),
      { numRuns: draws(60, 1000), examples: [[200, 150, items]] },
    );
  });

  test("svg of any size from 200 x 150: no text is cut by an edge, and synthetic data are called so", () => {
    fc.assert(
      fc.property(
        drawings,
        fc.integer({ min: 200, max: 1000 }),
        fc.integer({ min: 150, max: 700 }),
        (drawn, width, height) => {
          const { texts, ...page } = readSvg(paint(drawn, width, height));
          for (const { text, left, right, top, bottom } of texts)
            expect([text, left >= -1, right <= page.width + 1, top >= -1, bottom <= page.height + 1]).toEqual([
              text,
              true,
              true,
              true,
              true,
            ]);
          expect(texts.map(({ text }) => text).join(" ")).toMatch(/synthetic data/i);
        },
      ),
      { numRuns: draws(60, 2000, 200) },
    );
  });

  test("a chart of 80 x 24 has two thirds of the columns and half of the lines for drawing, and no line is too wide", () => {
    fc.assert(
      fc.property(drawings, (drawn) => {
        const picture = build(drawn);
        // Two lines are the prompt's, and one is a message.
        const options = { width: 80, height: 21, colorDepth: 1, unicode: true } as const;
        const lines = drawChart(picture, { ...options, fold: (maxEntries) => build(drawn, maxEntries) });
        expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
        expect(lines.length).toBeLessThanOrEqual(21);
        const bases = lines.filter((line) => line.includes("└"));
        const isSplit = bases.length > 1 || (bases[0]?.match(/└/g)?.length ?? 0) > 1;
        const plotLines = lines.filter((line) => /[│┤▔]/.test(line)).length;
        expect(plotLines).toBeGreaterThanOrEqual(isSplit ? 8 : 11);
        const columns = (bases[0] ?? "").replace(/^ *└/, "").length;
        expect(columns).toBeGreaterThanOrEqual(53);
      }),
      { numRuns: draws(30, 600, 100) },
    );
  });

  test("the drawn values of a stack add up to the data", () => {
    fc.assert(
      fc.property(drawings, (drawn) => {
        const { panels } = build(drawn);
        const [panel] = panels;
        if (!panel || panel.mark === "line" || panel.notes.some((note) => note.startsWith("rooftop solar"))) return;
        const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, value) => all + (value || 0), 0);
        const shown = sum(panel.series.flatMap((series) => [...series.values]));
        const isLoad = (fuel: unknown, metric: string) =>
          fuel === "battery_charging" && ["power", "energy", "market_value"].includes(metric);
        const sent = sum(
          drawn.items.flatMap(({ metric, series }) =>
            series.map(
              ({ labels: own, points }) => (isLoad(own["fueltech"], metric) ? -1 : 1) * sum(points.values.map(Number)),
            ),
          ),
        );
        const factors: Readonly<Record<string, number>> = {
          GW: 1e3,
          GWh: 1e3,
          TWh: 1e6,
          kt: 1e3,
          Mt: 1e6,
          $k: 1e3,
          $m: 1e6,
          $bn: 1e9,
        };
        expect(shown * (factors[panel.unit] ?? 1)).toBeCloseTo(sent, 1);
      }),
      { numRuns: draws(50, 1000, 200) },
    );
  });

  test("what combines others is never the largest in a full legend; a line has one colour however many are combined, and none too light to see", () => {
    fc.assert(
      fc.property(drawings, fc.integer({ min: 3, max: 12 }), (drawn, most) => {
        const [whole, folded] = [build(drawn), build(drawn, most)].map(({ panels }) =>
          panels.filter(({ mark }) => mark === "line"),
        );
        const isFew = drawn.items.every(({ series }) => series.length <= PALETTE.length);
        const lines = isFew ? [...(whole ?? []), ...(folded ?? [])].flatMap(({ series }) => series) : [];
        expect(new Set(lines.map(({ name, colour }) => `${colour} ${name}`)).size).toBe(
          new Set(lines.map(({ name }) => name)).size,
        );
        for (const { series, mark } of [...build(drawn).panels, ...(folded ?? [])]) {
          const sizeOf = (one: (typeof series)[number]) =>
            one.values.reduce((all, value) => all + Math.abs(value || 0), 0);
          const isRest = (name: string) => /\d others/.test(name);
          // A mean of lines is none of their sizes.
          const rests = series.filter(({ name }) => mark !== "line" && isRest(name));
          const largest = Math.max(...series.filter(({ name }) => !isRest(name)).map(sizeOf));
          expect(rests.filter((rest) => rests.length < series.length && sizeOf(rest) > largest + 1e-6)).toEqual([]);
          for (const { colour } of series) expect(mark === "line" ? hcl(colour).l : 0).toBeLessThan(62);
        }
      }),
      { numRuns: draws(50, 1000, 200) },
    );
  });
});
