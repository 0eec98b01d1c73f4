import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { decodeBody } from "../../src/decode/decode.ts";
import { listSummary } from "../../src/format/summary-lines.ts";
import type { Query } from "../../src/query/query.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { NumberList } from "../../src/series/number-list.ts";
import { Summary } from "../../src/series/summary.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { queryFor } from "../merge/cases.ts";
import { listIntervals, STEP } from "../merge/model-intervals.ts";
import { draws } from "../support/extent.ts";
import { type Drawn, drawn, LATER, listChunks, listStarts, OFFSET, windowOf } from "./interval-series.ts";

function summarize(all: Drawn, query: Query): Summary {
  const summary = new Summary(query, LATER);
  for (const chunk of listChunks(all)) summary.add(chunk);
  return summary;
}

test("the statistics are those of all points at once, however they are split into chunks", () => {
  fc.assert(
    fc.property(drawn, (all) => {
      const summary = summarize(all, windowOf(all));
      const filled = all.series
        .filter(({ points: pairs }) => pairs.length > 0)
        .toSorted((a, b) => (a.region < b.region ? -1 : 1));
      expect(summary.series).toHaveLength(filled.length);
      for (const [index, { region, points: pairs }] of filled.entries()) {
        const found = summary.series[index];
        const places = pairs.map(([bucket]) => bucket);
        const values = pairs.flatMap(([, value]) => value ?? []);
        const [first, last] = [Math.min(...places), Math.max(...places)];
        expect(found).toMatchObject({
          series: { labels: { region } },
          points: pairs.length,
          nulls: pairs.length - values.length,
          missing: 1 + last - first - new Set(places).size,
          first: { instant: (all.buckets[first] as number) - OFFSET },
          last: { instant: (all.buckets[last] as number) - OFFSET },
          numbers: values.length,
        });
        for (const [extreme, value] of [
          [found?.least, Math.min(...values)],
          [found?.most, Math.max(...values)],
        ] as const) {
          const [place] = pairs
            .filter(([, other]) => other === value)
            .map(([bucket]) => bucket)
            .toSorted((a, b) => a - b);
          const earliest =
            place === undefined ? undefined : { value: value / 1000, instant: (all.buckets[place] as number) - OFFSET };
          expect(extreme && { value: extreme.value, instant: extreme.instant }).toEqual(earliest);
        }
        // The percentile of numpy and DuckDB.
        for (const share of [0.05, 0.5, 0.95]) {
          const sorted = values.map((value) => value / 1000).toSorted((a, b) => a - b);
          const place = share * (sorted.length - 1);
          const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
          const difference = (found?.quantile(share) ?? 0) - (low + (place % 1) * (high - low));
          expect(Math.abs(difference) < 1e-9 || (values.length === 0 && Number.isNaN(difference))).toBe(true);
        }
        expect(found?.sum).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / 1000, 9);
      }
      const seen = new Set(all.series.flatMap(({ points: pairs }) => pairs.map(([bucket]) => bucket)));
      expect(summary.intervals).toEqual({ all: 12, empty: 12 - seen.size });
    }),
    { numRuns: draws(200, 1000) },
  );
});

test("a sum loses nothing to rounding", () => {
  const buckets = listStarts("5m", Date.UTC(2025, 0));
  const all: Drawn = {
    interval: "5m",
    buckets,
    cuts: [4],
    plain: false,
    series: [
      { region: "NSW1", points: buckets.map((_, index) => [index, index === 0 ? 1e18 : index === 11 ? -1e18 : 100]) },
    ],
  };
  expect(summarize(all, windowOf(all)).series[0]?.sum).toBe(1);
});

