/** Values of other intervals and series, by hand. */
import { describe, expect, test } from "vitest";
import { planQuery } from "../../src/plan/plan.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { QUERY_OPTIONS } from "../../src/options/query-options.ts";
import { TRANSFORM_OPTIONS } from "../../src/options/transform-options.ts";
import { optionsOf } from "../../src/options/spec.ts";
import { resolveQuery } from "../../src/query/query.ts";
import { EarlierValues } from "../../src/series/transforms/compare.ts";
import { Rolling } from "../../src/series/transforms/rolling.ts";
import { SeriesClock } from "../../src/series/transforms/series-clock.ts";
import type { Points } from "../../src/series/points.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { type Duration, parseDuration } from "../../src/time/duration.ts";

const item = (interval: string, unit = "MW"): TimeSeries => ({
  fields: { interval },
  network: "NEM",
  metric: unit === "MWh" ? "energy" : "power",
  unit,
  series: [],
});

const duration = (text: string) => parseDuration(text) as Duration;

function pointsOf(values: Readonly<Record<string, string | null>>, ratio?: Points["ratio"]): Points {
  const days = Object.keys(values);
  return {
    timestamps: days,
    instants: days.map((day) => Date.parse(`${day}T00:00:00+10:00`)),
    values: Object.values(values),
    ...(ratio ? { ratio } : {}),
  };
}

const clock = (interval: string) => new SeriesClock(item(interval), { interval: undefined });

describe("rolling values", () => {
  const roll = (text: string, of: TimeSeries, points: Points) =>
    new Rolling(duration(text), clock(of.fields["interval"] as string), of).roll(points).values;

  test("are exact, null until the duration is full, and where an interval has no value or is missing", () => {
    const points = pointsOf({
      "2025-01-01": "0.1",
      "2025-01-02": "0.20",
      "2025-01-03": "0.3",
      "2025-01-04": null,
      "2025-01-05": "1e2",
      "2025-01-06": "-100.3",
      "2025-01-08": "1",
      "2025-01-09": "2",
    });
    expect(roll("2d", item("1d", "MWh"), points)).toEqual([null, "0.30", "0.50", null, null, "-0.3", null, "3"]);
    expect(roll("2d", item("1d"), points).slice(0, 3)).toEqual([null, "0.15", "0.25"]);
  });

  test("of a calendar month have the days of the month that ends with the interval", () => {
    const days = Object.fromEntries(
      Array.from({ length: 91 }, (_, day) => [new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10), "1"]),
    );
    const sums = roll("1M", item("1d", "MWh"), pointsOf(days));
    const at = (day: string) => sums[Object.keys(days).indexOf(day)];
    // January is the first that is full.
    expect([at("2024-01-30"), at("2024-01-31"), at("2024-02-29"), at("2024-03-31")]).toEqual([null, "31", "29", "31"]);
  });

  test("of a ratio are the ratio of the sums, at most what no ratio exceeds", () => {
    const ratio = { over: [1, 9, 300], under: [1, 3, 1], most: 100 };
    const points = pointsOf({ "2025-01-01": "1", "2025-01-02": "3", "2025-01-03": "100" }, ratio);
    expect(roll("2d", item("1d"), points)).toEqual([null, "2.5", "77.25"]);
    expect(roll("1d", item("1d"), points)).toEqual(["1", "3", "100"]);
  });
});

describe("earlier values", () => {
  const compare = (text: string, interval: string, points: Points) =>
    new EarlierValues(duration(text), clock(interval)).compare(points).map(({ values }) => values);

  test("are those of the same day: 29 February has none, nor has the 31st of a shorter month", () => {
    const years = pointsOf({
      "2023-02-28": "1",
      "2023-03-01": "2",
      "2024-02-28": "10",
      "2024-02-29": "11",
      "2024-03-01": "12",
    });
    expect(compare("1y", "1d", years)[0]).toEqual([null, null, "1", null, "2"]);
    const months = pointsOf({ "2025-02-28": "1", "2025-03-28": "2", "2025-03-31": "3", "2025-04-28": "4" });
    expect(compare("1M", "1d", months)[0]).toEqual([null, "1", null, "2"]);
  });

  test("have exact changes, in % of the size of the earlier value; null where one of the two is, and of zero", () => {
    const points = pointsOf({
      "2025-01-01": "-40.05",
      "2025-01-02": "-30",
      "2025-01-03": "0",
      "2025-01-04": "5",
      "2025-01-05": null,
      "2025-01-06": "1",
    });
    expect(compare("1d", "1d", points)).toEqual([
      [null, "-40.05", "-30", "0", "5", null],
      [null, "10.05", "30", "5", null, null],
      [null, String((100 * 10.05) / 40.05), "100", null, null, null],
    ]);
  });
});

describe("what is asked for", () => {
  function plan(flags: Readonly<Record<string, string>>) {
    const table = { ...optionsOf(QUERY_OPTIONS, "market"), ...TRANSFORM_OPTIONS };
    const options = parseOptions(table, { metrics: ["price"], ...flags });
    const now = Date.parse("2026-06-01T10:00:00+10:00");
    const { query } = resolveQuery(options, { command: "market", network: "NEM", now });
    return planQuery(query, { now, maxWindow: "none" }).windows.map(({ window: { start, end } }) =>
      [start, end].map((at) => (at === undefined ? "" : new Date(at).toISOString().slice(0, 16))),
    );
  }

  test("begins as long before the window as the longest duration needs", () => {
    const day = { interval: "1h", during: "2026-03-31" };
    expect(plan({ ...day, rolling: "3h" })).toEqual([["2026-03-30T22:00", "2026-03-31T23:59"]]);
    expect(plan({ ...day, rolling: "1M" })).toEqual([["2026-02-28T01:00", "2026-03-31T23:59"]]);
    expect(plan({ interval: "1M", during: "2026-03", rolling: "12M" })).toEqual([
      ["2025-04-01T00:00", "2026-03-31T23:59"],
    ]);
    expect(plan({ interval: "fy", during: "FY2025", rolling: "2y" })).toEqual([
      ["2023-07-01T00:00", "2025-06-30T23:59"],
    ]);
  });

  test("begins with a year where intervals are seasons, whose summer is of one year", () => {
    const seasons = { interval: "season", dateStart: "2025-06", dateEnd: "2025-12" };
    expect(plan({ ...seasons, rolling: "1y" })).toEqual([["2024-01-01T00:00", "2025-12-31T23:59"]]);
    expect(plan({ ...seasons, compare: "3y" })).toEqual([["2022-01-01T00:00", "2025-12-31T23:59"]]);
  });

  test("is another window where a comparison is with a time that is far away", () => {
    const day = { interval: "1h", during: "2026-03-31" };
    expect(plan({ ...day, compare: "1y", rolling: "3h" })).toEqual([
      ["2025-03-30T22:00", "2025-03-31T23:59"],
      ["2026-03-30T22:00", "2026-03-31T23:59"],
    ]);
    expect(plan({ ...day, compare: "1d" })).toEqual([["2026-03-30T00:00", "2026-03-31T23:59"]]);
    expect(plan({ interval: "1h", last: "7d", compare: "1y" })).toEqual([
      ["2025-05-25T10:00", "2025-06-01T10:00"],
      ["2026-05-25T10:00", ""],
    ]);
  });
});
