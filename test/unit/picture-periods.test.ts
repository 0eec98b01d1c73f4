/** Pictures of periods, of duration curves, of rooftop solar that is late, and without colours. */
import { hcl } from "d3-color";
import { describe, expect, test } from "vitest";
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import { condense } from "../../src/format/picture/model/condense.ts";
import { holdRooftop } from "../../src/format/picture/model/build-panels.ts";
import { orderLegend } from "../../src/format/picture/model/legend.ts";
import type { Panel, Subject } from "../../src/format/picture/model/picture.ts";
import { drawChart } from "../../src/format/picture/terminal/chart.ts";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import type { Points } from "../../src/series/points.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import type { AnalysisResult } from "../../src/series/analyses/result.ts";
import { createItem, findSeries, namesOf, onlyPanel, QUERY, SUBJECT } from "./pictures.ts";

type Labels = Readonly<Record<string, string>>;

/** Series of a profile, with values at positions from 0. */
function profile(
  kind: string,
  all: readonly (readonly [labels: Labels, points: readonly (readonly [at: number, value: number])[]])[],
): TimeSeries {
  const item = createItem(
    kind,
    all.map(([labels]) => [labels, [1]] as const),
  );
  const pointsOf = (points: readonly (readonly [number, number])[]): Points => ({
    instants: points.map(([at]) => at),
    timestamps: points.map(([at]) => String(at)),
    values: points.map(([, value]) => String(value)),
  });
  return {
    ...item,
    series: item.series.map((series, index) => ({ ...series, points: pointsOf(all[index]?.[1] ?? []) })),
  };
}

const hours = (of: (hour: number) => number) =>
  Array.from({ length: 24 }, (_, hour) => [hour * HOUR, of(hour)] as const);
const YEARS = ["2023", "2024", "2025"];
const daily = (names: readonly string[], of = "year"): AnalysisResult => ({ axis: "day", periods: { names, of } });
const byYear = (labels: Labels, size = 1) =>
  YEARS.map((period, at) => [{ period, ...labels }, hours((hour) => size * (hour + at))] as const);

function draw(item: TimeSeries, analysis: AnalysisResult, subject: Partial<Subject> = {}) {
  return buildPicture([item], { ...SUBJECT, analysis, ...subject });
}

describe("periods", () => {
  test("of one series are lines in order of time, ever darker, whatever their size", () => {
    const picture = draw(profile("price $/MWh 1h", byYear({ region: "SA1" })), daily(YEARS));
    const panel = onlyPanel(picture);
    expect([panel.mark, picture.title]).toEqual(["line", "Average day of price in SA1, by year ($/MWh)"]);
    expect(orderLegend(panel).map(({ name }) => name)).toEqual(YEARS);
    const lightness = panel.series.map(({ colour }) => hcl(colour).l);
    expect(lightness).toEqual(lightness.toSorted((a, b) => b - a));
    expect(Math.max(...lightness)).toBeLessThanOrEqual(70);
  });

  test("of a stack are panels of one scale: nothing of one period is added to another", () => {
    const item = profile("power MW 1h", [...byYear({ fueltech: "coal_black" }, 10), ...byYear({ fueltech: "wind" })]);
    const picture = draw(item, daily(YEARS));
    expect(picture.panels.map(({ title, mark }) => [title, mark])).toEqual(YEARS.map((year) => [year, "area"]));
    expect([picture.isSplit, picture.sharesLegend]).toEqual([true, true]);
    // The last hour of the last year: 10 × 25 and 25.
    for (const { domain } of picture.panels) expect(domain.map(Math.abs)).toEqual([0, 275]);
    for (const [at, panel] of picture.panels.entries()) expect(findSeries(panel, "wind").values[5]).toBe(5 + at);
  });

  test("of several lines are panels of the series, with a line for each period", () => {
    const item = profile("price $/MWh 1h", [...byYear({ region: "NSW1" }), ...byYear({ region: "SA1" })]);
    const { panels, title } = draw(item, daily(YEARS));
    expect(panels.map((panel) => [panel.title, namesOf(panel)])).toEqual([
      ["NSW1", YEARS],
      ["SA1", YEARS],
    ]);
    expect(title).toBe("Average day of price by year and region ($/MWh)");
  });

  test("what is not drawn of many is said: the oldest periods, and the smallest series", () => {
    const years = Array.from({ length: 30 }, (_, at) => String(1997 + at));
    const many = draw(
      profile(
        "price $/MWh 1h",
        years.map((period) => [{ period }, hours((hour) => hour)] as const),
      ),
      daily(years),
    );
    expect([namesOf(onlyPanel(many))[0], many.remarks]).toEqual(["2003", ["not drawn: 1997 to 2002"]]);
    const units = Array.from({ length: 14 }, (_, at) => byYear({ facility_code: `F${at}` }, at + 1)).flat();
    const facilities = draw(profile("power MW 1h", units), daily(YEARS));
    expect([facilities.panels[0]?.title, facilities.panels.length, facilities.remarks]).toEqual([
      "F2",
      12,
      ["not drawn: 2 smaller series"],
    ]);
  });

  test("a chart that is too small for all panels says how many, and never more than there are", () => {
    const units = Array.from({ length: 12 }, (_, at) => byYear({ facility_code: `F${at}` }, at + 1)).flat();
    const fold = (maxEntries?: number) => draw(profile("power MW 1h", units), daily(YEARS), { maxEntries });
    for (const height of [8, 12, 21]) {
      const folded: number[] = [];
      const foldLogged = (entries: number) => {
        folded.push(entries);
        return fold(entries);
      };
      const lines = drawChart(fold(), { width: 60, height, colorDepth: 1, unicode: true, fold: foldLogged });
      // To combine series takes time.
      expect(folded).toEqual([...new Set(folded)]);
      expect(lines.join("\n")).not.toMatch(/\d+ of \d+ panels/);
      expect(lines.length).toBeLessThanOrEqual(height);
    }
  });

  test("a year without 29 February has no hole there, and a day without values has one", () => {
    const days = (skipped: readonly number[]) =>
      Array.from({ length: 366 }, (_, day) => [day * DAY, day] as const).filter(([, day]) => !skipped.includes(day));
    const LEAP = 59;
    const item = profile("demand MW 1d", [
      [{ period: "2023" }, days([LEAP])],
      [{ period: "2024" }, days([100])],
    ]);
    const { panels, title } = draw(item, { axis: "year", periods: { names: ["2023", "2024"], of: "year" } });
    const gaps = (panels[0] as Panel).series.map(({ values }) => values.filter(Number.isNaN).length);
    expect([title, gaps]).toEqual(["Demand through the year, by year (MW)", [0, 1]]);
  });
});

