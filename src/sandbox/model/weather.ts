import { meridianOf, STEPS_PER_DAY } from "./clock.ts";
import { addNoise, seedOf } from "./noise.ts";
import type { DayRow, RegionDay } from "./rows.ts";
import type { Region } from "../fleet/regions.ts";

export interface Weather {
  /** Sine of the sun's elevation, not below 0. */
  readonly sun: DayRow;
  /** Share of sunlight that passes through the clouds, 0.3 to 1. */
  readonly clear: DayRow;
  /** Windiness of the region, about -1 to 1. */
  readonly wind: DayRow;
  /** Degrees Celsius. */
  readonly temperature: DayRow;
}

/** In turns, like all angles here. */
const DEGREE = 1 / 360;
const YEAR_DAYS = 365.2425;
/** Warmest day of the year (southern hemisphere), and the daily lag of temperature behind the sun. */
const WARMEST_DAY = 20;
const HEAT_LAG = 40 * DEGREE;

export function computeWeather(regionDay: RegionDay): Weather {
  const { region, day, rows } = regionDay;
  const seed = seedOf(region.code);
  const clear = addNoise(
    rows.take(),
    day,
    { seed: seed + 1, period: 500, amplitude: 0.35 },
    { seed: seed + 2, period: 30, amplitude: 0.18 },
    { seed: seed + 3, period: 3, amplitude: 0.05 },
  );
  for (let i = 0; i < clear.length; i++) clear[i] = Math.min(1, Math.max(0.3, 0.82 + clear[i]!));
  const wind = addNoise(
    rows.take(),
    day,
    { seed: seed + 4, period: 810, amplitude: 0.7 },
    { seed: seed + 5, period: 130, amplitude: 0.35 },
    { seed: seed + 6, period: 22, amplitude: 0.1 },
  );
  return { sun: computeSun(regionDay), clear, wind, temperature: computeTemperature(regionDay) };
}

function computeSun({ region, day, rows }: RegionDay): DayRow {
  const sun = rows.take();
  const declination = -23.44 * DEGREE * cosineOfTurns((day + 10) / YEAR_DAYS);
  const base = sineOfTurns(region.location.lat * DEGREE) * sineOfTurns(declination);
  const swing = cosineOfTurns(region.location.lat * DEGREE) * cosineOfTurns(declination);
  const hours = cosinesOfHour(region, 0);
  for (let i = 0; i < sun.length; i++) sun[i] = Math.max(0, base + swing * hours[i]!);
  return sun;
}

function computeTemperature({ region, day, rows }: RegionDay): DayRow {
  const seed = seedOf(region.code);
  const layers = [
    { seed: seed + 7, period: 1100, amplitude: 7 },
    { seed: seed + 8, period: 200, amplitude: 2 },
  ];
  const temperature = addNoise(rows.take(), day, ...layers);
  const { mean, season, day: swing } = region.temperature;
  const base = mean + season * cosineOfTurns((day - WARMEST_DAY) / YEAR_DAYS);
  const hours = cosinesOfHour(region, HEAT_LAG);
  for (let i = 0; i < temperature.length; i++) temperature[i]! += base + swing * hours[i]!;
  return temperature;
}

const tables = new Map<string, DayRow>();

/** Cosine of the sun's hour angle minus `lag`, for each interval of any day. */
function cosinesOfHour(region: Region, lag: number): DayRow {
  const key = `${region.code} ${lag}`;
  const known = tables.get(key);
  if (known) return known;
  const shift = (region.location.lng - meridianOf(region.network)) * DEGREE - 0.5 - lag;
  const table = Float64Array.from({ length: STEPS_PER_DAY }, (_, i) =>
    cosineOfTurns((i + 0.5) / STEPS_PER_DAY + shift),
  );
  tables.set(key, table);
  return table;
}

/**
 * Sine and cosine of an angle in turns, by plain arithmetic, accurate to 12 decimals. The last digit of Math.sin may
 * differ between JavaScript engines, but the sandbox's numbers must not.
 */
function cosineOfTurns(turns: number): number {
  const fraction = turns - Math.floor(turns);
  const folded = Math.min(fraction, 1 - fraction);
  return folded > 0.25 ? -cosineOfQuarter(0.5 - folded) : cosineOfQuarter(folded);
}

function sineOfTurns(turns: number): number {
  return cosineOfTurns(turns - 0.25);
}

/** Denominators of the Taylor series: n (n - 1) for n = 16, 14, …, 2. */
const STEPS = [240, 182, 132, 90, 56, 30, 12, 2];

function cosineOfQuarter(turns: number): number {
  const angle = 2 * Math.PI * turns;
  const square = angle * angle;
  return STEPS.reduce((sum, step) => 1 - (square / step) * sum, 1);
}
