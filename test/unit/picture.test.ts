import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUELTECH_COLOURS, REGION_COLOURS } from "../../src/base/colours.ts";
import { EMPTY_GROUPS, FUELTECH_GROUPS, FUELTECHS } from "../../src/base/fueltechs.ts";
import { NETWORKS } from "../../src/base/vocabulary.ts";
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import type { Panel, Picture } from "../../src/format/picture/model/picture.ts";
import { listLegendFigures } from "../../src/format/picture/model/legend.ts";
import { listTimeTicks } from "../../src/format/picture/model/time-ticks.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { pickRows } from "../../src/series/analyses/pick.ts";
import type { AnalysisResult } from "../../src/series/analyses/result.ts";
import { HOUR } from "../../src/time/local-time.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws } from "../support/extent.ts";
import { answers, readBody, toBody } from "./generators.ts";
import { createItem, draw, drawListed, findSeries, namesOf, onlyPanel, START, SUBJECT, QUERY } from "./pictures.ts";

const fuels = (names: readonly string[], label = "fueltech") =>
  names.map((name) => [{ [label]: name }, [1, 2]] as const);
const regions = fuels(["NSW1", "QLD1"], "region");
const units = (count: number) =>
  Array.from({ length: count }, (_, index) => [{ unit_code: `U${index}` }, [index + 1, 2]] as const);

describe("the mark of a panel", () => {
  test.each([
    ["price $/MWh 5m", regions, "line"],
    ["price $/MWh 1d", regions, "line"],
    ["demand MW 5m", regions, "line"],
    ["renewable_proportion % 1d", regions, "line"],
    ["power MW 5m", fuels(["wind", "hydro"]), "area"],
    ["power MW 1d", fuels(["wind", "coal"], "fueltech_group"), "area"],
    ["power MW 5m", [true, false].map((renewable) => [{ renewable }, [1, 2]] as const), "area"],
    ["power MW 5m", units(5), "line"],

    ["energy MWh 1d", units(2), "line"],
    ["energy MWh 1d", units(1), "column"],
    ["energy MWh 5m", regions, "line"],
    ["energy MWh 1h", fuels(["wind", "hydro"]), "area"],
    ["energy MWh 1d", regions, "column"],
    ["emissions t 1M", fuels(["gas_ccgt"]), "column"],
    ["market_value $ 1d", regions, "column"],
    ["storage_battery MWh 1d", regions, "line"],
  ] as const)("%s", (kind, series, mark) => {
    expect(onlyPanel(draw(createItem(kind, series))).mark).toBe(mark);
  });

  test("several metrics of one unit are lines, as they do not add up", () => {
    const { mark, title, series } = onlyPanel(
      draw(
        ...["demand_energy", "demand_gross_energy"].map((metric) =>
          createItem(`${metric} MWh 1d`, regions.slice(0, 1)),
        ),
      ),
    );
    expect([mark, title]).toEqual(["line", "Demand (energy and gross energy)"]);
    expect(series[0]?.name).toBe("demand_energy");
  });

  test("a stack of one time is a column: an area has no width", () => {
    expect(
      onlyPanel(
        draw(
          createItem("power MW 5m", [
            [{ fueltech: "wind" }, [1]],
            [{ fueltech: "hydro" }, [2]],
          ]),
        ),
      ).mark,
    ).toBe("column");
  });
});

describe("the unit of a panel", () => {
  test.each([
    ["power MW 5m", 8_000, "MW", 8_000],
    ["power MW 5m", 9_600, "GW", 9.6],
    ["power MW 5m", 23_000, "GW", 23],
    ["energy MWh 1d", 450_000, "GWh", 450],
    ["energy MWh 1d", 17_000_000, "TWh", 17],
    ["market_value $ 1d", 12_000, "$k", 12],
    ["market_value $ 1d", 21_000_000, "$m", 21],
    ["market_value $ 1d", 1.9e10, "$bn", 19],
    ["emissions t 1d", 330_000, "kt", 330],
    ["emissions t 1d", 1.2e8, "Mt", 120],
    ["price $/MWh 5m", 17_500, "$/MWh", 17_500],
  ])("%s of %d is in %s", (kind, value, ...shown) => {
    const panel = onlyPanel(draw(createItem(kind, [[{ fueltech: "wind" }, [value, value / 2]]])));
    expect([panel.unit, panel.series[0]?.values[0]]).toEqual(shown);
    expect(panel.domain[1]).toBe(shown[1]);
  });

  test("is one for a stack, by its sum", () => {
    const panel = onlyPanel(
      draw(
        createItem("power MW 5m", [
          [{ fueltech: "wind" }, [6_000]],
          [{ fueltech: "hydro" }, [5_000]],
        ]),
      ),
    );
    expect([panel.unit, panel.domain[1], findSeries(panel, "wind").figures.last]).toEqual(["GW", 11, 6]);
  });
});