test("what combines computed ratios is the ratio of their sums, not a mean of ratios", () => {
  const units = Array.from({ length: 14 }, (_, at) => at);
  const item = createItem(
    "capacity_factor % 1h",
    units.map((at) => [{ facility_code: `F${at}` }, [10, 10]] as const),
  );
  // The last two, which are the smallest, have 1 of 100 and 9 of 100; and 0 of 0 and 1 of 50.
  const small: Readonly<Record<number, readonly (readonly [over: number, under: number])[]>> = {
    12: [
      [1, 100],
      [0, 0],
    ],
    13: [
      [9, 300],
      [1, 50],
    ],
    11: [
      [0, 100],
      [3, 50],
    ],
  };
  const series = item.series.map((one, at) => {
    const parts = small[at] ?? [
      [1000, 10],
      [1000, 10],
    ];
    const [over, under] = [parts.map(([above]) => above), parts.map(([, below]) => below)];
    const values = parts.map(([above, below]) => (below > 0 ? String(above / below) : null));
    return {
      ...one,
      points: {
        ...one.points,
        timestamps: [...one.points.timestamps],
        values,
        ratio: { over, under, most: Number.POSITIVE_INFINITY },
      },
    };
  });
  const { panels } = buildPicture([{ ...item, series }], SUBJECT);
  expect(panels.at(-1)?.title).toBe("mean of 3 others");
  expect([...(panels.at(-1)?.series[0]?.values ?? [])]).toEqual([10 / 500, 4 / 100]);
});

describe("a duration curve", () => {
  const falling = Array.from(
    { length: 5000 },
    (_, at) => [(100 * (at + 1)) / 5000, at === 0 ? 7478.56 : at === 4999 ? -1000 : 100 - at / 100] as const,
  );
  const picture = draw(
    profile("price $/MWh 5m", [
      [{ region: "SA1" }, falling],
      [{ region: "VIC1" }, falling.map(([at, value]) => [at, value / 2] as const)],
    ]),
    { axis: "share", about: "from the largest value down, by share of time, 2025-01-01 to 2025-01-31" },
  );

  test("keeps the largest and the smallest value of each series, whatever is left out between", () => {
    const { series } = onlyPanel(condense(picture, { dots: 200, points: 200 }));
    const ends = series.map(({ values }) => [values[0], values.at(-1), values.length < 300]);
    expect(ends).toEqual([
      [7478.56, -1000, true],
      [3739.28, -500, true],
    ]);
  });

  test("says of each series what is cut off, and when", () => {
    expect(picture.remarks).toEqual(["cut off: SA1 7,479, VIC1 3,739, SA1 -1,000, VIC1 -500.0 $/MWh"]);
    expect([onlyPanel(picture).spikes, picture.subtitle]).toEqual([
      [],
      "NEM, from the largest value down, by share of time, 2025-01-01 to 2025-01-31, every 5 minutes",
    ]);
  });
});

