/** A table of series: which columns it has, and what moves to the footer. */
import { describe, expect, test } from "vitest";
import type { FormatOptions } from "../../src/format/format.ts";
import { type PrintOptions, printSeries } from "../../src/format/print.ts";
import { TERMINAL } from "./encode.ts";
import { readBody } from "./generators.ts";

interface Sketch {
  readonly metric?: string;
  readonly unit?: string;
  readonly network?: string;
  readonly interval?: string;
  /** Each with its points: hours after 2026-11-14T00:00+10:00, and values. */
  readonly series: readonly (readonly [labels: object, points: Readonly<Record<number, number | null>>])[];
}

const timestampOf = (hour: number) => `${new Date(Date.UTC(2026, 10, 14, hour)).toISOString().slice(0, 19)}+10:00`;

function bodyOf(items: readonly Sketch[]): string {
  const data = items.map(({ metric = "power", unit = "MW", network = "NEM", interval = "1h", series }) => ({
    network_code: network,
    metric,
    unit,
    interval,
    results: series.map(([columns, points]) => ({
      name: "x",
      columns,
      data: Object.entries(points).map(([hour, value]) => [timestampOf(Number(hour)), value]),
    })),
  }));
  return JSON.stringify({ version: "4", created_at: timestampOf(0), success: true, data });
}

async function print(items: readonly Sketch[], options: Partial<PrintOptions> = {}): Promise<string[]> {
  const timeSeries = readBody(bodyOf(items));
  async function* chunks() {
    yield { heads: [], timeSeries };
  }
  const metrics = [...new Set(items.map(({ metric = "power" }) => metric))];
  let text = "";
  for await (const part of printSeries(chunks(), { format: "table", metrics, rawNames: true, ...options }))
    text += Buffer.from(part).toString("utf8");
  return text.slice(0, -1).split("\n");
}

/** A terminal with this many columns, and room for all rows. */
const wide = (columns: number): Pick<FormatOptions, "screen"> => ({ screen: { ...TERMINAL, columns, rows: 200 } });

const regions = ["NSW1", "QLD1", "SA1"];
const byRegion = regions.map((region, index) => [{ region }, { 18: 1000.5 * (index + 1), 19: -index }] as const);
/** A point an hour. */
const hourly = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, hour) => [hour, 1]));
const FOOTER = "UTC+10:00, interval 1h";

