/** The rows of a table are counted and the last ones found without making those in between. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { findConstants } from "../../src/format/table/labels.ts";
import { seriesRows } from "../../src/format/table/rows.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import { createLayout } from "../../src/series/layout/create-layout.ts";
import type { LayoutOptions } from "../../src/series/layout/layout.ts";
import { walkTimedRows } from "../../src/series/layout/rows.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { answers, askedMetrics, readBody, toBody } from "./generators.ts";

const LAYOUTS: readonly LayoutOptions[] = [
  { shape: "long" },
  { shape: "wide" },
  { shape: "wide", pivot: "region" },
  { shape: "wide", intervalEnd: true },
];

const results = fc
  .record({ items: answers, metrics: askedMetrics, options: fc.constantFrom(...LAYOUTS) })
  .map(({ items, metrics, options }) => {
    const timeSeries = readBody(toBody(items));
    const layout = createLayout(options, addColumns(startColumns(metrics, options), timeSeries));
    const placed = layout.place(timeSeries);
    return {
      rows: seriesRows({ columns: layout.columns, placed }, createZone("utc")),
      all: [...walkTimedRows(layout, placed)],
    };
  });

test("equal those found by walking", () => {
  fc.assert(
    fc.property(results, fc.integer({ min: 0, max: 20 }), ({ rows, all }, n) => {
      expect(rows.count).toBe(all.length);
      const expected = all.map(({ constants, values }) => [...constants, ...values]);
      const timestamps = rows.columns.filter(({ kind }) => kind === "timestamp").length;
      expect(rows.first(n).map((row) => row.slice(timestamps))).toEqual(expected.slice(0, n));
      expect(rows.last(n).map((row) => row.slice(timestamps))).toEqual(n === 0 ? [] : expected.slice(-n));
      const instants = all.map(({ instant }) => instant);
      expect(rows.first(all.length).map(([timestamp]) => timestamp)).toMatchObject(
        instants.map((instant) => ({ instant, offset: 0 })),
      );
    }),
  );
});

test("constant columns are the same in all rows, and all such columns are constant", () => {
  fc.assert(
    fc.property(results, ({ rows }) => {
      const all = rows.first(rows.count);
      const constant = rows.columns.flatMap(({ kind }, index) =>
        kind === "text" && all.length > 0 && new Set(all.map((row) => row[index] ?? "")).size === 1 ? [index] : [],
      );
      expect([...findConstants(rows).keys()]).toEqual(constant);
    }),
  );
});
