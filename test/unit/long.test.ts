import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTable } from "../../src/series/layout/create-layout.ts";
import { answers, askedMetrics, listRows, normalizeJson, readBody, toBody } from "./generators.ts";
import { collectPoints } from "./oracle.ts";
import { draws } from "../support/extent.ts";

const printTimestamp = (timestamp: string) => timestamp;
const normal = (value: string | null) => value && normalizeJson(value);

test("the rows equal those made the simple way: every point once, in canonical order", () => {
  fc.assert(
    fc.property(answers, askedMetrics, (items, metrics) => {
      const table = toTable(readBody(toBody(items)), { shape: "long", metrics, printTimestamp });
      const names = table.columns.slice(4, -1).map(({ name }) => name);
      const expected = collectPoints(items, names, metrics).map((point) => [
        point.timestamp,
        "NEM",
        point.metric,
        point.unit,
        ...names.map((name) => point.labels[name] ?? null),
        normal(point.value),
      ]);
      expect(listRows(table)).toEqual(expected);
    }),
    { numRuns: draws(100, 300) },
  );
});

test("the columns are timestamp, network, metric, unit, each label once as in columns, value", () => {
  fc.assert(
    fc.property(answers, (items) => {
      const names = toTable(readBody(toBody(items)), { shape: "long", metrics: [], printTimestamp }).columns.map(
        ({ name }) => name,
      );
      const labels = new Set(items.flatMap(({ series }) => series.flatMap((one) => Object.keys(one.labels))));
      expect(names.slice(0, 4)).toEqual(["timestamp", "network", "metric", "unit"]);
      expect(names.at(-1)).toBe("value");
      expect(names.slice(4, -1).toSorted()).toEqual([...labels].toSorted());
    }),
  );
});

describe("examples", () => {
  const item = (metric: string, ...series: object[]) => ({
    network_code: "NEM",
    metric,
    unit: "MW",
    network_timezone_offset: "+10:00",
    results: series,
  });
  const rowsOf = (data: object[], metrics: string[]) =>
    listRows(toTable(readBody(JSON.stringify({ data })), { shape: "long", metrics, printTimestamp }));

  test("ragged series meet at their timestamps, metrics as asked", () => {
    const data = [
      item(
        "power",
        { columns: { region: "SA1" }, data: [["2025-01-31T14:05:00+10:00", 2]] },
        {
          columns: { region: "NSW1" },
          data: [
            ["2025-01-31T14:00:00+10:00", 1],
            ["2025-01-31T14:05:00+10:00", null],
          ],
        },
      ),
      item("energy", { columns: { region: "SA1" }, data: [["2025-01-31T14:05:00+10:00", 3]] }),
    ];
    expect(rowsOf(data, ["energy", "power"])).toEqual([
      ["2025-01-31T14:00:00+10:00", "NEM", "power", "MW", "NSW1", "1"],
      ["2025-01-31T14:05:00+10:00", "NEM", "energy", "MW", "SA1", "3"],
      ["2025-01-31T14:05:00+10:00", "NEM", "power", "MW", "NSW1", null],
      ["2025-01-31T14:05:00+10:00", "NEM", "power", "MW", "SA1", "2"],
    ]);
  });

  test("a series without labels that repeats its timestamps keeps all its points, as sent", () => {
    const timestamp = "2025-01-31T14:05:00+10:00";
    const data = [
      item("power", {
        name: "power_total",
        columns: {},
        data: [
          [timestamp, 3],
          [timestamp, 1],
          [timestamp, null],
          [timestamp, 1],
        ],
      }),
    ];
    expect(rowsOf(data, ["power"]).map((row) => row.at(-1))).toEqual(["3", "1", null, "1"]);
  });

  test("one metric in two TimeSeries is still ordered by labels", () => {
    const data = [
      item("power", { columns: { region: "VIC1" }, data: [["2025-01-31", 1]] }),
      item("power", { columns: { region: "NSW1" }, data: [["2025-01-31", 2]] }),
    ];
    expect(rowsOf(data, ["power"]).map((row) => row[4])).toEqual(["NSW1", "VIC1"]);
  });

  test("stamps are printed as the printer says, booleans stay booleans", () => {
    const data = [item("power", { columns: { renewable: true }, data: [["2025-01-31T14:05:00+10:00", 1]] })];
    const table = toTable(readBody(JSON.stringify({ data })), {
      shape: "long",
      metrics: ["power"],
      printTimestamp: (timestamp, instant) => `${timestamp}=${instant}`,
    });
    expect(listRows(table)).toEqual([["2025-01-31T14:05:00+10:00=1738296300000", "NEM", "power", "MW", true, "1"]]);
  });
});
