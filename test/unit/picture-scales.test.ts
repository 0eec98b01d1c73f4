import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import { stackPanel } from "../../src/format/picture/model/sample.ts";
import type { PictureSeries } from "../../src/format/picture/model/picture.ts";
import { condense } from "../../src/format/picture/model/condense.ts";
import { createTimeScale, createValueScale, listValueTicks } from "../../src/format/picture/model/scales.ts";
import { fitTimeTicks, listTimeTicks } from "../../src/format/picture/model/time-ticks.ts";
import { printFigure, printShare } from "../../src/format/picture/model/legend.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws, runs } from "../support/extent.ts";
import { createItem, draw, onlyPanel } from "./pictures.ts";

/** Characters of seven pixels. */
const ROOM = { measure: (text: string) => 7 * text.length, gap: 5, ends: [-1e9, 2e9] } as const;
const textsOf = (ticks: readonly { readonly text: string }[]) => ticks.map(({ text }) => text);

describe("times", () => {
  const drawIn = (zone: string, hours: number, kind = "demand MW 1h") =>
    buildPicture([createItem(kind, [[{}, Array.from({ length: hours }, (_, hour) => hour + 1)]])], {
      zone: createZone(zone),
    }).time;

  test("are round on the clock of the zone, and the day is at midnight", () => {
    expect(textsOf(listTimeTicks(drawIn("network", 25), 5))).toEqual(["1 Feb", "06:00", "12:00", "18:00", "2 Feb"]);
    expect(textsOf(listTimeTicks(drawIn("Australia/Sydney", 24), 5))).toEqual([
      "1 Feb 06:00",
      "12:00",
      "18:00",
      "2 Feb",
    ]);
    expect(textsOf(listTimeTicks(drawIn("utc", 24), 5))).toEqual(["31 Jan 18:00", "1 Feb", "06:00", "12:00"]);
  });

  test("are at least four in the 72 columns that a terminal of 80 leaves, in any window", () => {
    const start = fc.integer({ min: 0, max: 366 * 288 }).map((steps) => Date.UTC(2025, 0) + steps * 300_000);
    const step = fc.constantFrom(300_000, 3_600_000, 86_400_000);
    fc.assert(
      fc.property(
        start,
        step,
        fc.double({ min: Math.log(6), max: Math.log(20_000), noNaN: true }),
        (from, ms, length) => {
          const time = { ...drawIn("utc", 2), domain: [from, from + Math.round(Math.exp(length)) * ms] as const };
          const ticks = fitTimeTicks(time, createTimeScale(time, [0, 71]), {
            measure: (text) => text.length,
            gap: 3,
            ends: [-6, 72],
          });
          expect(ticks.length).toBeGreaterThanOrEqual(4);
          expect(ticks.length).toBeLessThanOrEqual(8);
        },
      ),
      { numRuns: draws(300, 10_000) },
    );
  });

  test("an hour that the clock shows twice takes two hours, a skipped one none", () => {
    // Clocks in Sydney go back on 6 April 2025 at 03:00, and forward on 5 October 2025 at 02:00.
    const hours = (day: number) => 24 * (day - 1);
    const year = drawIn("Australia/Sydney", 24 * 260);
    const ticks = (from: number, to: number) => {
      const domain = [year.domain[0] + hours(from) * 3_600_000, year.domain[0] + hours(to) * 3_600_000] as const;
      return listTimeTicks({ ...year, domain }, 12);
    };
    const autumn = ticks(65, 66);
    const gaps = autumn.map(({ at }, index) => (at - (autumn[index - 1]?.at ?? at)) / 3_600_000).slice(1);
    expect(textsOf(autumn)).toEqual(["6 Apr 03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "7 Apr"]);
    expect(new Set(gaps)).toEqual(new Set([3]));
    const around = ticks(64, 66);
    const [midnight] = around.filter(({ text }) => text === "6 Apr");
    const six = around.find(({ at, text }) => text === "06:00" && at > (midnight?.at ?? 0));
    expect((six?.at ?? 0) - (midnight?.at ?? 0)).toBe(7 * 3_600_000);
  });

  test.each([
    [12, 12, ["Jan 2025", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]],
    [12, 5, ["Jan 2025", "Apr", "Jul", "Oct"]],
    [60, 6, ["2025", "2026", "2027", "2028", "2029"]],
    [1, 5, ["Jan 2025"]],
  ])("of %i months as columns, at most %i", (months, count, texts) => {
    const { time } = draw(
      createItem("energy MWh 1M", [[{ fueltech: "wind" }, Array.from({ length: months }, () => 1)]]),
    );
    const ticks = listTimeTicks(time, count);
    expect(textsOf(ticks)).toEqual(texts);
    // In the middle of the column.
    expect(ticks[0]?.at).toBe((Date.UTC(2024, 11, 31, 14) + Date.UTC(2025, 0, 31, 14)) / 2);
  });

  test.each([
    ["fy", ["FY2024", "FY2025", "FY2026", "FY2027", "FY2028"]],
    ["season", ["autumn 2025", "winter 2025", "spring 2025", "summer 2025", "autumn 2026"]],
    ["1d", ["1 Feb 2025", "2 Feb", "3 Feb", "4 Feb", "5 Feb"]],
  ])("of %s as columns have the names that people use", (interval, texts) => {
    const { time } = draw(createItem(`energy MWh ${interval}`, [[{ fueltech: "wind" }, [1, 2, 3, 4, 5]]]));
    expect(textsOf(listTimeTicks(time, 5))).toEqual(texts);
    expect([...(time.intervals?.ends ?? [])].slice(0, -1)).toEqual([...(time.intervals?.starts ?? [])].slice(1));
  });

  test("never more than requested, and as many as fit without touching", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: runs(300, 3000) }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom("5m", "1h", "1d"),
        (length, count, interval) => {
          const values = Array.from({ length }, () => 1);
          const { time } = draw(createItem(`energy MWh ${interval}`, [[{ fueltech: "wind" }, values]]));
          expect(listTimeTicks(time, count).length).toBeLessThanOrEqual(count);
          const x = createTimeScale(time, [0, 600]);
          const ends = fitTimeTicks(time, x, ROOM).map(
            ({ at, text }) => [x(at) - text.length * 3.5, x(at) + text.length * 3.5] as const,
          );
          const gaps = ends.slice(1).map(([from], index) => from - (ends[index]?.[1] ?? 0));
          expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
        },
      ),
      { numRuns: draws(25, 500) },
    );
  });
});