describe("panels", () => {
  test("one per unit, in the order of the metrics, on one time axis", () => {
    const picture = draw(
      createItem("price $/MWh 5m", regions),
      createItem("demand MW 5m", [[{ region: "NSW1" }, [1, 2, 3]]]),
    );
    expect(picture.panels.map(({ title, unit }) => [title, unit])).toEqual([
      ["Price", "$/MWh"],
      ["Demand", "MW"],
    ]);
    expect(picture.time.domain).toEqual([START, START + 600_000]);
  });

  test("nothing to draw", () => {
    expect(draw()).toMatchObject({ title: "No data", panels: [] });
    expect(draw(createItem("price $/MWh 5m", [[{}, []]]))).toMatchObject({ title: "Price", panels: [] });
  });

  test("nulls alone are a panel without values", () => {
    const { domain, series } = onlyPanel(draw(createItem("price $/MWh 5m", [[{ region: "NSW1" }, [null, null]]])));
    expect(domain).toEqual([0, 1]);
    expect(series[0]?.figures).toEqual({ last: undefined, mean: undefined });
  });

  test.each([
    ["price $/MWh 5m", [START, START + 300_000]],
    ["price $/MWh 1M", [Date.UTC(2024, 11, 31, 14), Date.UTC(2025, 0, 31, 14)]],
  ])("one point is a column of its interval: %s", (kind, domain) => {
    const one = draw(createItem(kind, [[{ region: "NSW1" }, [60]]]));
    expect([onlyPanel(one).mark, one.time.domain]).toEqual(["column", domain]);
    const five = draw(
      createItem(
        kind,
        regions.map(([labels]) => [labels, [60]] as const),
      ),
    );
    expect(five.panels.map(({ mark, series }) => [mark, series.length])).toEqual(regions.map(() => ["column", 1]));
    // Beside another unit, they are points in one panel, in the middle of the interval.
    const both = draw(
      createItem(
        kind,
        regions.map(([labels]) => [labels, [60]] as const),
      ),
      createItem("demand MW 1M", [[{}, [1]]]),
    );
    expect([both.panels[0]?.mark, both.time.intervals?.starts.length]).toEqual(["line", 1]);
  });

  test("of months the axis ends with the last one", () => {
    const { time } = draw(createItem("energy MWh 1M", fuels(["wind"])));
    expect(time.domain).toEqual([Date.UTC(2024, 11, 31, 14), Date.UTC(2025, 1, 28, 14)]);
  });
});

describe("the domain of values", () => {
  test("includes negative prices, and zero if it is near", () => {
    expect(onlyPanel(draw(createItem("price $/MWh 5m", [[{}, [-50, -10]]]))).domain).toEqual([-50, 0]);
    expect(onlyPanel(draw(createItem("demand MW 5m", [[{}, [7000, 8000]]]))).domain).toEqual([7000, 8000]);
  });

  test("of a stack includes the sums, above and below the axis", () => {
    const item = createItem("power MW 5m", [
      [{ fueltech: "battery_charging" }, [5, 30]],
      [{ fueltech: "coal_black" }, [100, 90]],
      [{ fueltech: "wind" }, [20, null]],
    ]);
    expect(onlyPanel(draw(item)).domain).toEqual([-30, 120]);
  });
});

describe("the value axis", () => {
  const many = Array.from({ length: 500 }, (_, index) => 50 + (index % 10));
  const build = (values: readonly number[], yScale?: "linear" | "log" | "clip", kind = "price $/MWh 5m") =>
    onlyPanel(buildPicture([createItem(kind, [[{ fueltech: "wind" }, values]])], { ...SUBJECT, yScale }));

  test("cuts off a price of more than 3 times the 99th percentile, and keeps its time and value", () => {
    const { domain, yScale, spikes } = build(many.with(7, 16_600));
    expect([domain, yScale]).toEqual([[0, 118], "clip"]);
    expect(spikes).toEqual([{ time: START + 7 * 300_000, value: 16_600, of: undefined }]);
    expect(build(many.with(7, -2000)).spikes).toEqual([expect.objectContaining({ value: -2000 })]);
    expect(build(many.with(7, 170)).spikes).toEqual([]);
  });

  test("says whose spike it is, and only in its panel", () => {
    const series = units(9).map(([labels], index) => [labels, index === 4 ? many.with(7, 16_600) : many] as const);
    expect(onlyPanel(draw(createItem("price $/MWh 5m", series.slice(3, 5)))).spikes).toMatchObject([{ of: "U4" }]);
    expect(draw(createItem("price $/MWh 5m", series)).panels.map(({ spikes }) => spikes.length)).toEqual([
      0, 0, 0, 0, 1, 0, 0, 0, 0,
    ]);
  });

  test("is as the user asks", () => {
    expect(build(many.with(7, 16_600), "linear")).toMatchObject({ domain: [0, 16_600], yScale: "linear", spikes: [] });
    expect(build(many.with(7, 200), "clip")).toMatchObject({
      domain: [0, 118],
      yScale: "clip",
      spikes: [{ value: 200 }],
    });
    expect(build(many, "clip")).toMatchObject({ yScale: "linear", spikes: [] });
    expect(build(many.with(7, 16_600), "log")).toMatchObject({
      domain: [50, 16_600],
      yScale: "log",
      least: 50,
      spikes: [],
    });
  });

  test("of a stack is never cut; with log, its series are lines", () => {
    expect(build(many.with(7, 1e6), undefined, "energy MWh 1d")).toMatchObject({
      mark: "column",
      yScale: "linear",
      spikes: [],
    });
    expect(build(many, "log", "energy MWh 1d")).toMatchObject({ mark: "line", yScale: "log" });
  });
});

