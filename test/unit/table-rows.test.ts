/** The rows of a table are counted, and the last ones found, without making those between. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { findConstants } from "../../src/format/table-labels.ts";
import { seriesRows } from "../../src/format/table-rows.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import { createLayout } from "../../src/series/layout/create-layout.ts";
import { walkTimedRows } from "../../src/series/layout/rows.ts";
import { createZone } from "../../src/time/zones.ts";
import { answers, askedMetrics, type ItemModel, readBody, toBody } from "./generators.ts";

const layouts = fc.constantFrom({ shape: "long" }, { shape: "wide" }, { shape: "wide", pivot: "region" }, {
  shape: "wide",
  intervalEnd: true,
} as const);

function lay(items: readonly ItemModel[], metrics: readonly string[], options: { shape: string; pivot?: string; intervalEnd?: boolean }) {
  const timeSeries = readBody(toBody(items));
  const layout = createLayout(
    { ...options, shape: options.shape as "long" | "wide" },
    addColumns(startColumns(metrics, options.pivot), timeSeries),
  );
  const placed = layout.place(timeSeries);
  return { rows: seriesRows({ columns: layout.columns, placed }, createZone("utc")), all: [...walkTimedRows(layout, placed)] };
}

test("as walking them gives", () => {
  fc.assert(
    fc.property(answers, askedMetrics, layouts, fc.integer({ min: 0, max: 20 }), (items, metrics, options, n) => {
      const { rows, all } = lay(items, metrics, options);
      expect(rows.count).toBe(all.length);
      const expected = all.map(({ constants, values }) => [...constants, ...values]);
      const stamps = rows.columns.filter(({ kind }) => kind === "stamp").length;
      expect(rows.first(n).map((row) => row.slice(stamps))).toEqual(expected.slice(0, n));
      expect(rows.last(n).map((row) => row.slice(stamps))).toEqual(n === 0 ? [] : expected.slice(-n));
      const instants = all.map(({ instant }) => instant);
      expect(rows.first(all.length).map(([stamp]) => stamp)).toMatchObject(instants.map((instant) => ({ instant, offset: 0 })));
    }),
  );
});

test("what is constant is so in all rows, and all that is so is constant", () => {
  fc.assert(
    fc.property(answers, askedMetrics, layouts, (items, metrics, options) => {
      const { rows } = lay(items, metrics, options);
      const all = rows.first(rows.count);
      const constant = rows.columns.flatMap(({ kind }, index) =>
        kind === "text" && all.length > 0 && new Set(all.map((row) => String(row[index] ?? ""))).size === 1 ? [index] : [],
      );
      expect([...findConstants(rows).keys()]).toEqual(constant);
    }),
  );
});
