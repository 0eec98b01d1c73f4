/**
 * Intervals of days to years, split where the service's intervals start, whatever their timestamps. Each value is a
 * sum, so that half an interval shows.
 */
import { expect, test } from "vitest";
import { DAY, type LocalTime } from "../../src/time/local-time.ts";
import { intervalsOf, type World } from "./world.ts";
import { fetchWhole, runIn, startWorldService } from "./world-service.ts";

const weekFrom = (phase: number) => intervalsOf(7 * DAY, phase);

const monthsFrom = (months: number, phase: number) => (local: LocalTime) => {
  const date = new Date(local);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - phase;
  const first = phase + month - (month % months);
  return Date.UTC(Math.floor(first / 12), first % 12);
};

const startOfYear = (years: number) => (bucket: LocalTime) => Date.UTC(new Date(bucket).getUTCFullYear() + years, 0);
const asItIs = (bucket: LocalTime) => bucket;

interface Calendar {
  readonly intervalOf: World["intervalOf"];
  readonly timestampOf?: World["timestampOf"];
  readonly maxWindow: string;
  readonly window: readonly [start: string, end: string];
}

const YEARS = ["2018-03-17", "2025-05-05"] as const;
const MONTHS = ["2023-11-08", "2025-02-20"] as const;

const CALENDARS: Readonly<Record<string, Calendar>> = {
  "1d": { intervalOf: (local) => local - (local % DAY), maxWindow: "5d", window: ["2025-01-01T06:00", "2025-01-30"] },
  "7d from Sunday": { intervalOf: weekFrom(3 * DAY), maxWindow: "30d", window: MONTHS },
  "7d from Sunday, aligned": { intervalOf: weekFrom(3 * DAY), maxWindow: "2w", window: ["2024-12-29", "2025-03-01"] },
  "1M": { intervalOf: monthsFrom(1, 0), maxWindow: "70d", window: MONTHS },
  "3M": { intervalOf: monthsFrom(3, 0), maxWindow: "200d", window: MONTHS },
  "1y": { intervalOf: monthsFrom(12, 0), maxWindow: "1000d", window: YEARS },
  fy: { intervalOf: monthsFrom(12, 6), maxWindow: "2y", window: YEARS },
  "fy, stamped on 1 January of the year in which it ends": {
    intervalOf: monthsFrom(12, 6),
    timestampOf: startOfYear(1),
    maxWindow: "2y",
    window: YEARS,
  },
};

const SERIES: World["series"] = [
  { labels: { region: "NSW1" } },
  { labels: { region: "VIC1" }, from: Date.UTC(2024, 5, 5), to: Date.UTC(2024, 11, 20) },
  { labels: { region: "QLD1" }, from: Date.UTC(2025, 0, 6), repeats: true },
];

test.concurrent.for(Object.entries(CALENDARS))("%s", async ([name, calendar]) => {
  const { intervalOf, timestampOf = asItIs, maxWindow, window } = calendar;
  const interval = /^\w+/.exec(name)?.[0] ?? "";
  const world: Partial<World> = { interval, step: DAY / 4, intervalOf, timestampOf, series: SERIES };
  const query = [
    "network",
    "NEM",
    "-m",
    "power",
    "energy",
    "-i",
    interval,
    "-s",
    window[0],
    "-e",
    window[1],
    "-f",
    "csv",
  ];
  const whole = await fetchWhole(query, [], world);
  for (const inclusive of [true, false]) {
    const service = await startWorldService({ world: { ...world, inclusive } });
    const run = await runIn({ service }, [...query, "--max-window", maxWindow, "--rate", "1000"]);
    expect(run).toMatchObject({ code: 0, stdout: whole });
    // Only an interval that the window divides, and the series that repeats its timestamps, cause a warning.
    expect(run.stderr).toMatch(
      /^(ents: warning: (the (first|last) interval is partial|seasons? [^\n]+ (is|are) partial|the service sent two values for power_QLD1)[^\n]*\n)*$/,
    );
    expect(service.requests.length).toBeGreaterThan(2);
  }
});
