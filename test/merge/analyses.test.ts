/** What is printed in place of all rows equals a plain computation from all rows, however the window is divided. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupBy } from "../../src/base/group-by.ts";
import { intervals } from "../unit/generators.ts";
import { draws } from "../support/extent.ts";
import { offsetMs } from "./fake-service.ts";
import { intervalAround } from "./model-intervals.ts";
import { type Case, casesOf, seeds } from "./cases.ts";
import { NOW, type OutputKind, runPieces, runWhole, serve } from "./harness.ts";

const DAY = 86_400_000;
const METRICS = ["power", "price"];
const labels = fc.record({ region: fc.constantFrom("NSW1", "QLD1", "TAS1") });
/** Some of the series have the same value in all intervals. */
const any = casesOf({ metrics: METRICS, labels, repeats: [1, 1, 2], most: 6 }).map((drawn) => ({
  ...drawn,
  model: {
    ...drawn.model,
    series: drawn.model.series.map((series) =>
      series.slope % 2 === 0 ? { ...series, slope: 0, base: series.base % 2 } : series,
    ),
  },
}));
/** With intervals that are shorter than a day. */
const short = casesOf(
  { metrics: ["price"], labels, repeats: [1], most: 2 },
  intervals.filter((interval) => ["5m", "30m", "1h"].includes(interval)),
);

/** The interval of a point, as instants; of a summer, the part that began last. */
function spanOf({ model }: Case, instant: number): readonly [from: number, until: number] {
  const local = instant + offsetMs(model);
  const [year, month] = [new Date(local).getUTCFullYear(), new Date(local).getUTCMonth()];
  const months =
    month === 9
      ? [
          [0, 2],
          [11, 12],
        ]
      : [[month + 2, month + 5]];
  const season = months.map((ends) => ends.map((one) => Date.UTC(year, one)) as [number, number]);
  const parts = model.interval === "season" ? season : [intervalAround(model.interval, local)];
  const spans = parts.map(([from, until]) => [from - offsetMs(model), until - offsetMs(model)] as const);
  return spans.findLast(([from]) => from <= NOW) ?? [instant, instant];
}

interface Row {
  readonly line: string;
  readonly timestamp: string;
  readonly instant: number;
  readonly metric: string;
  readonly region: string;
  readonly value: number;
}

/** Of a long csv, without nulls: where a service does not show whether it fills gaps, some of them are unknown. */
function readRows(csv: string): Row[] {
  return listLines(csv)
    .map((line) => {
      const [timestamp = "", , metric = "", , region = "", value = ""] = line.split(",");
      return {
        line,
        timestamp,
        instant: Date.parse(timestamp),
        metric,
        region,
        value: value === "" ? Number.NaN : Number(value),
      };
    })
    .filter(({ value }) => !Number.isNaN(value));
}

function listLines(csv: string): string[] {
  return csv.split("\n").slice(1, -1);
}

type Analysis = NonNullable<OutputKind[2]>;

/**
 * Checks the lines of an analysis, of a single response and of pieces, against all rows, from which its limits may be
 * chosen.
 */
async function expectAnalysis<V extends Analysis>(
  drawn: Case,
  { seed, flagsOf }: { seed: number; flagsOf: (rows: readonly Row[]) => V },
  check: (lines: string[], rows: Row[], analysis: V) => void,
) {
  const { model, query, limits, ...options } = drawn;
  const whole = async (output: OutputKind) => (await runWhole(query, serve(model, { seed, plain: true }), output)).text;
  const rows = readRows(await whole(["csv", "long"]));
  const analysis = flagsOf(rows);
  const output = ["csv", "long", analysis] as const;
  const pieces = await runPieces({ ...options, query, output, send: serve(model, { limits, seed }) });
  for (const text of [await whole(output), pieces.text]) check(listLines(text), rows, analysis);
}

/** One of the values of a metric, of which others may be the same. */
function chooseLimit(rows: readonly Row[], metric: string, share: number): string {
  const values = rows.filter((row) => row.metric === metric).map(({ value }) => value);
  return `${metric}:${values[Math.floor(share * values.length)] ?? 0}`;
}

const shares = fc.option(fc.noBias(fc.integer({ min: 0, max: 99 })).map((percent) => percent / 100));
/** Beyond a limit, or without one. */
const isAbove = (value: number, limit: string | undefined) =>
  limit === undefined || value > Number(limit.split(":")[1]);
