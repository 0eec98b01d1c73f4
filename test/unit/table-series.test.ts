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

const stampOf = (hour: number) => `${new Date(Date.UTC(2026, 10, 14, hour)).toISOString().slice(0, 19)}+10:00`;

function bodyOf(items: readonly Sketch[]): string {
  const data = items.map(({ metric = "power", unit = "MW", network = "NEM", interval = "1h", series }) => ({
    network_code: network,
    metric,
    unit,
    interval,
    results: series.map(([columns, points]) => ({
      name: "x",
      columns,
      data: Object.entries(points).map(([hour, value]) => [stampOf(Number(hour)), value]),
    })),
  }));
  return JSON.stringify({ version: "4", created_at: stampOf(0), success: true, data });
}

async function print(items: readonly Sketch[], options: Partial<PrintOptions> = {}): Promise<string[]> {
  const timeSeries = readBody(bodyOf(items));
  async function* chunks() {
    yield { heads: [], timeSeries };
  }
  const metrics = [...new Set(items.map(({ metric = "power" }) => metric))];
  let text = "";
  for await (const part of printSeries(chunks(), { format: "table", metrics, ...options })) text += Buffer.from(part).toString("utf8");
  return text.slice(0, -1).split("\n");
}

/** A terminal with this many columns, and room for all rows. */
const wide = (columns: number): Pick<FormatOptions, "screen"> => ({ screen: { ...TERMINAL, columns, rows: 200 } });

const regions = ["NSW1", "QLD1", "SA1"];
const byRegion = regions.map((region, index) => [{ region }, { 18: 1000.5 * (index + 1), 19: -index }] as const);
const FOOTER = "UTC+10:00, interval 1h";