describe("values", () => {
  const scaleOf = (values: readonly number[], kind = "price $/MWh 5m") =>
    createValueScale(
      onlyPanel(
        draw(
          createItem(kind, [
            [{ fueltech: "battery_charging" }, values.slice(0, 1)],
            [{ fueltech: "wind" }, values],
          ]),
        ),
      ),
      [100, 0],
      5,
    );

  test("are round ones around the drawn values", () => {
    expect(textsOf(listValueTicks(scaleOf([60, 16_600]), 5))).toEqual(["0", "5,000", "10,000", "15,000", "20,000"]);
    expect(textsOf(listValueTicks(scaleOf([-87, 42]), 5))).toEqual(["-100", "-50", "0"]);
    expect(textsOf(listValueTicks(scaleOf([0.1, 0.35]), 5))).toEqual(["0.0", "0.1", "0.2", "0.3"]);
  });

  test("of a logarithmic axis are 1, 2 and 5 or powers of ten around the data, with zero where a value is not above it", () => {
    const ticks = (low: number, high: number, { count = 6, least = low } = {}) =>
      textsOf(listValueTicks(createValueScale({ domain: [low, high], yScale: "log", least }, [0, 100], count), count));
    expect(ticks(15, 80)).toEqual(["10", "20", "50", "100"]);
    expect(ticks(0.3, 16_600)).toEqual(["1", "10", "100", "1,000", "10,000"]);
    expect(ticks(1e-3, 1e6, { count: 5 })).toEqual(["0.001", "0.1", "10", "1,000", "100,000"]);
    expect(ticks(0, 80, { least: 15 })).toEqual(["0", "10"]);
    expect(ticks(0, 16_600, { least: 0.001 })).toEqual(["0", "10", "100", "1,000", "10,000"]);
    expect(ticks(-1000, 16_600, { least: 12 })).toEqual(["-100", "0", "100", "10,000"]);
  });

  test("figures", () => {
    expect([16_600.4, -86.72, 0.523, 0, undefined].map(printFigure)).toEqual(["16,600", "-86.7", "0.52", "0", "-"]);
    expect([0.125, -0.004, undefined].map(printShare)).toEqual(["12.5%", "-0.4%", "-"]);
  });
});

