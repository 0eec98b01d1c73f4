/** `--minus`, `--rolling` and `--compare` equal a plain computation from all rows, however the window is divided. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Query } from "../../src/query/query.ts";
import type { Transforms } from "../../src/query/transforms.ts";
import { KNOWN } from "../support/intervals.ts";
import { draws } from "../support/extent.ts";
import { casesOf, seeds } from "./cases.ts";
import { offsetMs } from "./fake-service.ts";
import { runPieces, runWhole, serve } from "./harness.ts";
import { intervalAround, ordinalOf } from "./model-intervals.ts";

const REGIONS = ["NSW1", "QLD1", "TAS1"];
const labels = fc.record({ region: fc.constantFrom(...REGIONS) });
const any = casesOf({ metrics: ["power", "energy"], labels, repeats: [1, 1, 1, 1, 2], most: 6, isDense: true });

interface Point {
  readonly series: string;
  /** The number of its interval. */
  readonly ordinal: number;
  readonly timestamp: string;
  /** NaN for null. */
  readonly value: number;
  readonly before?: number;
}

function readPoints(csv: string, ordinalAt: (instant: number) => number): Point[] {
  const [header = "", ...lines] = csv.split("\n").slice(0, -1);
  const names = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const numberOf = (name: string) => {
      const cell = cells[names.indexOf(name)];
      return cell === undefined || cell === "" ? Number.NaN : Number(cell);
    };
    const timestamp = cells[0] as string;
    const before = names.includes("before") ? { before: numberOf("before") } : {};
    if (names.includes("before")) {
      const change = numberOf("value") - numberOf("before");
      expectClose(numberOf("change"), change);
      const percent = numberOf("before") === 0 ? Number.NaN : (100 * change) / Math.abs(numberOf("before"));
      expectClose(numberOf("change_percent"), percent);
    }
    return {
      series: `${cells[2]} ${cells[4]}`,
      ordinal: ordinalAt(Date.parse(timestamp)),
      timestamp,
      value: numberOf("value"),
      ...before,
    };
  });
}

function expectClose(found: number, expected: number): void {
  const error = Math.abs(found - expected) / Math.max(1, Math.abs(expected));
  expect(Number.isNaN(expected) ? Number.isNaN(found) : error <= 1e-9, `${found} is ${expected}`).toBe(true);
}

/** The points of a series by interval. */
function byOrdinal(points: readonly Point[], series: string): Map<number, Point[]> {
  const found = new Map<number, Point[]>();
  for (const point of points.filter((one) => one.series === series))
    found.set(point.ordinal, [...(found.get(point.ordinal) ?? []), point]);
  return found;
}

function minus(points: readonly Point[], region: string): Point[] {
  return points
    .filter(({ series }) => !series.endsWith(region))
    .map((point) => {
      const other = byOrdinal(points, `${point.series.split(" ")[0]} ${region}`)
        .get(point.ordinal)
        ?.at(-1);
      return { ...point, value: point.value - (other?.value ?? Number.NaN) };
    });
}

function roll(points: readonly Point[], count: number, isSum: (series: string) => boolean): Point[] {
  return points.map((point) => {
    const own = byOrdinal(points, point.series);
    const all = Array.from({ length: count }, (_, back) => own.get(point.ordinal - back) ?? []);
    // Of a repeated interval, those up to this one.
    const upTo = all.map((same) => same.slice(0, same.includes(point) ? same.indexOf(point) + 1 : same.length));
    const sum = upTo.reduce((total, same) => total + (same.length === 1 ? (same[0] as Point).value : Number.NaN), 0);
    return { ...point, value: isSum(point.series) ? sum : sum / count };
  });
}

function compare(points: readonly Point[], count: number): Point[] {
  return points.map((point) => ({
    ...point,
    before:
      byOrdinal(points, point.series)
        .get(point.ordinal - count)
        ?.at(-1)?.value ?? Number.NaN,
  }));
}

const counts = fc.record({
  region: fc.option(fc.constantFrom(...REGIONS), { nil: undefined }),
  rolling: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  compared: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  /** The intervals before those that are printed. */
  lead: fc.nat(4),
  streams: fc.boolean(),
});

test("of random services", async () => {
  await fc.assert(
    fc.asyncProperty(any, seeds, counts, async (drawn, seed, { region, rolling, compared, lead, streams }) => {
      const { query, limits, ...options } = drawn;
      const model = { ...drawn.model, units: { energy: "MWh" } };
      fc.pre(model.network !== "XX");
      const { interval, window } = query as Query & { interval: keyof typeof KNOWN; window: { start: number } };
      const { rule } = KNOWN[interval];
      const durationOf = (count: number) =>
        "ms" in rule
          ? ({ amount: (count * rule.ms) / 60_000, unit: "minutes" } as const)
          : ({ amount: count * rule.months, unit: "months" } as const);
      const transforms: Transforms = {
        minus: region === undefined ? undefined : { label: "region", value: region },
        rolling: rolling === undefined ? undefined : durationOf(rolling),
        compare: compared === undefined ? undefined : durationOf(compared),
      };
      let start = window.start;
      // Seasons do not tile time.
      for (let left = interval === "season" ? 0 : lead; left > 0; left--) start = intervalAround(interval, start)[1];
      const ordinalAt = (instant: number) => ordinalOf(interval, instant + offsetMs(model));
      const first =
        interval === "fy" ? ordinalOf(interval, intervalAround(interval, start)[1]) : ordinalOf(interval, start);
      const whole = await runWhole(query, serve(model, { seed, plain: true }), ["csv", "long"]);
      let points = readPoints(whole.text, ordinalAt);
      if (region !== undefined) points = minus(points, region);
      const isSum = (series: string) => series.startsWith("energy") && region === undefined;
      if (rolling !== undefined) points = roll(points, rolling, isSum);
      if (compared !== undefined) points = compare(points, compared);
      const expected = points.filter(
        ({ ordinal }) => interval === "season" || start === window.start || ordinal >= first,
      );

      const asked = {
        ...query,
        transforms,
        window: { ...window, start },
        ...(start > window.start ? { lead: start - window.start } : {}),
      };
      fc.pre((window.end ?? start) >= start);
      const pieces = await runPieces({
        ...options,
        query: asked,
        output: ["csv", "long"],
        send: serve(model, { limits, seed }),
        streams,
      });
      const found = readPoints(pieces.text, ordinalAt);
      // Where a service does not show whether it fills gaps, some rows without a value are unknown.
      const known = (all: readonly Point[]) => all.filter(({ value }) => !Number.isNaN(value));
      expect(known(found).map(({ series, timestamp }) => `${timestamp} ${series}`)).toEqual(
        known(expected).map(({ series, timestamp }) => `${timestamp} ${series}`),
      );
      for (const [index, point] of known(found).entries()) {
        expectClose(point.value, known(expected)[index]?.value as number);
        if (point.before !== undefined) expectClose(point.before, known(expected)[index]?.before as number);
      }
    }),
    { numRuns: draws(200, 2000) },
  );
});
