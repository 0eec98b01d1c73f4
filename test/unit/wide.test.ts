import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameLabelColumns } from "../../src/series/layout/columns.ts";
import type { Row } from "../../src/series/layout/layout.ts";
import { toTable } from "../../src/series/layout/create-layout.ts";
import { answers, askedMetrics, listRows, normalizeJson, readBody, toBody } from "./generators.ts";
import { collectPoints, compareLabels, type PlainPoint } from "./oracle.ts";
import { draws } from "../support/extent.ts";

const printTimestamp = (_: string, instant: number) => String(instant);
const normal = (value: string | null) => value && normalizeJson(value);

/**
 * The simple way: points of one instant and label set share a row; a further value for the same cell goes one row down.
 */
function plainRows(points: readonly PlainPoint[], names: readonly string[], metrics: readonly string[]): Row[] {
  const places = new Map<string, { point: PlainPoint; columns: (string | null)[][] }>();
  for (const point of points) {
    const key = JSON.stringify([point.instant, names.map((name) => point.labels[name] ?? null)]);
    const place = places.get(key) ?? { point, columns: metrics.map(() => []) };
    places.set(key, place);
    place.columns[metrics.indexOf(point.metric)]?.push(normal(point.value));
  }
  return [...places.values()]
    .toSorted(({ point: a }, { point: b }) => a.instant - b.instant || compareLabels(a.labels, b.labels, names))
    .flatMap(({ point, columns }) => {
      const height = Math.max(...columns.map(({ length }) => length));
      const constants = [String(point.instant), "NEM", ...names.map((name) => point.labels[name] ?? null)];
      return Array.from({ length: height }, (_, depth) => [
        ...constants,
        ...columns.map((column) => column[depth] ?? null),
      ]);
    });
}

test("the rows equal those made the simple way", () => {
  fc.assert(
    fc.property(answers, askedMetrics, (items, asked) => {
      const table = toTable(readBody(toBody(items)), { shape: "wide", metrics: asked, printTimestamp });
      const names = table.columns.slice(2).flatMap(({ name, kind }) => (kind === "text" ? name : []));
      const metrics = table.columns.flatMap(({ name, kind }) => (kind === "value" ? name : []));
      expect(listRows(table)).toEqual(plainRows(collectPoints(items, names, asked), names, metrics));
    }),
    { numRuns: draws(100, 300) },
  );
});

test("every value comes out exactly once", () => {
  fc.assert(
    fc.property(answers, askedMetrics, (items, metrics) => {
      const table = toTable(readBody(toBody(items)), { shape: "wide", metrics, printTimestamp });
      const firstValue = table.columns.findIndex(({ kind }) => kind === "value");
      const came = listRows(table)
        .flatMap((row) => row.slice(firstValue))
        .filter((cell) => cell !== null);
      const sent = items.flatMap(({ series }) =>
        series.flatMap(({ points }) => points.flatMap(([, value]) => normal(value) ?? [])),
      );
      expect(came.map(String).toSorted()).toEqual(sent.toSorted());
    }),
  );
});

describe("examples", () => {
  const item = (metric: string, unit: string, ...series: object[]) => ({
    network_code: "NEM",
    metric,
    unit,
    network_timezone_offset: "+10:00",
    results: series,
  });
  const tableOf = (data: object[], metrics: string[]) =>
    toTable(readBody(JSON.stringify({ data })), { shape: "wide", metrics, printTimestamp: (timestamp) => timestamp });
  const [FIRST, SECOND] = ["2025-01-31T14:00:00+10:00", "2025-01-31T14:05:00+10:00"];

  test("one column per metric, in the order requested, with its unit; gaps and nulls are empty", () => {
    const table = tableOf(
      [
        item("price", "$/MWh", {
          columns: { region: "NSW1" },
          data: [
            [FIRST, 90.1],
            [SECOND, 80.0],
          ],
        }),
        item(
          "demand",
          "MW",
          { columns: { region: "NSW1" }, data: [[SECOND, null]] },
          { columns: { region: "QLD1" }, data: [[SECOND, 5]] },
        ),
      ],
      ["demand", "price"],
    );
    expect(table.columns).toEqual([
      { name: "timestamp", kind: "timestamp" },
      { name: "network", kind: "text" },
      { name: "region", kind: "text" },
      { name: "demand", kind: "value", metric: "demand", unit: "MW" },
      { name: "price", kind: "value", metric: "price", unit: "$/MWh" },
    ]);
    expect(listRows(table)).toEqual([
      [FIRST, "NEM", "NSW1", null, "90.1"],
      [SECOND, "NEM", "NSW1", null, "80"],
      [SECOND, "NEM", "QLD1", "5", null],
    ]);
  });

  test("a second value for the same cell gets another row", () => {
    const table = tableOf(
      [
        item("power", "MW", {
          columns: {},
          data: [
            [FIRST, 1],
            [FIRST, null],
            [FIRST, 1],
          ],
        }),
        item("energy", "MWh", { columns: {}, data: [[FIRST, 7]] }),
      ],
      ["power", "energy"],
    );
    expect(listRows(table)).toEqual([
      [FIRST, "NEM", "1", "7"],
      [FIRST, "NEM", null, null],
      [FIRST, "NEM", "1", null],
    ]);
  });

  test("a requested metric without data still has its column", () => {
    const table = tableOf([item("power", "MW", { columns: {}, data: [[FIRST, 1]] })], ["energy", "power"]);
    expect(table.columns.map(({ name }) => name)).toEqual(["timestamp", "network", "energy", "power"]);
    expect(listRows(table)).toEqual([[FIRST, "NEM", null, "1"]]);
  });

  test("true and the text true are two labels", () => {
    const table = tableOf(
      [
        item(
          "power",
          "MW",
          { columns: { a: true }, data: [[FIRST, 1]] },
          { columns: { a: "true" }, data: [[FIRST, 2]] },
        ),
      ],
      ["power"],
    );
    expect(listRows(table)).toHaveLength(2);
  });
});

test("labels that would clash after their suffix stay apart", () => {
  const labels = ["price", "price_label", "value", "value_label"];
  expect(nameLabelColumns(labels, ["price", "price_label"])).toEqual([
    "price_label_label",
    "price_label_label_label",
    "value_label_label",
    "value_label",
  ]);
});
