import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTable } from "../../src/series/layout/create-layout.ts";
import { listLabelLists, orderMetrics, orderLabelNames, orderTimeSeries } from "../../src/series/order.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { askedMetrics, distinctAnswers, type ItemModel, listRows, readBody, toBody } from "./generators.ts";

const printTimestamp = (_: string, instant: number) => String(instant);

/** A response, and the same with its TimeSeries and series in another order. */
const permutedAnswers = distinctAnswers.chain((items) =>
  fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length }).chain(shuffleSeries)),
);

function shuffleSeries(items: ItemModel[]): fc.Arbitrary<ItemModel[]> {
  const shuffled = items.map((item) =>
    fc.shuffledSubarray([...item.series], { minLength: item.series.length }).map((series) => ({ ...item, series })),
  );
  return fc.tuple(...shuffled) as fc.Arbitrary<ItemModel[]>;
}

function read(items: readonly ItemModel[]): TimeSeries[] {
  return readBody(toBody(items));
}

describe("the order in which the service names its series does not affect", () => {
  test("the order of TimeSeries and series", () => {
    const essence = (ordered: readonly TimeSeries[]) =>
      ordered.map(({ metric, series }) => ({
        metric,
        series: series.map(({ labels, points }) => ({ labels, points })),
      }));
    fc.assert(
      fc.property(permutedAnswers, askedMetrics, ([one, other], metrics) => {
        expect(essence(orderTimeSeries(read(one), metrics))).toEqual(essence(orderTimeSeries(read(other), metrics)));
      }),
    );
  });

  test("the order of columns, and of long and wide rows", () => {
    fc.assert(
      fc.property(permutedAnswers, askedMetrics, ([one, other], metrics) => {
        for (const shape of ["long", "wide"] as const) {
          const [first, second] = [one, other].map((items) => toTable(read(items), { shape, metrics, printTimestamp }));
          expect(first?.columns).toEqual(second?.columns);
          expect(first && listRows(first)).toEqual(second && listRows(second));
        }
      }),
    );
  });
});

function withLabels(...columns: Record<string, unknown>[]): TimeSeries[] {
  const results = columns.map((each) => ({ name: "x", columns: each, data: [["2025-01-31", 1]] }));
  return readBody(JSON.stringify({ data: [{ network_code: "NEM", metric: "power", unit: "MW", results }] }));
}

const orderOf = (name: string, ...columns: Record<string, unknown>[]) =>
  orderTimeSeries(withLabels(...columns), ["power"]).flatMap(({ series }) => series.map(({ labels }) => labels[name]));

describe("series go by label values", () => {
  test("text in code-unit order: capitals first, no alphabet of any country", () => {
    const given = ["b", "a", "B", "é", "NSW1", "", "10", "9", "\u{1f4a1}", "\uff5e"];
    expect(orderOf("region", ...given.map((region) => ({ region })))).toEqual([
      "",
      "10",
      "9",
      "B",
      "NSW1",
      "a",
      "b",
      "é",
      "\u{1f4a1}",
      "\uff5e",
    ]);
  });

  test("column by column, missing ones first", () => {
    const ordered = orderTimeSeries(
      withLabels({ a: "2", b: "1" }, { a: "1", b: "2" }, { a: "1", b: "1" }, { a: "1" }),
      ["power"],
    );
    expect(ordered[0]?.series.map(({ labels }) => Object.values(labels).join(""))).toEqual(["1", "11", "12", "21"]);
  });
});

describe("names", () => {
  const listLabelNames = (timeSeries: readonly TimeSeries[]) => orderLabelNames(listLabelLists(timeSeries));

  test("of labels come in the service's order, each once", () => {
    expect(listLabelNames(withLabels({ region: "A", fueltech: "b" }, { region: "B", fueltech: "a" }))).toEqual([
      "region",
      "fueltech",
    ]);
    expect(listLabelNames(withLabels({ zone: "A", area: "b" }))).toEqual(["zone", "area"]);
    expect(listLabelNames(withLabels({}, { region: "A" }, { region: "A", fueltech: "b" }))).toEqual([
      "region",
      "fueltech",
    ]);
    expect(listLabelNames([])).toEqual([]);
  });

  test("of metrics come as asked, then unasked ones by name", () => {
    expect(orderMetrics(["energy", "power", "price"], ["price", "zeta", "alpha", "energy"])).toEqual([
      "energy",
      "power",
      "price",
      "alpha",
      "zeta",
    ]);
  });
});