describe("intervals that are not complete", () => {
  const partial = (...starts: readonly number[]) => [{ starts, text: "", why: "partial: the window ends" }];

  test.each([
    [
      "energy MWh 1M",
      [Date.UTC(2025, 2)],
      [[Date.UTC(2025, 1, 28, 14), Date.UTC(2025, 2, 31, 14)]],
      "Mar 2025 is partial: the window ends",
    ],
    // The last point of an area is at its end: what leads to it is marked.
    [
      "power MW 1h",
      [Date.UTC(2025, 1, 1, 2)],
      [[START + 3_600_000, START + 7_200_000]],
      "1 Feb 02:00 is partial: the window ends",
    ],
    ["power MW 1h", [Date.UTC(2025, 1, 1)], [[START, START + 3_600_000]], "1 Feb 00:00 is partial: the window ends"],
    ["power MW 1h", [Date.UTC(2025, 1, 9)], [], undefined],
  ] as const)("of %s are marked, named in a note, and in no figure", (kind, starts, ...[spans, note]) => {
    const item = createItem(
      kind,
      fuels(["wind", "hydro"]).map(([labels]) => [labels, [1, 2, 3]] as const),
    );
    const { time, remarks, panels } = buildPicture([item], { ...SUBJECT, partial: partial(...starts) });
    const [last, mean] = note === undefined ? [3, 2] : starts[0] === Date.UTC(2025, 1, 1) ? [3, 2.5] : [2, 1.5];
    expect(panels[0]?.series[0]?.figures).toMatchObject({ last, mean, share: 0.5 });
    expect(time.partial).toEqual(spans);
    expect(remarks).toEqual(note === undefined ? [] : [note]);
  });
});

describe("many lines of one unit", () => {
  const flows = (...codes: readonly string[]) =>
    ["flow_imports", "flow_exports"].map((metric) =>
      createItem(
        `${metric} MW 5m`,
        codes.map((region, index) => [{ region }, [index + 1, 2]] as const),
      ),
    );

  test("are small multiples: one panel a region, of one domain, with one legend", () => {
    const { panels, isSplit, sharesLegend, title } = buildPicture(flows("NSW1", "QLD1", "SA1", "TAS1", "VIC1"), {
      zone: createZone("network"),
    });
    expect(panels.map((panel) => panel.title)).toEqual([
      "New South Wales",
      "Queensland",
      "South Australia",
      "Tasmania",
      "Victoria",
    ]);
    expect([isSplit, sharesLegend, title]).toEqual([true, true, "Flow (imports and exports) by region (MW)"]);
    for (const panel of panels)
      expect([namesOf(panel), panel.domain]).toEqual([
        ["Imports", "Exports"],
        [-5, 5],
      ]);
  });
});

describe("metrics of one unit", () => {
  const item = (metric: string, value: number, codes = ["NSW1", "VIC1"]) =>
    createItem(
      `${metric} MW 5m`,
      codes.map((region) => [{ region }, [value, value]] as const),
    );
  const titles = (picture: Picture) =>
    picture.panels.map(({ title, series }) => `${title}: ${series.map(({ name }) => name).join(", ")}`);

  test("of several regions are panels by region, or by metric where there are other units, or little room", () => {
    const both = [item("demand", 8), item("demand_gross", 9)];
    expect(titles(draw(...both))).toEqual(["NSW1: demand, demand_gross", "VIC1: demand, demand_gross"]);
    const byMetric = ["Demand: NSW1, VIC1", "Demand gross: NSW1, VIC1"];
    expect(titles(draw(...both, createItem("price $/MWh 5m", [[{}, [1]]])))).toEqual([...byMetric, "Price: price"]);
    expect(titles(buildPicture(both, { ...SUBJECT, maxEntries: 3 }))).toEqual(byMetric);
  });

  test("have one colour for each region in all panels, that of any picture", () => {
    const colours = (...codes: readonly string[]) =>
      draw(
        createItem("price $/MWh 1d", [[{ region: "SA1" }, [1]]]),
        createItem(
          "energy MWh 1d",
          codes.map((region) => [{ region }, [1]] as const),
        ),
      ).panels.flatMap(({ series }) => series.map(({ name, colour }) => [name, colour] as const));
    const all = [...colours("SA1", "NSW1"), ...colours("QLD1", "SA1")];
    expect(new Set(all.map(([name, colour]) => `${name} ${colour}`)).size).toBe(
      new Set(all.map(([name]) => name)).size,
    );
  });
});