describe("one metric with one label", () => {
  test("has a column for each of its values", async () => {
    expect(await print([{ series: byRegion }])).toEqual([
      "timestamp         NSW1 (MW)  QLD1 (MW)  SA1 (MW)",
      "----------------  ---------  ---------  --------",
      "2026-11-14 18:00    1,000.5      2,001   3,001.5",
      "2026-11-14 19:00        0.0         -1      -2.0",
      "",
      `2 rows, 2026-11-14 18:00 to 2026-11-14 19:00, ${FOOTER}`,
      "network NEM, power by region",
    ]);
  });

  test("if that fits, with units on their own line if necessary; otherwise a row for each", async () => {
    expect((await print([{ series: byRegion }], wide(48)))[0]).toBe("timestamp         NSW1 (MW)  QLD1 (MW)  SA1 (MW)");
    expect((await print([{ series: byRegion }], wide(47))).slice(0, 2)).toEqual([
      "timestamp            NSW1   QLD1      SA1",
      "                     (MW)   (MW)     (MW)",
    ]);
    expect((await print([{ series: byRegion }], wide(40)))[0]).toBe("timestamp         region  power (MW)");
  });

  test("has as many rows as the terminal has lines, even if fewer would fit with a column for each value", async () => {
    const values = Array.from({ length: 100 }, (_, hour) => [hour, hour > 1 && hour < 98 ? 12345.678 : 1]);
    const series = Array.from({ length: 8 }, (_, index) => [{ region: `R${index}` }, Object.fromEntries(values) as object] as const);
    const lines = await print([{ series } as Sketch], { screen: { ...TERMINAL, columns: 80, rows: 24 } });
    expect([lines[0], lines.length]).toEqual(["timestamp         region  power (MW)", 24 - 2]);
  });

  test("has at most a page in a file", async () => {
    const units = Array.from({ length: 20 }, (_, index) => [{ unit_code: `U${index}` }, { 18: 1000 }] as const);
    expect((await print([{ series: units }]))[0]).toBe("timestamp         unit_code  power (MW)");
    expect((await print([{ series: units.slice(0, 8) }]))[0]).toMatch(/^timestamp +U0 \(MW\) +U1 \(MW\)/);
  });

  test("is as the user asks", async () => {
    expect((await print([{ series: byRegion }], { shape: "wide" }))[0]).toBe("timestamp         region  power (MW)");
    expect((await print([{ series: byRegion }], { shape: "long" })).at(-1)).toBe("network NEM, metric power, unit MW");
    const two = [{ series: byRegion }, { metric: "price", unit: "$/MWh", series: byRegion }];
    expect((await print(two))[0]).toBe("timestamp         region  power (MW)  price ($/MWh)");
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
    expect((await print([{ series }])).slice(0, 7)).toEqual([
      "timestamp         (none) (MW)  NSW1 (MW)",
      "----------------  -----------  ---------",
      "2026-11-14 18:00            5          7",
      "2026-11-14 18:00                       8",
      "2026-11-14 20:00",
      "",
      `3 rows, 2026-11-14 18:00 to 2026-11-14 20:00, ${FOOTER}`,
    ]);
  });

  test("and the end of each bucket", async () => {
    const series = [
      [{ region: "NSW1" }, { 0: 1, 24: 2 }],
      [{ region: "VIC1" }, { 0: 1 }],
    ] as const;
    expect((await print([{ interval: "1d", series }], { intervalEnd: true })).slice(0, 4)).toEqual([
      "timestamp   interval_end  NSW1 (MW)  VIC1 (MW)",
      "----------  ------------  ---------  ---------",
      "2026-11-14  2026-11-15            1          1",
      "2026-11-15  2026-11-16            2",
    ]);
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

  test("only count series with rows", async () => {
    const series = [
      [{ region: "NSW1" }, { 18: 1 }],
      [{ region: "VIC1" }, {}],
    ] as const;
    expect((await print([{ series }])).at(-1)).toBe("network NEM, region NSW1");
  });

  test("the footer names the zone, but neither zone nor interval if there are several", async () => {
    const nem = { series: [[{}, { 18: 1 }]] } as const;
    const zoneOf = async (items: Sketch[], timeZone?: string) => (await print(items, timeZone === undefined ? {} : { timeZone })).at(-2);
    expect(await zoneOf([nem])).toBe(`1 row, 2026-11-14 18:00, ${FOOTER}`);
    expect(await zoneOf([nem], "UTC")).toBe("1 row, 2026-11-14 08:00, UTC, interval 1h");
    expect(await zoneOf([nem], "Australia/Sydney")).toBe("1 row, 2026-11-14 19:00, Australia/Sydney, interval 1h");
    const mixed = await print([nem, { network: "WEM", interval: "5m", series: [[{}, { 18: 1 }]] }]);
    expect(mixed.slice(2, 4)).toEqual(["2026-11-14 18:00  NEM               1", "2026-11-14 16:00  WEM               1"]);
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
  const series = Object.entries(fueltechs).map(([fueltech, fueltech_group]) => [{ fueltech, fueltech_group }, { 18: 1 }] as const);

  test("are dropped if the table does not fit, and reported", async () => {
    expect((await print([{ series }], wide(80)))[0]).toBe("timestamp         fueltech    fueltech_group  power (MW)");
    const narrow = await print([{ series }], wide(45));
    expect(narrow[0]).toBe("timestamp         fueltech    power");
    expect(narrow.at(-1)).toBe("hidden (terminal too narrow): fueltech_group");
  });

  test("before it becomes records, which show everything", async () => {
    const records = await print([{ series }], wide(32));
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
    const both = ["NSW1", "VIC1"].flatMap((region) => ["coal", "wind"].map((fueltech) => [{ region, fueltech }, { 18: 1 }] as const));
    for (let columns = 10; columns < 80; columns++) {
      const text = (await print([{ series: both }, { metric: "emissions", unit: "t", series: both }], wide(columns))).join("\n");
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

test("hidden rows also decide how long the timestamps are", async () => {
  const days = await print([{ interval: "1d", series: [[{}, { 0: 1, 30: 2 }]] }], { limit: 1 });
  expect(days.at(-2)).toBe("1 of 2 rows, 2026-11-14 00:00 to 2026-11-15 06:00, UTC+10:00, interval 1d");
});

test("without series, only the titles", async () => {
  expect(await print([{ series: [] }])).toEqual(["timestamp  network  power (MW)", "---------  -------  ----------", "", "0 rows"]);
});

test("rows that fit as a table, though more would not, fill the height of the terminal", async () => {
  const names = Array.from(
    { length: 60 },
    (_, index) => `f${10 + index}${index === 11 ? "_makes_the_row_too_wide_for_this_terminal" : ""}`,
  );
  const series = names.map((fueltech) => [{ fueltech }, { 0: 1 }] as const);
  const screen = { ...TERMINAL, columns: 60, rows: 24 };
  const lines = await print([{ series }, { metric: "energy", unit: "MWh", series }], { screen });
  expect(lines[0]).toMatch(/^timestamp +fueltech +power/);
  expect(lines.length).toBeGreaterThan(18);
  expect(lines.length).toBeLessThanOrEqual(22);
});
