/** The runs of forecasts: merged series know which run each point came from, and rows are divided where it changes. */
import { expect, test } from "vitest";
import fc from "fast-check";
import { joinRuns, listRuns, splitByRun, splitItemByRun } from "../../src/series/forecast-runs.ts";
import { addRuns } from "../../src/series/layout/run-column.ts";
import type { PlacedSeries } from "../../src/series/layout/layout.ts";
import { joinPoints } from "../../src/series/point-operations.ts";
import type { Points } from "../../src/series/points.ts";
import type { Series, TimeSeries } from "../../src/series/time-series.ts";
import { printAsSent } from "../../src/time/timestamp-printer.ts";

const HOUR = 3_600_000;
const RUNS = [null, "2026-11-27T04:00:00+10:00", "2026-11-26T23:00:00Z", "2026-11-27T10:00:00+10:00"];

function pointsAt(hours: readonly number[]): Points {
  const instants = hours.map((hour) => hour * HOUR);
  return { instants, timestamps: instants.map((at) => new Date(at).toISOString()), values: hours.map(String) };
}

function seriesOf(hours: readonly number[], run: string | null): Series {
  const points = pointsAt(hours);
  const [from, until] = [points.instants[0], points.instants.at(-1)];
  const runs = from === undefined || until === undefined ? [] : [{ from, until, run }];
  return { fields: { name: "a", date_start: "?", date_end: "?" }, labels: {}, points, runs };
}

const runsOf = (series: Pick<Series, "points" | "runs">) =>
  splitByRun(series).flatMap(({ points, run }) => Array.from(points.instants, (at) => [at / HOUR, run] as const));

const hourLists = fc.uniqueArray(fc.nat(30), { maxLength: 12 }).map((hours) => hours.toSorted((a, b) => a - b));

test("joining series keeps the run of each point, also if their times interleave", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hourLists, fc.constantFrom(...RUNS)), { minLength: 1, maxLength: 4 }), (parts) => {
      const taken = new Set<number>();
      const members = parts.map(([hours, run]) => {
        const own = hours.filter((hour) => !taken.has(hour));
        for (const hour of own) taken.add(hour);
        return seriesOf(own, run);
      });
      const expected = new Map(members.flatMap(runsOf));
      const joined = { points: joinPoints(members.map(({ points }) => points)), ...joinRuns(members) };
      expect(new Map(runsOf(joined))).toEqual(expected);
      expect(joined.points.instants).toHaveLength(expected.size);
    }),
  );
});

test("a TimeSeries is divided by run, oldest first, each with its own first and last timestamp", () => {
  const [early, late] = [seriesOf([0, 1, 2], "2026-11-26T23:00:00Z"), seriesOf([3, 4], "2026-11-27T10:00:00+10:00")];
  const series = { ...early, points: joinPoints([early.points, late.points]), ...joinRuns([early, late]) };
  const item: TimeSeries = {
    fields: { metric: "a", date_start: "?" },
    network: "NEM",
    metric: "a",
    unit: "MW",
    series: [series],
  };
  expect(listRuns([item])).toEqual(["2026-11-26T23:00:00Z", "2026-11-27T10:00:00+10:00"]);
  expect(splitItemByRun(item).map(({ fields, series: [one] }) => [fields, one?.fields, one?.points.values])).toEqual([
    [
      { metric: "a", date_start: "1970-01-01T00:00:00.000Z", forecast_run_time: "2026-11-26T23:00:00Z" },
      { name: "a", date_start: "1970-01-01T00:00:00.000Z", date_end: "1970-01-01T02:00:00.000Z" },
      ["0", "1", "2"],
    ],
    [
      { metric: "a", date_start: "1970-01-01T03:00:00.000Z", forecast_run_time: "2026-11-27T10:00:00+10:00" },
      { name: "a", date_start: "1970-01-01T03:00:00.000Z", date_end: "1970-01-01T04:00:00.000Z" },
      ["3", "4"],
    ],
  ]);
  const measured = { ...item, series: [{ ...late, runs: undefined as never }] };
  expect(splitItemByRun(measured)).toEqual([measured]);
});

test("two forecasts in one row: the row has the newer run; series without runs are divided along", () => {
  const place = (series: Series, rank: number, valueColumn: number) =>
    ({ rank, constants: ["NEM"], valueColumn, points: series.points, source: { series } }) as unknown as PlacedSeries;
  const demand = { ...seriesOf([0, 1, 2, 3], null), runs: undefined as never };
  const other = seriesOf([1, 2, 3], "2026-11-27T04:00:00+10:00");
  const placed = [
    place(seriesOf([0, 1], "2026-11-26T23:00:00Z"), 0, 0),
    place(seriesOf([1, 2], "2026-11-27T10:00:00+10:00"), 0, 1),
    place(demand, 0, 2),
    place(other, 7, 0),
  ];
  const rows = addRuns(placed, printAsSent).flatMap(({ rank, constants, points, valueColumn }) =>
    Array.from(points.instants, (at) => ({ row: `${rank} ${constants.join(" ")}`, hour: at / HOUR, valueColumn })),
  );
  const runs = new Map(
    rows.filter(({ valueColumn }) => valueColumn === 2).map(({ hour, row }) => [hour, row.slice(2)]),
  );
  expect([...runs]).toEqual([
    [0, "NEM 2026-11-26T23:00:00Z"],
    // At hour 1 both runs were used: 23:00Z is 09:00+10:00, an hour before the other one.
    [1, "NEM 2026-11-27T10:00:00+10:00"],
    [2, "NEM 2026-11-27T10:00:00+10:00"],
    [3, "NEM "],
  ]);
  // Points of an instant share a row with others of their rank, and with nobody else.
  const ranksOf = (hour: number, column: number) =>
    rows.filter((one) => one.hour === hour && one.valueColumn === column).map(({ row }) => row);
  expect(ranksOf(1, 0)).toContain(ranksOf(1, 1)[0]);
  expect(ranksOf(1, 1)).toEqual(ranksOf(1, 2));
  expect(new Set(rows.filter(({ row }) => row.includes("04:00")).map(({ row }) => row)).size).toBe(1);
});