describe("units that are too many for a legend", () => {
  test("are combined by facility if a sum of the smallest would be the largest", () => {
    const list = Object.fromEntries(
      Array.from({ length: 8 }, (_, plant) => [`P${plant} wind`, [0, 1, 2].map((unit) => `P${plant}U${unit}`)]),
    );
    const series = Object.values(list).flatMap((codes) =>
      codes.map((unit_code, index) => [{ unit_code }, [10 + index, 10]] as const),
    );
    const panel = onlyPanel(drawListed(list, createItem("power MW 5m", series)));
    expect(namesOf(panel)).toEqual(Object.keys(list).map((name) => `${name.split(" ")[0]} (3 units)`));
    expect(new Set(panel.series.map(({ colour }) => colour)).size).toBe(8);
  });

  test("are combined by fueltech if facilities are too many, too", () => {
    const list = Object.fromEntries(
      ["wind", "hydro", "coal_black"].flatMap((fuel) =>
        Array.from({ length: 20 }, (_, at) => [`${fuel}${at} ${fuel}`, [`${fuel}${at}`]] as const),
      ),
    );
    const series = Object.values(list).flatMap((codes) => codes.map((unit_code) => [{ unit_code }, [10, 10]] as const));
    expect(namesOf(onlyPanel(drawListed(list, createItem("power MW 5m", series)))).toSorted()).toEqual([
      "coal_black (20 units)",
      "hydro (20 units)",
      "wind (20 units)",
    ]);
  });
});

describe("names", () => {
  const build = (...items: readonly TimeSeries[]) => buildPicture(items, { zone: createZone("network") });

  test("are those that people say", () => {
    expect(namesOf(onlyPanel(build(createItem("power MW 5m", fuels(["coal_black", "solar_rooftop", "x"])))))).toEqual([
      "Black coal",
      "Rooftop solar",
      "x",
    ]);
    expect(namesOf(onlyPanel(build(createItem("price $/MWh 5m", regions))))).toEqual(["New South Wales", "Queensland"]);
    expect(build(createItem("price $/MWh 5m", [[{ region: "SA1" }, [1, 2]]])).title).toBe(
      "Price in South Australia ($/MWh)",
    );
  });

  test("of several labels have the region last, in short; what metrics have in common is in the title", () => {
    const both = [
      { region: "NSW1", fueltech: "wind" },
      { region: "VIC1", fueltech: "hydro" },
    ].map((labels) => [labels, [1, 2]] as const);
    expect(namesOf(onlyPanel(build(createItem("power MW 5m", both))))).toEqual(["Hydro, Vic", "Wind, NSW"]);
    const picture = build(
      createItem("curtailment_solar_utility MW 5m", regions),
      createItem("curtailment_wind MW 5m", regions),
    );
    expect(picture.title).toBe("Curtailment (solar utility and wind) by region (MW)");
    expect(picture.panels.map(namesOf)).toEqual([
      ["Solar utility", "Wind"],
      ["Solar utility", "Wind"],
    ]);
  });
});

describe("gaps", () => {
  test("a null is a gap", () => {
    expect([...(onlyPanel(draw(createItem("price $/MWh 5m", [[{}, [1, null, 3]]]))).series[0]?.values ?? [])]).toEqual([
      1,
      Number.NaN,
      3,
    ]);
  });

  test.each(["price $/MWh 5m", "power MW 5m"])("an interval without a point is a gap (%s)", (kind) => {
    const item = createItem(kind, [
      [{ fueltech: "wind" }, [1, 2, 3, 4, 5]],
      [{ fueltech: "hydro" }, [1, 2, 3, 4, 5]],
    ]);
    const series = item.series.map((one) => {
      const pick = <T>(list: readonly T[]) => [...list].filter((_, index) => index !== 2 && index !== 3);
      const { timestamps, instants, values } = one.points;
      return { ...one, points: { timestamps: pick(timestamps), instants: pick([...instants]), values: pick(values) } };
    });
    for (const { times, values } of onlyPanel(draw({ ...item, series })).series) {
      expect([...times].map((time) => (time - START) / 300_000)).toEqual([0, 1, 2, 4]);
      expect([...values]).toEqual([1, 2, Number.NaN, 5]);
    }
  });

  test("the series of a stack have the same times", () => {
    const item = createItem("power MW 5m", [
      [{ fueltech: "wind" }, [1, 2]],
      [{ fueltech: "hydro" }, [1, 2, 3]],
    ]);
    const panel = onlyPanel(draw(item));
    expect([...findSeries(panel, "wind").values]).toEqual([1, 2, Number.NaN]);
    expect(findSeries(panel, "wind").times).toEqual(findSeries(panel, "hydro").times);
  });
});