describe("one metric with one label", () => {
  test("has a column for each of its values; a title says what they are", async () => {
    expect(await print([{ series: byRegion }])).toEqual([
      "power (MW)           NSW1     QLD1      SA1",
      "----------------  -------  -------  -------",
      "2026-11-14 18:00  1,000.5  2,001.0  3,001.5",
      "2026-11-14 19:00      0.0     -1.0     -2.0",
      "",
      `2 rows, 2026-11-14 18:00 to 2026-11-14 19:00, ${FOOTER}`,
      "network NEM, by region",
    ]);
    expect((await print([{ metric: "generation_renewable", series: byRegion }])).slice(0, 2)).toEqual([
      "generation_renewable (MW)",
      "timestamp            NSW1     QLD1      SA1",
    ]);
  });

  test("on a terminal, if all rows fit; otherwise a row for each, the newest intervals and a total", async () => {
    expect((await print([{ series: byRegion }], wide(43)))[0]).toBe("power (MW)           NSW1     QLD1      SA1");
    expect(await print([{ series: byRegion }], wide(42))).toEqual([
      "power (MW)",
      "region  14 Nov 18:00  19:00",
      "------  ------------  -----",
      "NSW1         1,000.5    0.0",
      "QLD1         2,001.0   -1.0",
      "SA1          3,001.5   -2.0",
      "total        6,003.0   -3.0",
      "",
      "UTC+10:00, interval 1h, network NEM,",
      "14 Nov 2026 18:00 to 19:00, by region",
    ]);
  });

  test("has the layout that fits all rows, though the rows that are shown would fit another", async () => {
    const spiky = regions.map(
      (region) =>
        [
          { region },
          Object.fromEntries(Array.from({ length: 60 }, (_, hour) => [hour, hour === 30 ? 999_999 : 1])),
        ] as const,
    );
    const screen = { screen: { ...TERMINAL, columns: 40, rows: 14 } };
    const [all, limited] = [
      await print([{ series: spiky }], screen),
      await print([{ series: spiky }], { ...screen, limit: 2 }),
    ];
    expect(all.slice(0, 2)).toEqual(["power (MW)", expect.stringMatching(/^region +\d+ Nov \d\d:00 +\d\d:00/)]);
    expect(limited.slice(0, 2)).toEqual(all.slice(0, 2));
    expect(limited.slice(3, 7).map((line) => line.split(" ")[0])).toEqual(["NSW1", "QLD1", "1", "total"]);
  });

  test("where rows must go, a coarser interval or a chart shows a whole day or more", async () => {
    const cut = async (count: number, rows = 14) => {
      const lines = await print([{ series: [[{ region: "NSW1" }, hourly(count)]] }], {
        screen: { ...TERMINAL, columns: 100, rows },
      });
      return lines.at(-1)?.replace("network NEM, region NSW1, ", "");
    };
    expect(await cut(20)).toBe("--limit 0 shows all rows");
    expect(await cut(24)).toBe("-f chart shows the whole day, --limit 0 shows all rows");
    expect(await cut(240, 20)).toBe("-i 1d shows the whole window, --limit 0 shows all rows");
  });

  test("a label that has one value is named below it, too; columns of one metric have one unit", async () => {
    const series = ["wind", "hydro"].map(
      (fueltech, index) => [{ region: "NSW1", fueltech }, { 1: 5e7 / 100 ** index }] as const,
    );
    const energy = { metric: "energy", unit: "MWh", series };
    expect((await print([energy], { rawNames: false })).at(-1)).toBe(
      "network NEM, region New South Wales, by fueltech",
    );
    const [titles] = await print([energy, { ...energy, metric: "emissions", unit: "t" }], {
      pivot: "fueltech",
      ...wide(200),
    });
    expect(titles?.match(/\(\w+\)/g)).toEqual(["(GWh)", "(GWh)", "(kt)", "(kt)"]);
  });

  test("says which unit of a battery is the net", async () => {
    const fuels = { HPR1: "battery", HPRG1: "battery_discharging", HPRL1: "battery_charging" };
    const units = new Map(Object.entries(fuels).map(([code, fueltech]) => [code, { facility: "HPR", fueltech }]));
    const series = (codes: readonly string[]) => [
      { series: codes.map((unit_code) => [{ unit_code }, hourly(2)] as const) },
    ];
    expect((await print(series(Object.keys(fuels)), { units })).at(-1)).toBe("HPR1 is the net of HPRG1 and HPRL1");
    expect((await print(series(["HPR1", "HPRG1"]), { units })).at(-1)).toBe("network NEM, by unit_code");
  });

  test("in a file, has all rows, in the layout that fits a page", async () => {
    const units = (count: number, hours: number) => {
      const points = Object.fromEntries(Array.from({ length: hours }, (_, hour) => [hour, 1000]));
      return [{ series: Array.from({ length: count }, (_, index) => [{ unit_code: `U${index}` }, points] as const) }];
    };
    expect((await print(units(8, 20)))[0]).toMatch(/^power \(MW\) +U0 +U1/);
    expect((await print(units(20, 5)))[1]).toBe("unit_code  14 Nov 00:00  01:00  02:00  03:00  04:00");
    expect((await print(units(20, 20)))[0]).toBe("timestamp         unit_code  power (MW)");
  });

  test("is as the user asks", async () => {
    expect((await print([{ series: byRegion }], { shape: "wide" }))[0]).toBe("timestamp         region  power (MW)");
    expect((await print([{ series: byRegion }], { shape: "long" })).at(-1)).toBe("network NEM, metric power, unit MW");
    const two = [{ series: byRegion }, { metric: "price", unit: "$/MWh", series: byRegion }];
    expect((await print(two, { shape: "wide" }))[0]).toBe("timestamp         region  power (MW)  price ($/MWh)");
    expect((await print(two, { pivot: "region" }))[0]).toMatch(/power_NSW1 \(MW\).*price_SA1 \(\$\/MWh\)$/);
    expect((await print([{ series: byRegion }], { pivot: "region", ...wide(27) })).slice(0, 4)).toEqual([
      "timestamp  2026-11-14 18:00",
      "NSW1 (MW)  1,000.5",
      "QLD1 (MW)  2,001",
      "SA1 (MW)   3,001.5",
    ]);
  });

  test("may be missing from a series, or have gaps, nulls and two values at once", async () => {
    const series = [
      [{}, { 18: 5 }],
      [{ region: "NSW1" }, { 18: 7, 20: null }],
      [{ region: "NSW1" }, { 18: 8 }],
    ] as const;
    const lines = await print([{ series }]);
    expect(lines.slice(0, 7)).toEqual([
      "power (MW)        (none)  NSW1",
      "----------------  ------  ----",
      "2026-11-14 18:00       5     7",
      "2026-11-14 18:00       –     8",
      "2026-11-14 20:00       –     –",
      "",
      `3 rows, 2026-11-14 18:00 to 2026-11-14 20:00, ${FOOTER}`,
    ]);
    // No column can hold both.
    expect((await print([{ series }], wide(29)))[0]).toMatch(/^timestamp +2026-11-14 18:00$/);
  });

  test("and the end of each interval", async () => {
    const series = [
      [{ region: "NSW1" }, { 0: 1, 24: 2 }],
      [{ region: "VIC1" }, { 0: 1 }],
    ] as const;
    expect((await print([{ interval: "1d", series }], { intervalEnd: true })).slice(0, 5)).toEqual([
      "power (MW)",
      "timestamp   interval_end  NSW1  VIC1",
      "----------  ------------  ----  ----",
      "2026-11-14  2026-11-15       1     1",
      "2026-11-15  2026-11-16       2     –",
    ]);
  });
});