const isBelow = (value: number, limit: string | undefined) =>
  limit === undefined || value < Number(limit.split(":")[1]);

const isOf = (row: Row, other: Row) => row.timestamp === other.timestamp && row.region === other.region;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const runsOf = { numRuns: draws(120, 1500) };

describe("of random services", () => {
  test("--above and --below keep the rows that have a value beyond, with the other metrics of their time and labels", async () => {
    await fc.assert(
      fc.asyncProperty(any, seeds, fc.tuple(shares, shares), async (drawn, seed, [above, below]) => {
        fc.pre(above !== null || below !== null);
        const [metric = ""] = drawn.query.metrics;
        const flagsOf = (rows: readonly Row[]) => ({
          ...(above === null ? {} : { above: chooseLimit(rows, metric, above) }),
          ...(below === null ? {} : { below: chooseLimit(rows, metric, below) }),
        });
        await expectAnalysis(drawn, { seed, flagsOf }, (lines, rows, analysis) => {
          const isBeyond = (value: number) =>
            (analysis.above !== undefined && isAbove(value, analysis.above)) ||
            (analysis.below !== undefined && isBelow(value, analysis.below));
          const picks = rows.filter((row) => row.metric === metric && isBeyond(row.value));
          const kept = rows.filter((row) =>
            picks.some((pick) => row === pick || (row.metric !== metric && isOf(row, pick))),
          );
          expect(lines.filter((line) => !line.endsWith(","))).toEqual(kept.map(({ line }) => line));
        });
      }),
      runsOf,
    );
  });

  test("--top and --bottom have the largest and smallest values, ties by time, of all series or of each, in each year or of all", async () => {
    const rankings = fc.record({
      top: fc.boolean(),
      each: fc.boolean(),
      count: fc.integer({ min: 1, max: 6 }),
      above: shares,
      per: fc.constantFrom("year", undefined),
    });
    await fc.assert(
      fc.asyncProperty(any, seeds, rankings, async (drawn, seed, { top, each, count, above, per }) => {
        const metric = drawn.query.metrics.at(-1) ?? "";
        const flagsOf = (rows: readonly Row[]) => ({
          [top ? "top" : "bottom"]: `${metric}:${count}`,
          each,
          above: above === null ? undefined : chooseLimit(rows, metric, above),
          ...(per ? { per } : {}),
        });
        const yearOf = ({ instant }: Row) =>
          per ? `${new Date(instant + offsetMs(drawn.model)).getUTCFullYear()},` : "";
        await expectAnalysis(drawn, { seed, flagsOf }, (lines, rows, analysis) => {
          const ranked = rows
            .filter((row) => row.metric === metric && isAbove(row.value, analysis.above))
            .toSorted(
              (a, b) =>
                (top ? b.value - a.value : a.value - b.value) || a.instant - b.instant || compare(a.region, b.region),
            );
          const regions = [...new Set(ranked.map(({ region }) => region))].toSorted(compare);
          const years = [...new Set(ranked.map(yearOf))].toSorted(compare);
          const kept = years.flatMap((year) => {
            const own = ranked.filter((row) => yearOf(row) === year);
            return each
              ? regions.flatMap((region) => own.filter((row) => row.region === region).slice(0, count))
              : own.slice(0, count);
          });
          const expected = kept.flatMap((pick) =>
            rows.filter((row) => row === pick || (isOf(row, pick) && row.metric !== pick.metric)),
          );
          expect(lines.filter((line) => !line.endsWith(","))).toEqual(
            expected.map((row) => `${yearOf(row)}${row.line}`),
          );
        });
      }),
      runsOf,
    );
  });

  test("--latest has the newest value of each series, and its age", async () => {
    await fc.assert(
      fc.asyncProperty(any, seeds, async (drawn, seed) => {
        await expectAnalysis(drawn, { seed, flagsOf: () => ({ latest: true }) }, (lines, rows) => {
          const byBegin = rows.toSorted((a, b) => spanOf(drawn, a.instant)[0] - spanOf(drawn, b.instant)[0]);
          const newest = new Map(byBegin.map((row) => [`${row.metric} ${row.region}`, row]));
          const ordered = [...newest.values()].toSorted(
            (a, b) =>
              drawn.query.metrics.indexOf(a.metric) - drawn.query.metrics.indexOf(b.metric) ||
              compare(a.region, b.region),
          );
          const withAge = ordered.map(({ line, timestamp, instant }) =>
            line.replace(timestamp, `${timestamp},${Math.round(Math.max(0, NOW - spanOf(drawn, instant)[1]) / 1000)}`),
          );
          expect(lines.filter((line) => !line.startsWith(","))).toEqual(withAge);
        });
      }),
      runsOf,
    );
  });

  test("--profile has the mean of each time of day or week in network time, of each month or of all", async () => {
    const profiles = fc.record({ profile: fc.constantFrom("day", "week"), per: fc.constantFrom("month", undefined) });
    await fc.assert(
      fc.asyncProperty(short, seeds, profiles, async (drawn, seed, { profile, per }) => {
        fc.pre(drawn.model.network !== "XX");
        const offset = drawn.model.network === "WEM" ? 8 : 10;
        await expectAnalysis(drawn, { seed, flagsOf: () => ({ profile, ...(per ? { per } : {}) }) }, (lines, rows) => {
          const means = new Map<string, { sum: number; n: number }>();
          for (const { instant, region, value } of rows) {
            const wall = new Date(instant + offset * 3_600_000);
            const [date, time] = [wall.toISOString().slice(0, 7), wall.toISOString().slice(11, 16)];
            const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][wall.getUTCDay()];
            const key = [...(per ? [date] : []), profile === "week" ? `${day} ${time}` : time, region].join(",");
            const mean = means.get(key) ?? { sum: 0, n: 0 };
            means.set(key, { sum: mean.sum + value, n: mean.n + 1 });
          }
          const found = lines.filter((line) => !line.endsWith(","));
          const read = found.map((line) => {
            const cells = line.split(",");
            const [value, n, region] = [cells.pop(), cells.pop(), cells.at(-1)];
            return { key: [...cells.slice(0, per ? 2 : 1), region].join(","), n: Number(n), value: Number(value) };
          });
          expect(new Map(read.map(({ key, n }) => [key, n]))).toEqual(
            new Map([...means].map(([key, { n }]) => [key, n])),
          );
          for (const { key, value } of read)
            expect(value).toBeCloseTo((means.get(key)?.sum ?? 0) / (means.get(key)?.n ?? 1), 9);
          const order = (key: string) =>
            key.replace(/Mon|Tue|Wed|Thu|Fri|Sat|Sun/, (day) =>
              String(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(day)),
            );
          const keys = read.map(({ key }) => order(key));
          expect(keys).toEqual(keys.toSorted(compare));
        });
      }),
      runsOf,
    );
  });

  test("--duration has the values of each series from the largest down, in each week from Monday or of all", async () => {
    await fc.assert(
      fc.asyncProperty(short, seeds, fc.boolean(), async (drawn, seed, isWeekly) => {
        const flags = isWeekly ? { duration: true, per: "week" } : { duration: true };
        await expectAnalysis(drawn, { seed, flagsOf: () => flags }, (lines, rows) => {
          const mondayOf = ({ instant }: Row) => {
            const days = Math.floor((instant + offsetMs(drawn.model)) / DAY);
            return isWeekly ? new Date((days - ((days + 3) % 7)) * DAY).toISOString().slice(0, 10) : "";
          };
          // Without weeks, as if of one.
          const all = lines.map((line) => (isWeekly ? line : `,${line}`).split(","));
          for (const [key, own] of groupBy(rows, (row) => `${mondayOf(row)} ${row.region}`)) {
            const sorted = own.toSorted((a, b) => b.value - a.value);
            const expected = sorted.map(({ value }, index) => [((index + 1) / sorted.length) * 100, value]);
            const found = all.filter((cells) => `${cells[0]} ${cells[5]}` === key);
            expect(found.map((cells) => [Number(cells[1]), Number(cells[6])])).toEqual(expected);
          }
          const places = all.map(([monday = "", share]) => [monday, Number(share)] as const);
          expect(places).toEqual(places.toSorted(([a, x], [b, y]) => compare(a, b) || x - y));
        });
      }),
      runsOf,
    );
  });
});