describe("below the axis", () => {
  test("charging, pumps and exports, which services send as positive numbers", () => {
    const picture = draw(
      createItem("power MW 5m", [
        [{ fueltech: "pumps" }, [5, 6]],
        [{ fueltech: "exports" }, [7, 8]],
        [{ fueltech: "imports" }, [3, 4]],
        [{ fueltech: "wind" }, [1, 2]],
      ]),
    );
    expect([...findSeries(onlyPanel(picture), "pumps").values]).toEqual([-5, -6]);
    expect([...findSeries(onlyPanel(picture), "exports").values]).toEqual([-7, -8]);
    expect([...findSeries(onlyPanel(picture), "imports").values]).toEqual([3, 4]);
    const flows = draw(
      createItem("flow_imports MW 5m", [[{}, [1, 2]]]),
      createItem("flow_exports MW 5m", [[{}, [3, 4]]]),
    );
    expect([...findSeries(onlyPanel(flows), "flow_exports").values]).toEqual([-3, -4]);
  });

  test("negative values stay there", () => {
    const picture = draw(
      createItem("power MW 5m", [
        [{ fueltech: "battery_charging" }, [-5, -6]],
        [{ fueltech: "wind" }, [1, 2]],
      ]),
    );
    expect([...findSeries(onlyPanel(picture), "battery_charging").values]).toEqual([-5, -6]);
    expect(picture.notes).toEqual([]);
  });

  test("emissions of charging are not a load", () => {
    const picture = draw(createItem("emissions t 1d", fuels(["battery_charging", "coal_black"])));
    expect([...findSeries(onlyPanel(picture), "battery_charging").values]).toEqual([1, 2]);
  });
});