describe("several metrics", () => {
  const two = [{ series: byRegion }, { metric: "price", unit: "$/MWh", series: byRegion }];
  test("with a label stand one below the other, under the same headings; prices have no total", async () => {
    expect((await print(two, wide(80))).slice(0, 8)).toEqual([
      "timestamp            NSW1     QLD1      SA1",
      "----------------  -------  -------  -------",
      "power (MW)",
      "2026-11-14 18:00  1,000.5  2,001.0  3,001.5",
      "2026-11-14 19:00      0.0     -1.0     -2.0",
      "price ($/MWh)",
      "2026-11-14 18:00  1,000.5  2,001.0  3,001.5",
      "2026-11-14 19:00      0.0     -1.0     -2.0",
    ]);
    expect((await print(two, wide(42))).slice(0, 11)).toEqual([
      "region  14 Nov 18:00  19:00",
      "------  ------------  -----",
      "power (MW)",
      "NSW1         1,000.5    0.0",
      "QLD1         2,001.0   -1.0",
      "SA1          3,001.5   -2.0",
      "total        6,003.0   -3.0",
      "price ($/MWh)",
      "NSW1         1,000.5    0.0",
      "QLD1         2,001.0   -1.0",
      "SA1          3,001.5   -2.0",
    ]);
  });
});