describe("the intervals of a window", () => {
  const DAY = 86_400_000;
  const START = Date.UTC(2025, 0, 10);
  const HOUR = 3_600_000;

  interface Asked {
    readonly now?: number;
    readonly interval?: ListedInterval;
  }

  function count(
    timestamps: readonly number[],
    window: { start?: number; end?: number },
    { now = LATER, interval = "1d" }: Asked = {},
  ) {
    const query = {
      ...queryFor({ network: "NEM", interval }, { start: 0, end: 0 }, ["power"]),
      window: { start: window.start, end: window.end },
    };
    const summary = new Summary(query, now);
    const data = timestamps.map((local) => [`${new Date(local).toISOString().slice(0, 19)}+10:00`, 1]);
    const item = {
      network_code: "NEM",
      metric: "power",
      unit: "MW",
      interval,
      results: [{ name: "x", columns: {}, data }],
    };
    const answer = decodeBody(
      Buffer.from(JSON.stringify({ version: "4", created_at: "2025-02-01T00:00:00Z", success: true, data: [item] })),
    );
    if (isKnown(answer)) summary.add(answer.timeSeries);
    return summary.intervals;
  }
  const days = (places: readonly number[], shift = 0) => places.map((day) => START + day * DAY + shift);

  test("are not counted if they start elsewhere than the calendar's", () => {
    expect(
      count([...days([0, 1]), ...days([2, 3, 4], HOUR)], { start: START, end: START + 5 * DAY - 1000 }),
    ).toBeUndefined();
  });

  test("are unknown without a start, and without an end they end with the last point", () => {
    expect(count(days([0, 1]), { end: START + 4 * DAY })).toBeUndefined();
    expect(count(days([0, 2]), { start: START })).toEqual({ all: 3, empty: 1 });
  });

  test("in progress count if they have a point", () => {
    const now = START + 2.5 * DAY - OFFSET;
    expect(count(days([0]), { start: START, end: START + 9 * DAY }, { now })).toEqual({ all: 2, empty: 1 });
    expect(count(days([0, 2]), { start: START, end: START + 9 * DAY }, { now })).toEqual({ all: 3, empty: 1 });
    expect(count([], { start: START, end: START + 9 * DAY }, { now })).toEqual({ all: 2, empty: 2 });
  });

  test("the interval that starts at the window's end counts if the service includes it", () => {
    expect(count(days([0, 1]), { start: START, end: START + 2 * DAY })).toEqual({ all: 2, empty: 0 });
    expect(count(days([0, 1, 2]), { start: START, end: START + 2 * DAY })).toEqual({ all: 3, empty: 0 });
  });

  test("a first interval stamped with the window's start counts", () => {
    expect(count([START + HOUR, ...days([1, 2])], { start: START + HOUR, end: START + 3 * DAY - 1000 })).toEqual({
      all: 3,
      empty: 0,
    });
  });

  test("of seasons: January and February belong to that of October", () => {
    const season = (month: number) => Date.UTC(2024, month);
    const seasons = (timestamps: readonly number[], months: readonly [start: number, end: number], now = LATER) => {
      const [start, end] = months.map(season) as [number, number];
      return count(timestamps, { start, end: end - 1000 }, { interval: "season", now });
    };
    const year = [0, 3, 6, 9].map(season);
    expect(seasons(year, [0, 12])).toEqual({ all: 4, empty: 0 });
    expect(seasons(year.slice(1), [0, 12])).toEqual({ all: 4, empty: 1 });
    expect(seasons([season(0), season(9)], [0, 5])).toEqual({ all: 2, empty: 0 });
    expect(seasons([season(0)], [0, 6])).toEqual({ all: 3, empty: 2 });
    // Summer is not over in November.
    expect(seasons([season(0)], [0, 12], season(10))).toEqual({ all: 2, empty: 1 });
  });

  test("are counted in steps of minutes, too", () => {
    const steps = listIntervals("5m", START / STEP, START / STEP + 60);
    const timestamps = steps.map(({ start }) => start * STEP).filter((_, index) => index % 4 !== 2);
    expect(count(timestamps, { start: START, end: START + HOUR - 1000 }, { interval: "5m" })).toEqual({
      all: 12,
      empty: 3,
    });
  });
});