describe("omitted series", () => {
  test.each(["fueltech", "fueltech_group"])("battery beside charging and discharging, by %s", (label) => {
    const three = draw(createItem("power MW 5m", fuels(["battery", "battery_charging", "battery_discharging"], label)));
    expect(namesOf(onlyPanel(three))).toEqual(["battery_discharging", "battery_charging"]);
    expect(three.notes).toContain("not drawn: battery, the net of charging and discharging");
    expect(
      namesOf(onlyPanel(draw(createItem("power MW 5m", fuels(["battery", "battery_charging"], label))))),
    ).toContain("battery");
  });

  /** A battery of three units beside two coal units. */
  const BATTERY = [
    [{ unit_code: "HPR1" }, [4.5, -30, 0.1]],
    [{ unit_code: "HPRG1" }, [4.5, 0, 10.3]],
    [{ unit_code: "HPRL1" }, [0, 30, 10.2]],
  ] as const;
  const COAL = [
    [{ unit_code: "BW01" }, [500, 600, 600]],
    [{ unit_code: "BW02" }, [700, 650, 700]],
  ] as const;
  const BATTERY_UNITS = {
    "HPR battery": ["HPR1"],
    "HPR battery_charging": ["HPRL1"],
    "HPR battery_discharging": ["HPRG1"],
  };

  test("a battery's net, known from the list: charging is below the axis, and the stack adds up to the data", () => {
    const list = { ...BATTERY_UNITS, "BAYSW coal_black": ["BW01", "BW02"] };
    const picture = drawListed(list, createItem("energy MWh 1d", [...BATTERY, ...COAL]));
    const panel = onlyPanel(picture);
    expect(panel.mark).toBe("column");
    expect(namesOf(panel)).toEqual(["BW02", "BW01", "HPRG1", "HPRL1"]);
    expect([...findSeries(panel, "HPRL1").values]).toEqual([-0, -30, -10.2]);
    expect(picture.notes).toContain("not drawn: HPR1, the net of charging and discharging");
    expect(panel.domain).toEqual([-30, 1310.3]);
  });

  test("units that are not in the list may be loads, or a battery's net: they are not stacked", () => {
    const picture = draw(createItem("energy MWh 1d", [...COAL, ...BATTERY]));
    const panel = onlyPanel(picture);
    expect([panel.mark, namesOf(panel)]).toEqual(["line", ["BW01", "BW02", "HPR1", "HPRG1", "HPRL1"]]);
    expect(picture.notes).toEqual(["not stacked: fueltechs of the units are unknown; 'ents list units' fetches them"]);
    expect(draw(createItem("price $/MWh 1d", COAL)).notes).toEqual([]);
  });

  test("the market value of charging is a cost, below the axis", () => {
    const triple = [
      [{ fueltech: "battery" }, [64_000, 1]],
      [{ fueltech: "battery_charging" }, [71_000, 1]],
      [{ fueltech: "battery_discharging" }, [135_000, 2]],
    ] as const;
    const panel = onlyPanel(draw(createItem("market_value $ 1d", triple)));
    expect([...findSeries(panel, "battery_charging").values].map(Math.sign)).toEqual([-1, -1]);
    const two = draw(createItem("energy MWh 1d", triple), createItem("market_value $ 1d", triple));
    const note = "not drawn: battery, the net of charging and discharging";
    expect(two.notes).toEqual([note]);
  });

  test("of shares and average prices, each series that has any is drawn: they do not add up", () => {
    const picture = draw(
      createItem("share % 1h", [
        [{ fueltech: "battery" }, [null, null]],
        [{ fueltech: "battery_charging" }, [null, null]],
        [{ fueltech: "battery_discharging" }, [2, 3]],
        [{ fueltech: "wind" }, [98, 97]],
      ]),
    );
    expect(namesOf(onlyPanel(picture))).toEqual(["battery_discharging", "wind"]);
    expect(picture.notes).toEqual([]);
  });

  test("the net of one battery stays if another one has charging and discharging", () => {
    const list = { "A battery": ["A1"], "B battery_charging": ["BL1"], "B battery_discharging": ["BG1"] };
    const series = ["A1", "BL1", "BG1"].map((unit_code, index) => [{ unit_code }, [index, 7]] as const);
    expect(namesOf(onlyPanel(drawListed(list, createItem("power MW 5m", series))))).toContain("A1");
  });

  const SOME_FUELS = [
    "coal_brown",
    "coal_black",
    "gas_steam",
    "gas_ccgt",
    "gas_ocgt",
    "gas_recip",
    "gas_wcmg",
    "hydro",
    "wind",
    "distillate",
    "nuclear",
    "solar_utility",
    "solar_rooftop",
  ];
  const WIND_FARM = { "FARM wind": Array.from({ length: 13 }, (_, index) => `U${index}`), "LOADS pumps": ["L0", "L1"] };
  test("charging and discharging of a battery stay together; those of the only one are always drawn", () => {
    const battery = [
      [{ fueltech: "battery_charging" }, [20, 20]],
      [{ fueltech: "battery_discharging" }, [0.1, 0.1]],
    ] as const;
    const others = (most: number) =>
      fuels(SOME_FUELS).map(([labels], index) => [labels, [most + index, most]] as const);
    const drawn = (most: number) => namesOf(onlyPanel(draw(createItem("power MW 5m", [...battery, ...others(most)]))));
    expect(drawn(1)).toEqual(expect.arrayContaining(["battery_charging", "battery_discharging"]));
    expect(drawn(1)).toHaveLength(12);
    // All are drawn: the sum of some would be the largest.
    expect(drawn(30)).toHaveLength(15);
    expect(drawn(30)).toEqual(expect.arrayContaining(["battery_charging", "battery_discharging"]));
    const ofUnits = [1, 2].flatMap((plant) => [
      [{ unit_code: `G${plant}` }, [plant, plant]] as const,
      [{ unit_code: `C${plant}` }, [8 * plant, 8 * plant]] as const,
    ]);
    const list = {
      "A battery_discharging": ["G1"],
      "A battery_charging": ["C1"],
      "B battery_discharging": ["G2"],
      "B battery_charging": ["C2"],
    };
    const wind = Array.from({ length: 9 }, (_, index) => [{ unit_code: `U${index}` }, [10 + index, 10]] as const);
    const names = namesOf(
      onlyPanel(drawListed({ ...list, ...WIND_FARM }, createItem("power MW 5m", [...ofUnits, ...wind]))),
    );
    expect(names).toHaveLength(12);
    expect(names).toEqual(expect.arrayContaining(["G2", "C2", "2 others", "1 others below zero"]));
    expect(names).not.toEqual(expect.arrayContaining(["G1"]));
    expect(names).not.toEqual(expect.arrayContaining(["C1"]));
  });

  test("in a stack, entries below the axis are not combined with those above it", () => {
    const loads = (count: number) =>
      Array.from({ length: count }, (_, index) => [{ unit_code: `L${index}` }, [-0.1, -0.2]] as const);
    const [one, two] = [1, 2].map((count) =>
      namesOf(onlyPanel(drawListed(WIND_FARM, createItem("power MW 5m", [...units(13), ...loads(count)])))),
    );
    expect(one).toEqual(expect.arrayContaining(["L0", "3 others"]));
    expect(one).toHaveLength(12);
    expect(two).toEqual(expect.arrayContaining(["2 others below zero", "3 others"]));
    expect(two).toHaveLength(12);
  });
});

test("figures: the last value, the mean, the share of what is above the axis", () => {
  const item = createItem("power MW 5m", [
    [{ fueltech: "battery_charging" }, [10, 30]],
    [{ fueltech: "coal_black" }, [100, 200]],
    [{ fueltech: "wind" }, [100, null]],
  ]);
  const panel = onlyPanel(draw(item));
  expect(findSeries(panel, "coal_black").figures).toEqual({ last: 200, mean: 150, share: 0.75 });
  expect(findSeries(panel, "wind").figures).toEqual({ last: 100, mean: 100, share: 0.25 });
  expect(findSeries(panel, "battery_charging").figures).toEqual({ last: -30, mean: -20, share: -0.1 });
  expect(onlyPanel(draw(createItem("price $/MWh 5m", [[{}, [10, 20]]]))).series[0]?.figures).toEqual({
    last: 20,
    mean: 15,
  });
});