describe("a line of more points than can be seen", () => {
  const values = fc.array(fc.option(fc.integer({ min: -1000, max: 16_600 }), { nil: null, freq: 20 }), {
    minLength: 1,
    maxLength: 2000,
    size: "max",
  });
  const condenseOf = (list: readonly (number | null)[]) => {
    const picture = draw(createItem("price $/MWh 5m", [[{}, list]]));
    const condensed = condense(picture, { dots: 100, points: 50 });
    return { picture, condensed, line: onlyPanel(condensed).series[0] as PictureSeries };
  };

  test("is the mean of round periods, over the range of all values; a few points are as they are", () => {
    fc.assert(
      fc.property(values, (list) => {
        const { picture, condensed, line } = condenseOf(list);
        const known = list.filter((value) => value !== null);
        const isFew = list.length <= 300;
        expect(condensed === picture).toBe(isFew);
        expect(line.times.length).toBeLessThanOrEqual(isFew ? 300 : 51);
        expect(condensed.remarks.join()).toMatch(
          isFew ? /^$/ : /^lines: mean of each [\w ]+; lighter: its lowest to highest value$/,
        );
        const { low = line.values, high = line.values } = line.range ?? {};
        const shown = (numbers: Float64Array) => numbers.filter((value) => !Number.isNaN(value));
        expect(Math.min(...shown(low))).toBe(Math.min(...known));
        expect(Math.max(...shown(high))).toBe(Math.max(...known));
        const isOutside = (mean: number, at: number) =>
          mean < (low[at] as number) - 1e-9 || mean > (high[at] as number) + 1e-9;
        expect(line.values.some(isOutside)).toBe(false);
        // The figures are those of all values.
        expect(line.figures).toEqual(onlyPanel(picture).series[0]?.figures);
      }),
      { numRuns: draws(25, 500) },
    );
  });
});

describe("a stack", () => {
  const item = createItem("power MW 5m", [
    [{ fueltech: "coal_black" }, [100, 0, 50]],
    [{ fueltech: "hydro" }, [0, 10, null]],
    [{ fueltech: "wind" }, [20, 20, 20]],
    [{ fueltech: "battery_charging" }, [5, 0, 5]],
  ]);
  const picture = draw(item);
  const stacked = stackPanel(onlyPanel(picture), createTimeScale(picture.time, [0, 100]));
  const bandsOf = (name: string) =>
    stacked.layers
      .find(({ series }) => series.name === name)
      ?.bands.map((band) => band.map((end) => Math.round(end * 1e6) / 1e6));

  test("grows from the axis, with negative values below it", () => {
    expect(bandsOf("coal_black")).toEqual([
      [0, 100],
      [0, 0],
      [0, 50],
    ]);
    expect(bandsOf("wind")).toEqual([
      [100, 120],
      [10, 30],
      [50, 70],
    ]);
    expect(bandsOf("battery_charging")?.[0]).toEqual([-5, 0]);
  });

  test("if times share a dot, each series has its mean there", () => {
    const long = draw(
      createItem("power MW 5m", [
        [{ fueltech: "wind" }, Array.from({ length: 1000 }, (_, index) => index % 2)],
        [{ fueltech: "hydro" }, [1]],
      ]),
    );
    const { times, layers } = stackPanel(onlyPanel(long), createTimeScale(long.time, [0, 10]));
    expect(times.length).toBeLessThanOrEqual(11);
    for (const value of layers[1]?.values.subarray(0, 9) ?? []) expect(value).toBeCloseTo(0.5);
  });
});
