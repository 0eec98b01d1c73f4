import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTable } from "../../src/series/layout/create-layout.ts";
import type { Row } from "../../src/series/layout/layout.ts";
import { draws } from "../support/extent.ts";
import {
  answers,
  askedMetrics,
  type ItemModel,
  type LabelValue,
  listRows,
  normalizeJson,
  readBody,
  toBody,
} from "./generators.ts";
import { collectPoints, compareLabels, type PlainPoint } from "./oracle.ts";

const printTimestamp = (_: string, instant: number) => String(instant);
const normal = (value: string | null) => value && normalizeJson(value);

interface PlainPivot {
  readonly label: string;
  readonly values: readonly (LabelValue | null)[];
  readonly metrics: readonly string[];
}

/** The values of the label in canonical order, and the metrics: as asked, then by name. */
function listColumns(items: readonly ItemModel[], asked: readonly string[], label: string): PlainPivot {
  const values = [...new Set(items.flatMap(({ series }) => series.map(({ labels }) => labels[label] ?? null)))];
  const sorted = values.toSorted((a, b) => compareLabels(toLabels(label, a), toLabels(label, b), [label]));
  const came = items.map(({ metric }) => metric).toSorted();
  return { label, values: sorted, metrics: [...new Set([...asked, ...came])] };
}

function toLabels(label: string, value: LabelValue | null): PlainPoint["labels"] {
  return value === null ? {} : { [label]: value };
}

function plainNames({ label, values, metrics }: PlainPivot, others: readonly string[]): string[] {
  const own = metrics.flatMap((metric) =>
    values.map((value) => `${metrics.length === 1 ? "" : `${metric}_`}${value ?? "(none)"}`),
  );
  const taken = ["", "timestamp", "interval_end", "network", ...others];
  return own.map((plain, index) => {
    const isFree = !taken.includes(plain) && own.indexOf(plain) === index;
    let name = plain;
    while (!isFree && [...taken, ...own].includes(name)) name = `${label}_${name}`;
    taken.push(name);
    return name;
  });
}

/** The simple way: each point goes to the first row of its instant and labels whose cell is free. */
function plainRows(
  points: readonly PlainPoint[],
  names: readonly string[],
  { label, values, metrics }: PlainPivot,
): Row[] {
  const groups = new Map<string, { point: PlainPoint; rows: (string | null | undefined)[][] }>();
  for (const point of points) {
    const key = JSON.stringify([point.instant, names.map((name) => point.labels[name] ?? null)]);
    const group = groups.get(key) ?? { point, rows: [] };
    groups.set(key, group);
    const column = metrics.indexOf(point.metric) * values.length + values.indexOf(point.labels[label] ?? null);
    let row = group.rows.find((one) => one[column] === undefined);
    if (!row) {
      row = Array.from({ length: metrics.length * values.length }, () => undefined);
      group.rows.push(row);
    }
    row[column] = normal(point.value);
  }
  return [...groups.values()]
    .toSorted(({ point: a }, { point: b }) => a.instant - b.instant || compareLabels(a.labels, b.labels, names))
    .flatMap(({ point, rows }) => {
      const constants = [String(point.instant), "NEM", ...names.map((name) => point.labels[name] ?? null)];
      return rows.map((row) => [...constants, ...row.map((cell) => cell ?? null)]);
    });
}

test("columns and rows equal those made the simple way", () => {
  let several = 0;
  const labels = fc.constantFrom("region", "fueltech", "renewable", "unit_code", "status");
  fc.assert(
    fc.property(answers, askedMetrics, labels, (items, asked, pivot) => {
      const table = toTable(readBody(toBody(items)), { shape: "wide", pivot, metrics: asked, printTimestamp });
      const others = table.columns.slice(2).flatMap(({ name, kind }) => (kind === "text" ? name : []));
      const columns = listColumns(items, asked, pivot);
      expect(others).not.toContain(pivot);
      expect(table.columns.slice(2 + others.length).map(({ name }) => name)).toEqual(plainNames(columns, others));
      const points = collectPoints(items, [...others, pivot], asked);
      expect(listRows(table)).toEqual(plainRows(points, others, columns));
      if (columns.values.length > 1) several++;
    }),
    { numRuns: draws(200, 1000) },
  );
  expect(several).toBeGreaterThan(draws(50, 250));
});