describe("colours", () => {
  test("every fueltech, group and region has one, and its place in the stack", () => {
    const codes = [...FUELTECHS, ...FUELTECH_GROUPS, ...Object.keys(EMPTY_GROUPS)];
    expect(Object.keys(FUELTECH_COLOURS)).toEqual(expect.arrayContaining(codes));
    expect(Object.keys(REGION_COLOURS)).toEqual(
      expect.arrayContaining(Object.values(NETWORKS).flatMap(({ regions: all }) => [...all])),
    );
    const panel = onlyPanel(
      draw(createItem("power MW 5m", fuels(["battery_charging", "wind", "coal_black", "solar_rooftop"]))),
    );
    expect(panel.series.map(({ name, colour }) => [name, colour])).toEqual([
      ["coal_black", "#121212"],
      ["wind", "#2c7629"],
      ["solar_rooftop", "#fff58d"],
      ["battery_charging", "#a18ceb"],
    ]);
  });

  test("renewable or not has names and colours of its own", () => {
    const panel = onlyPanel(
      draw(
        createItem(
          "power MW 5m",
          [false, true].map((renewable) => [{ renewable }, [1, 2]] as const),
        ),
      ),
    );
    expect(panel.series.map(({ name, colour }) => [name, colour])).toEqual([
      ["not renewable", "#594929"],
      ["renewable", "#52a972"],
    ]);
  });

  test("a fueltech in two regions has two shades", () => {
    const series = ["NSW1", "VIC1", "QLD1"].flatMap((region) =>
      ["coal", "wind"].map((fueltech_group) => [{ region, fueltech_group }, [1, 2]] as const),
    );
    const colours = onlyPanel(draw(createItem("power MW 5m", series))).series.map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(6);
  });

  test("a unit keeps its colour beside others, and no two share one", () => {
    const of = (panel: Panel, name: string) => findSeries(panel, name).colour;
    const eight = onlyPanel(draw(createItem("power MW 5m", units(8))));
    expect(new Set(eight.series.map(({ colour }) => colour)).size).toBe(8);
    expect(of(eight, "U0")).toBe(of(onlyPanel(draw(createItem("power MW 5m", units(2)))), "U0"));
  });
});

describe("words", () => {
  const series = ["coal_black", "wind"].map((fueltech) => [{ region: "NSW1", fueltech }, [1, 2]] as const);

  test("the title names the metric, the labels and what never changes", () => {
    expect(draw(createItem("power MW 5m", series)).title).toBe("Power in NSW1, by fueltech (MW)");
    expect(draw(createItem("price $/MWh 5m", regions), createItem("demand MW 5m", regions)).title).toBe(
      "Price and demand by region",
    );
  });

  describe("filters of the query", () => {
    const titleOf = (
      kind: string,
      labels: typeof series | readonly [readonly [Record<string, string>, readonly number[]]],
      filters: Record<string, readonly string[]>,
    ) => {
      const parameters = Object.entries(filters).map(([name, values]) => ({ name, values }));
      return buildPicture([createItem(kind, labels)], { zone: createZone("network"), query: { ...QUERY, parameters } })
        .title;
    };

    test.each([
      [{ unit_code: ["BW01"] }, "Power of BW01 (MW)"],
      [{ facility_code: ["A", "B", "C", "D", "E"] }, "Power of 5 facilities (MW)"],
      [{ network_region: ["NSW1"], fueltech_group: ["coal"], interval: ["5m"] }, "Coal power in New South Wales (MW)"],
    ])("%j is in the title", (filters, title) => {
      expect(titleOf("power MW 5m", [[{}, [1, 2]]], filters)).toBe(title);
    });

    test("it is not repeated, and not in the title if a legend shows it", () => {
      const filters = { network_region: ["NSW1"], fueltech: ["coal_black", "wind"] };
      expect(titleOf("power MW 5m", series, filters)).toBe("Power in New South Wales, by fuel technology (MW)");
    });
  });

  test("the subtitle says that data are synthetic", () => {
    const picture = buildPicture([createItem("power MW 5m", series)], {
      zone: createZone("network"),
      isSynthetic: true,
    });
    expect(picture.subtitle).toMatch(/^NEM, .*, synthetic data$/);
  });

  test("a year is its number, as in a table", () => {
    expect(draw(createItem("energy MWh 1y", [[{}, [1]]])).subtitle).toMatch(/^NEM, 2025, yearly, /);
  });

  test.each([
    ["power MW 5m", 2, "1 Feb 2025 00:00 to 00:05, every 5 minutes"],
    ["power MW 5m", 1, "1 Feb 2025 00:00, every 5 minutes"],
    ["power MW 5m", 289, "1 Feb 2025 00:00 to 2 Feb 2025 00:00, every 5 minutes"],
    ["power MW 1h", 24, "1 Feb 2025, hourly"],
    ["power MW 1h", 72, "1 to 3 Feb 2025, hourly"],
    ["energy MWh 1d", 2, "1 to 2 Feb 2025, daily"],
    ["energy MWh 1d", 31, "1 Feb to 3 Mar 2025, daily"],
    ["energy MWh 1d", 365, "1 Feb 2025 to 31 Jan 2026, daily"],
    ["energy MWh 1M", 1, "Jan 2025, monthly"],
    ["energy MWh 1M", 12, "Jan to Dec 2025, monthly"],
    ["energy MWh 1M", 13, "Jan 2025 to Jan 2026, monthly"],
    ["energy MWh season", 5, "autumn 2025 to autumn 2026, by season"],
    ["energy MWh 1y", 3, "2025 to 2027, yearly"],
    ["energy MWh fy", 2, "FY2024 to FY2025, by financial year"],
  ])("the subtitle names network, period, interval and zone: %s, %i intervals", (kind, count, period) => {
    const points = Array.from({ length: count }, () => 1);
    expect(draw(createItem(kind, [[{}, points]])).subtitle).toBe(`NEM, ${period}, UTC+10:00`);
  });

  test("the subtitle names another zone, and times in it", () => {
    const sydney = buildPicture([createItem("power MW 5m", series)], { zone: createZone("Australia/Sydney") });
    expect(sydney.subtitle).toBe("NEM, 1 Feb 2025 01:00 to 01:05, every 5 minutes, Australia/Sydney time");
  });
});