describe("a transposed table", () => {
  const fuels = (values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([fueltech, value]) => [{ fueltech }, { 18: value }] as const);
  const column = (lines: readonly string[]) => lines.slice(2, lines.indexOf("")).map((line) => line.split(/ {2,}/));

  test("has fueltechs from coal to batteries, and counts a battery once and a load as one", async () => {
    const lines = await print(
      [
        {
          series: fuels({
            battery: 30,
            battery_charging: 20,
            battery_discharging: 50,
            coal_black: 900,
            pumps: 7,
            wind: 100,
          }),
        },
      ],
      wide(40),
    );
    expect(column(lines)).toEqual([
      ["coal_black", "900"],
      ["pumps", "7"],
      ["wind", "100"],
      ["battery_discharging", "50"],
      ["battery_charging", "20"],
      ["battery", "30"],
      ["total", "1,023"],
    ]);
    expect(lines.join(" ")).toMatch(/each\sbattery\sis\sin\sthe\stotal\sonce,\s+loads are subtracted/);
  });

  test("subtracts charging where no net is there", async () => {
    const lines = await print(
      [{ series: fuels({ battery_charging: 20, battery_discharging: 50, gas_ccgt: 1 }) }],
      wide(40),
    );
    expect(column(lines).at(-1)).toEqual(["total", "31"]);
  });

  test("has units by size, and adds up those that are left out", async () => {
    const series = [10, 500, 30, 2000].map(
      (value, index) => [{ unit_code: `LONG_UNIT_CODE_${index}` }, { 18: value }] as const,
    );
    const codes = series.map(([{ unit_code }]) => unit_code);
    const units = new Map(codes.map((code) => [code, { facility: code, fueltech: "wind" }]));
    const lines = await print([{ series }], { ...wide(40), limit: 2, units });
    expect(column(lines)).toEqual([
      ["LONG_UNIT_CODE_3", "2,000"],
      ["LONG_UNIT_CODE_1", "500"],
      ["2 more", "40"],
      ["total", "2,540"],
    ]);
    expect(lines.join(" ")).toContain("by unit_code");
    const unlisted = await print([{ series }], { ...wide(40), limit: 2 });
    expect(column(unlisted).at(-1)).toEqual(["2 more", "..."]);
    expect(unlisted.join(" ")).toContain(
      "no total: fueltechs of the units are unknown; 'ents list units' fetches them",
    );
  });

  test("of many digits has one larger unit, said above", async () => {
    const lines = await print(
      [{ metric: "energy", unit: "MWh", series: fuels({ coal_black: 12_345_678.9, wind: 34_567 }) }],
      wide(24),
    );
    expect(column(lines)[1]).toEqual(["coal_black", "12,345.68"]);
    expect(lines[0]).toBe("energy (GWh)");
    const money = await print([
      { metric: "market_value", unit: "$", series: [[{}, { 18: 12_345_678.9, 19: 4_000_000 }]] },
    ]);
    expect(money.slice(0, 4)).toEqual([
      "timestamp         market_value ($m)",
      "----------------  -----------------",
      "2026-11-14 18:00              12.35",
      "2026-11-14 19:00               4.00",
    ]);
  });

  test("marks an interval that is not complete, and says why below", async () => {
    const partial = [{ starts: [Date.UTC(2026, 10, 14, 19)], text: "14 November is partial", why: "partial" }];
    const lines = await print([{ series: byRegion }], { ...wide(42), partial });
    expect(lines[1]).toBe("region  14 Nov 18:00  19:00*");
    expect(lines.at(-1)).toBe("* partial");
    const pivoted = await print([{ series: byRegion }], { partial });
    expect(pivoted.slice(2, 4).map((line) => line.slice(0, 18))).toEqual(["2026-11-14 18:00  ", "2026-11-14 19:00* "]);
    expect(
      (
        await print([{ series: byRegion }], {
          partial: [{ ...partial[0], starts: [Date.UTC(2026, 10, 14, 23)] }] as typeof partial,
        })
      ).at(-1),
    ).not.toContain("partial");
  });
});