describe("examples", () => {
  const item = (metric: string, ...series: object[]) => ({
    network_code: "NEM",
    metric,
    unit: "MW",
    network_timezone_offset: "+10:00",
    results: series,
  });
  const series = (columns: object, ...points: (readonly [string, number | null])[]) => ({ columns, data: points });
  const pivot = (label: string, metrics: string[], ...data: object[]) => {
    const options = { shape: "wide", pivot: label, metrics, printTimestamp: (timestamp: string) => timestamp } as const;
    const { columns, rows } = toTable(readBody(JSON.stringify({ data })), options);
    return [columns.map(({ name }) => name), ...rows];
  };
  const [FIRST, SECOND] = ["2025-01-31T14:00:00+10:00", "2025-01-31T14:05:00+10:00"];

  test("one metric: the values of the label in order, other labels in rows; a missing point is an empty cell", () => {
    expect(
      pivot(
        "region",
        ["power"],
        item(
          "power",
          series({ region: "QLD1", fueltech: "wind" }, [FIRST, 1], [SECOND, 2]),
          series({ region: "NSW1", fueltech: "wind" }, [SECOND, 3]),
          series({ region: "NSW1", fueltech: "hydro" }, [SECOND, null]),
        ),
      ),
    ).toEqual([
      ["timestamp", "network", "fueltech", "NSW1", "QLD1"],
      [FIRST, "NEM", "wind", null, "1"],
      [SECOND, "NEM", "hydro", null, null],
      [SECOND, "NEM", "wind", "3", "2"],
    ]);
  });

  test("several metrics: as asked, each with all values", () => {
    expect(
      pivot(
        "renewable",
        ["price", "demand"],
        item("demand", series({ renewable: true }, [FIRST, 1])),
        item("price", series({ renewable: false }, [FIRST, 2]), series({}, [FIRST, 3])),
      ),
    ).toEqual([
      [
        "timestamp",
        "network",
        "price_(none)",
        "price_false",
        "price_true",
        "demand_(none)",
        "demand_false",
        "demand_true",
      ],
      [FIRST, "NEM", "3", "2", null, null, null, "1"],
    ]);
  });

  test("a second value goes to the first row whose cell is free", () => {
    expect(
      pivot(
        "region",
        ["power"],
        item(
          "power",
          series({ region: "A" }, [FIRST, 1], [FIRST, 2], [FIRST, 3]),
          series({ region: "B" }, [FIRST, 4], [FIRST, 5]),
        ),
      ),
    ).toEqual([
      ["timestamp", "network", "A", "B"],
      [FIRST, "NEM", "1", "4"],
      [FIRST, "NEM", "2", "5"],
      [FIRST, "NEM", "3", null],
    ]);
  });

  test("a value named like another column gets the label's name before it", () => {
    const named = ["network", "fueltech", "interval_end", "true", "(none)"].map((region) =>
      series({ region, fueltech: "x" }, [FIRST, 1]),
    );
    expect(
      pivot(
        "region",
        ["power"],
        item("power", ...named, series({ region: true }, [FIRST, 2]), series({}, [FIRST, 3])),
      )[0],
    ).toEqual([
      "timestamp",
      "network",
      "fueltech",
      "(none)",
      "true",
      "region_(none)",
      "region_fueltech",
      "region_interval_end",
      "region_network",
      "region_true",
    ]);
  });

  test("a value with a unique name keeps it, whatever happens to others; an empty one gets a name", () => {
    const named = ["", "network", "region_network"].map((region) => series({ region }, [FIRST, 1]));
    const names = ["timestamp", "network", "region_", "region_region_network", "region_network"];
    expect(pivot("region", ["power"], item("power", ...named))[0]).toEqual(names);
  });
});