test("any response gives a picture: drawn values are inside the domains, in order of time, and named", () => {
  fc.assert(
    fc.property(answers, (items) => {
      const { panels, time, ...words } = draw(...readBody(toBody(items)));
      expect(time.domain[0]).toBeLessThan(time.domain[1]);
      for (const panel of panels) {
        expect(panel.domain[0]).toBeLessThan(panel.domain[1]);
        expect(panel.series.length).toBeLessThanOrEqual(20);
        expect(new Set(namesOf(panel)).size).toBe(panel.series.length);
        for (const { times, values } of panel.series) {
          expect(values).toHaveLength(times.length);
          expect(
            times.every((at, index) => at >= (times[index - 1] ?? at) && at >= time.domain[0] && at <= time.domain[1]),
          ).toBe(true);
          expect(
            values.every((value) => Number.isNaN(value) || (value >= panel.domain[0] && value <= panel.domain[1])),
          ).toBe(true);
        }
      }
      const texts = [
        words.title,
        words.subtitle,
        ...words.notes,
        ...words.remarks,
        ...panels.flatMap((panel) => [panel.title, panel.unit, ...namesOf(panel)]),
      ];
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(texts.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028]/);
    }),
    { numRuns: draws(100, 1000) },
  );
});

describe("what an analysis adds", () => {
  const price = createItem("price $/MWh 1h", [[{ region: "SA1" }, [10, 500, null, 20, 1e300]]]);
  const drawAnalysed = (analysis: AnalysisResult, item = price) => buildPicture([item], { ...SUBJECT, analysis });

  test("picked points are marked on the whole line, if they can be drawn", () => {
    const picked = pickRows([price], { metric: "price", above: 300, below: undefined });
    const picture = drawAnalysed({ picked, about: "marked: 2 values above 300" });
    const [line] = onlyPanel(picture).series;
    expect(line?.times.length).toBeGreaterThanOrEqual(5);
    expect([...(line?.picked?.values ?? [])]).toEqual([500]);
    expect(line?.picked?.times[0]).toBe(START + HOUR);
    expect(picture.remarks).toEqual(["marked: 2 values above 300"]);
  });

  test.each([
    ["day", ["00:00", "06:00", "12:00", "18:00"], "Average day"],
    ["week", ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], "Average week"],
    ["year", ["Jan", "Apr", "Jul", "Oct"], "Average year"],
    ["share", ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"], "Duration curve"],
  ] as const)("an axis in place of the time: %s", (axis, names, title) => {
    const length = { day: 24 * HOUR, week: 7 * 24 * HOUR, year: 366 * 24 * HOUR, share: 100 }[axis];
    const instants = Array.from({ length: 24 }, (_, index) => (index * length) / 24);
    const points = { instants, timestamps: instants.map(String), values: instants.map((_, index) => String(index)) };
    const item = { ...price, series: price.series.map((series) => ({ ...series, points })) };
    const picture = drawAnalysed({ axis, about: "mean of what was" }, item);
    expect(picture.title).toBe(`${title} of price in SA1 ($/MWh)`);
    expect(picture.subtitle).toBe("NEM, mean of what was, hourly");
    expect(listTimeTicks(picture.time, axis === "week" ? 7 : axis === "share" ? 6 : 4).map(({ text }) => text)).toEqual(
      names,
    );
    expect(listLegendFigures(onlyPanel(picture))).toEqual(["mean"]);
  });
});