describe("lines", () => {
  const item = (metric: string, unit: string, series: Record<string, (number | null)[]>) => ({
    network_code: "NEM",
    metric,
    unit,
    interval: "1h",
    results: Object.entries(series).map(([region, values]) => ({
      name: region,
      columns: { region },
      data: values.map((value, hour) => [`2025-01-31T${String(hour).padStart(2, "0")}:00:00+10:00`, value]),
    })),
  });

  function listLines(data: object[], width = 80, partial: readonly number[] = []): string[] {
    const window = { start: Date.UTC(2025, 0, 31), end: Date.UTC(2025, 0, 31, 2, 59) };
    const summary = new Summary(queryFor({ network: "NEM", interval: "1h" }, window, ["price", "energy"]), LATER, {
      partial,
    });
    const answer = decodeBody(
      Buffer.from(JSON.stringify({ version: "4", created_at: "2025-02-01T00:00:00Z", success: true, data })),
    );
    if (isKnown(answer)) summary.add(answer.timeSeries);
    return [...listSummary(summary, { zone: createZone("network"), width, none: "–" })];
  }

  test("an interval that is not complete is counted, and in no figure", () => {
    const price = item("price", "$/MWh", { NSW1: [1, 2, 90], QLD1: [5, 6] });
    expect(listLines([price], 60, [Date.UTC(2025, 0, 31, 2)])).toEqual([
      "summary: 2 series, 5 points,",
      "no gaps in 3 intervals; times in network time",
      "every series: no nulls, none missing,",
      "first 2025-01-31 00:00, min at 2025-01-31 00:00,",
      "max at 2025-01-31 01:00",
      "price ($/MWh)",
      "region   min    p5  median  mean   p95   max  points",
      "NSW1    1.00  1.05    1.50  1.50  1.95  2.00       3",
      "QLD1    5.00  5.05    5.50  5.50  5.95  6.00       2",
      "region  incomplete              last",
      "NSW1             1  2025-01-31 02:00",
      "QLD1             0  2025-01-31 01:00",
    ]);
    expect(listLines([item("price", "$/MWh", { NSW1: [1, 90] })], 80, [Date.UTC(2025, 0, 31, 1)])[2]).toBe(
      "no nulls, none missing, 1 incomplete (not in the figures),",
    );
  });

  test("one block per metric, in the order requested; what series share is above it", () => {
    const energy = item("energy", "MWh", { QLD1: [1234.5, null, -0.001], NSW1: [900_000, 900_000, 1] });
    expect(listLines([energy, item("price", "$/MWh", { NSW1: [1, 2] })])).toEqual([
      "summary: 3 series, 8 points, no gaps in 3 intervals; times in network time",
      "every series: none missing, first 2025-01-31 00:00",
      "",
      "price ($/MWh)",
      "2 points, no nulls, last 2025-01-31 01:00, min at 2025-01-31 00:00,",
      "max at 2025-01-31 01:00",
      "region   min    p5  median  mean   p95   max",
      "NSW1    1.00  1.05    1.50  1.50  1.95  2.00",
      "",
      "energy (MWh)",
      "3 points, last 2025-01-31 02:00, min at 2025-01-31 02:00,",
      "max at 2025-01-31 00:00",
      "region    min         p5      median        mean         p95         max",
      "NSW1     1.00  90,000.90  900,000.00  600,000.33  900,000.00  900,000.00",
      "QLD1    -0.00      61.72      617.25      617.25    1,172.77    1,234.50",
      "region  sum (GWh)  nulls",
      "NSW1     1,800.00      0",
      "QLD1         1.23      1",
    ]);
  });

  test("no row is wider than the terminal: columns continue in another block", () => {
    const lines = listLines([item("energy", "MWh", { QLD1: [234_567.89, 2], NSW1: [null, 1, 1] })], 36);
    expect(lines.filter((line) => line.length > 36 && /^(region|NSW1|QLD1)/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("region")).length).toBeGreaterThan(1);
    expect(lines.join("\n")).toContain("234,567.89");
  });

  test("eighteen series are within a screen of 80 columns: figures that differ give way to their range", () => {
    const names = Array.from({ length: 18 }, (_, index) => `A_REGION_NUMBER_${index}`);
    const values = names.map(
      (name, index) => [name, Array.from({ length: 3 - (index % 3) }, () => 4_000_000 + index)] as const,
    );
    const lines = listLines([item("energy", "MWh", Object.fromEntries(values))]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.slice(0, 6)).toEqual([
      "summary: 18 series, 36 points, no gaps in 3 intervals; times in network time",
      "every series: no nulls, none missing, first 2025-01-31 00:00,",
      "min at 2025-01-31 00:00, max at 2025-01-31 00:00",
      "last 2025-01-31 00:00 to 2025-01-31 02:00",
      expect.stringMatching(/^energy \(GWh\) +min +p5 +median +mean +p95 +max +sum +points$/),
      expect.stringMatching(/^A_REGION_NUMBER_0 /),
    ]);
  });

  test("wide characters take two cells", () => {
    const rows = listLines([item("energy", "MWh", { 電気: [1, 2], NSW1: [1, 2] })]).slice(-2);
    expect(new Set(rows.map((row) => stringWidth(row))).size).toBe(1);
  });

  test("no points, and nothing but nulls", () => {
    expect(listLines([])).toEqual([
      "summary: 0 series, 0 points,",
      "3 of 3 intervals without data; times in network time",
    ]);
    expect(listLines([item("price", "$/MWh", { NSW1: [null] })]).slice(-2)).toEqual([
      "region  min  p5  median  mean  p95  max",
      "NSW1      –   –       –     –    –    –",
    ]);
  });
});

test("a short series takes little memory", () => {
  const before = process.memoryUsage().arrayBuffers;
  const lists = Array.from({ length: 10_000 }, (_, index) => {
    const list = new NumberList();
    list.add(index);
    return list;
  });
  expect((process.memoryUsage().arrayBuffers - before) / lists.length).toBeLessThan(1000);
});