describe("columns that never change", () => {
  test("move to the footer, with what has no value", async () => {
    const series = [[{ region: "NSW1", renewable: true, status: null }, { 18: 1 }]] as const;
    expect(await print([{ series }])).toEqual([
      "timestamp         power (MW)",
      "----------------  ----------",
      "2026-11-14 18:00           1",
      "",
      `1 row, 2026-11-14 18:00, ${FOOTER}`,
      "network NEM, region NSW1, renewable true, status (none)",
    ]);
  });

  test("the footer names the zone, but neither zone nor interval if there are several", async () => {
    const nem = { series: [[{}, { 18: 1 }]] } as const;
    const zoneOf = async (items: Sketch[], timeZone?: string) =>
      (await print(items, timeZone === undefined ? {} : { timeZone })).at(-2);
    expect(await zoneOf([nem])).toBe(`1 row, 2026-11-14 18:00, ${FOOTER}`);
    expect(await zoneOf([nem], "UTC")).toBe("1 row, 2026-11-14 08:00, UTC, interval 1h");
    expect(await zoneOf([nem], "Australia/Sydney")).toBe("1 row, 2026-11-14 19:00, Australia/Sydney, interval 1h");
    const mixed = await print([nem, { network: "WEM", interval: "5m", series: [[{}, { 18: 1 }]] }]);
    expect(mixed.slice(2, 4)).toEqual([
      "2026-11-14 18:00  NEM               1",
      "2026-11-14 16:00  WEM               1",
    ]);
    expect(mixed.at(-1)).toMatch(/^2 rows, .*, network time$/);
  });

  test("wraps at the width, between items", async () => {
    const labels = Object.fromEntries(["a", "b", "c"].map((name) => [name, name.repeat(20)]));
    expect((await print([{ series: [[labels, { 18: 1 }]] }], wide(30))).slice(4)).toEqual([
      "1 row, 2026-11-14 18:00,",
      "UTC+10:00, interval 1h",
      "network NEM,",
      `a ${"a".repeat(20)},`,
      `b ${"b".repeat(20)},`,
      `c ${"c".repeat(20)}`,
    ]);
  });
});

describe("labels that others imply", () => {
  const fueltechs = { coal_black: "coal", coal_brown: "coal", wind: "wind" };
  const series = Object.entries(fueltechs).map(
    ([fueltech, fueltech_group]) => [{ fueltech, fueltech_group }, { 18: 1 }] as const,
  );

  test("are dropped if the table does not fit, and reported", async () => {
    expect((await print([{ series }], wide(80)))[1]).toBe("fueltech    fueltech_group  14 Nov 18:00");
    expect((await print([{ series }], { ...wide(80), shape: "wide" }))[0]).toBe(
      "timestamp         fueltech    fueltech_group  power (MW)",
    );
    const narrow = await print([{ series }], { ...wide(45), shape: "wide" });
    expect(narrow[0]).toBe("timestamp         fueltech    power");
    expect(narrow.at(-1)).toBe("hidden (terminal too narrow): fueltech_group");
    const transposed = await print([{ series }], wide(39));
    expect(transposed[0]).toBe("power (MW)  14 Nov 18:00");
    expect(transposed.slice(-2).join(" ")).toContain("hidden (terminal too narrow): fueltech_group");
  });

  test("before it becomes records, which show everything", async () => {
    const records = await print([{ series }], { ...wide(32), shape: "wide" });
    expect(records.slice(0, 5)).toEqual([
      "timestamp       2026-11-14 18:00",
      "fueltech        coal_black",
      "fueltech_group  coal",
      "power (MW)      1",
      "",
    ]);
    expect(records.join("\n")).not.toContain("hidden");
  });

  test("are never those that distinguish rows, nor metrics", async () => {
    const both = ["NSW1", "VIC1"].flatMap((region) =>
      ["coal", "wind"].map((fueltech) => [{ region, fueltech }, { 18: 1 }] as const),
    );
    for (let columns = 12; columns < 80; columns++) {
      const text = (
        await print([{ series: both }, { metric: "emissions", unit: "t", series: both }], wide(columns))
      ).join("\n");
      for (const name of ["region", "fueltech", "power", "emissions", "NSW1", "wind"]) expect(text).toContain(name);
      expect(text).not.toMatch(/hidden|~/);
    }
  });
});