describe("rooftop solar in a stack", () => {
  const stack = (rooftop: readonly (number | null)[]) =>
    buildPicture(
      [
        createItem("power MW 5m", [
          [{ fueltech: "coal_black" }, rooftop.map(() => 100)],
          [{ fueltech: "solar_rooftop" }, rooftop],
        ]),
      ],
      SUBJECT,
    );

  test("that is half-hourly is drawn for its half hour, which is said", () => {
    const picture = stack([60, null, null, null, null, null, 90, null, null]);
    expect([...findSeries(onlyPanel(picture), "solar_rooftop").values]).toEqual([60, 60, 60, 60, 60, 60, 90, 90, 90]);
    expect(picture.remarks).toEqual([]);
    expect(picture.notes).toEqual(["rooftop solar is half-hourly here: each value is drawn for its half hour"]);
  });

  test("that is not there yet makes the stack lighter, and is in no share", () => {
    const picture = stack([100, 100, null, null]);
    const { series } = onlyPanel(picture);
    expect([...(series[1]?.values ?? [])]).toEqual([100, 100, Number.NaN, Number.NaN]);
    expect(series.map(({ figures }) => figures.share)).toEqual([0.5, 0.5]);
    const from = picture.time.domain[0] + 10 * MINUTE;
    expect(picture.time.partial).toEqual([[from, picture.time.domain[1]]]);
    expect(picture.remarks).toEqual(["from 2025-02-01 00:10 on, rooftop solar has no values yet"]);
  });

  test("gaps of all series stay, and so do those of other lengths than half an hour", () => {
    const times = Float64Array.from([0, 5, 10, 30, 35, 50].map((minutes) => minutes * MINUTE));
    const { item, series } = {
      item: createItem("power MW 5m", []),
      series: { labels: {}, points: { instants: [], timestamps: [], values: [] }, fields: {} },
    };
    const entry = (fuel: string, values: readonly number[]) => ({
      name: fuel,
      source: { item, series, fuel },
      times,
      values: Float64Array.from(values),
    });
    const { NaN: none } = Number;
    const held = holdRooftop([
      entry("wind", [1, 1, none, 1, 1, 1]),
      entry("solar_rooftop", [5, none, none, 6, none, 7]),
    ]);
    expect([...(held.entries[1]?.values ?? [])]).toEqual([5, 5, none, 6, none, 7]);
    expect([held.isHalfHourly, held.late]).toEqual([true, []]);
  });
});

describe("words and colours that are asked for", () => {
  const fuels = ["coal_black", "gas_ccgt", "hydro", "wind", "solar_utility", "solar_rooftop"];
  const item = createItem(
    "power MW 5m",
    fuels.map((fueltech) => [{ fueltech }, [1, 2, 3]] as const),
  );

  test("a grey stack has another hatch and another lightness beside each", () => {
    const { series } = onlyPanel(buildPicture([item], { ...SUBJECT, palette: "grey" }));
    expect(series.every(({ colour }) => hcl(colour).c < 1 || Number.isNaN(hcl(colour).c))).toBe(true);
    expect(new Set(series.map(({ colour, hatch }) => `${colour} ${hatch}`)).size).toBe(fuels.length);
    for (const [at, { colour, hatch }] of series.slice(1).entries()) {
      const before = series[at];
      expect(hatch).not.toBe(before?.hatch);
      expect(Math.abs(hcl(colour).l - hcl(before?.colour ?? "").l)).toBeGreaterThan(15);
    }
  });

  test("grey lines are dashed in different ways", () => {
    const lines = createItem(
      "price $/MWh 5m",
      ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"].map((region) => [{ region }, [1, 2]] as const),
    );
    const { series } = onlyPanel(buildPicture([lines], { ...SUBJECT, palette: "grey" }));
    expect(new Set(series.map(({ dash }) => dash)).size).toBe(5);
  });

  test("a title of the user's own leaves nothing out: that of ents begins the line below it", () => {
    const { title, subtitle } = buildPicture([item], { ...SUBJECT, title: "The night \u001b[31mshift" });
    expect(title).toBe("The night \\u001b[31mshift");
    expect(subtitle).toBe("Power by fueltech (MW), NEM, 1 Feb 2025 00:00 to 00:10, every 5 minutes, UTC+10:00");
  });

  test("what was so at another time says so", () => {
    const { subtitle } = buildPicture([item], { ...SUBJECT, asOf: Date.UTC(2025, 1, 3, 2) });
    expect(subtitle).toMatch(/, as of 2025-02-03 12:00$/);
  });

  test("units of one region and fueltech are named by these, in place of their number", () => {
    const codes = ["A1", "B1", "C1", "D1"];
    const units = new Map(
      codes.map((code) => [code, { facility: code.slice(0, 1), fueltech: "coal_black", region: "NSW1" }] as const),
    );
    const query = {
      ...QUERY,
      parameters: [
        { name: "facility_code", values: ["A", "B", "C", "D"] },
        { name: "unit_code", values: codes },
      ],
      units: codes.map((unit) => ({ facility: unit.slice(0, 1), unit })),
    } as const;
    const power = createItem(
      "power MW 5m",
      codes.map((unit_code) => [{ unit_code }, [1, 2]] as const),
    );
    expect(buildPicture([power], { ...SUBJECT, rawNames: false, query, units }).title).toBe(
      "Black coal power in New South Wales, by unit (MW)",
    );
    const two = {
      ...query,
      units: query.units.slice(0, 2),
      parameters: [{ name: "facility_code", values: ["A", "B"] }],
    };
    expect(buildPicture([power], { ...SUBJECT, rawNames: false, query: two, units }).title).toBe(
      "Black coal power of A and B in New South Wales, by unit (MW)",
    );
  });
});