test("a table that is cut has the same decimals above and below the cut", async () => {
  const points = Object.fromEntries(Array.from({ length: 100 }, (_, hour) => [hour, hour === 99 ? 0.125 : hour]));
  expect((await print([{ series: [[{}, points]] }], { limit: 2 })).slice(0, 7)).toEqual([
    "timestamp         power (MW)",
    "----------------  ----------",
    "2026-11-14 00:00        0.00",
    "...                      ...",
    "2026-11-18 03:00        0.13",
    "",
    `2 of 100 rows, 2026-11-14 00:00 to 2026-11-18 03:00, ${FOOTER}`,
  ]);
});

test("no control character of a name goes to the terminal raw, in any layout", async () => {
  const odd = "\u001b[31m";
  const series = [1, 2, 3].map((value) => [{ [`label${odd}`]: `${value}${odd}` }, { 18: value, 19: value }] as const);
  const item = { metric: `power${odd}`, unit: `MW${odd}`, series };
  for (const options of [
    wide(80),
    wide(30),
    wide(50),
    { ...wide(80), shape: "wide" as const },
    { pivot: `label${odd}` },
  ]) {
    const text = (await print([item], options)).join("");
    expect(text).toContain("power\\u001b[31m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
    expect(text).not.toMatch(/\u001b/);
  }
});

test("without series, only the titles", async () => {
  expect(await print([{ series: [] }])).toEqual([
    "timestamp  network  power (MW)",
    "---------  -------  ----------",
    "",
    "0 rows",
  ]);
});

describe("codes", () => {
  const names = { rawNames: false };

  test("have names: in full if they fit, else short, else the codes", async () => {
    const headings = async (columns: number) =>
      (await print([{ series: byRegion }], { ...names, ...wide(columns) }))[0]?.replaceAll(/ {2,}/g, "|");
    expect(await headings(70)).toBe("power (MW)|New South Wales|Queensland|South Australia");
    expect(await headings(43)).toBe("power (MW)|NSW|Qld|SA");
    const fuels = ["gas_recip", "aggregator_vpp"].map((fueltech) => [{ fueltech }, { 18: 1, 19: 2 }] as const);
    expect((await print([{ series: fuels }], { ...names, ...wide(52) }))[0]).toMatch(/gas_recip +aggregator_vpp$/);
    expect((await print([{ series: fuels }], { ...names, ...wide(60) }))[0]).toMatch(
      /Gas \(reciprocating\) +Virtual power plants$/,
    );
  });

  test("have names in rows, in a pivot and below the table", async () => {
    const two = ["NSW1", "X1"].flatMap((region) =>
      ["wind", "x_fuel"].map(
        (fueltech) =>
          [
            { region, fueltech },
            { 18: 1, 19: 2 },
          ] as const,
      ),
    );
    const lines = await print([{ series: two }], { ...names, shape: "wide", ...wide(80) });
    expect(lines.slice(2, 6).map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
      ["New South Wales", "Wind"],
      ["New South Wales", "x_fuel"],
      ["X1", "Wind"],
      ["X1", "x_fuel"],
    ]);
    expect((await print([{ series: byRegion }], { ...names, pivot: "region", ...wide(80) }))[0]).toMatch(
      /New South Wales \(MW\) +Queensland \(MW\)/,
    );
    expect((await print([{ series: [[{ renewable: true }, { 18: 1 }]] }], names)).join("\n")).toContain(
      "renewable Renewable",
    );
  });
});
