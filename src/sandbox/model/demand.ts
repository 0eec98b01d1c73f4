import type { Region } from "../fleet/regions.ts";
import { meridianOf, STEPS_PER_DAY } from "./clock.ts";
import { noise, seedOf } from "./noise.ts";
import { type DayRow, gridOf, rowOf } from "./rows.ts";

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

const DEGREE = Math.PI / 180;
const YEAR_DAYS = 365.2425;
/** Warmest day of the year (southern hemisphere), and the daily lag of temperature behind the sun. */
const WARMEST_DAY = 20;
const HEAT_LAG = 40 * DEGREE;

function computeWeather(region: Region, day: number): Weather {
  const seed = seedOf(region.code);
  const layers = (first: number, ...all: readonly (readonly [period: number, amplitude: number])[]) =>
    noise(
      day,
      all.map(([period, amplitude], index) => ({ seed: seed + first + index, period, amplitude })),
    );
  const clouds = layers(1, [500, 0.35], [30, 0.18], [3, 0.05]);
  const warmth = layers(7, [1100, 7], [200, 2]);
  const [lat, ofYear] = [region.location.lat * DEGREE, (2 * Math.PI) / YEAR_DAYS];
  const declination = -23.44 * DEGREE * Math.cos(ofYear * (day + 10));
  const [base, swing] = [Math.sin(lat) * Math.sin(declination), Math.cos(lat) * Math.cos(declination)];
  const { mean, season, day: daily } = region.temperature;
  const usual = mean + season * Math.cos(ofYear * (day - WARMEST_DAY));
  const noon = (region.location.lng - meridianOf(region.network)) * DEGREE - Math.PI;
  const hourAngle = (i: number) => (2 * Math.PI * (i + 0.5)) / STEPS_PER_DAY + noon;
  return {
    sun: rowOf((i) => Math.max(0, base + swing * Math.cos(hourAngle(i)))),
    clear: rowOf((i) => Math.min(1, Math.max(0.3, 0.82 + clouds[i]!))),
    wind: layers(4, [810, 0.7], [130, 0.35], [22, 0.1]),
    temperature: rowOf((i) => warmth[i]! + usual + daily * Math.cos(hourAngle(i) - HEAT_LAG)),
  };
}

/** Demand as a share of its mean, by hour of the network's clock. */
const WORKDAY = [
  0.84, 0.8, 0.78, 0.77, 0.79, 0.86, 0.97, 1.05, 1.07, 1.06, 1.05, 1.04, 1.04, 1.04, 1.05, 1.07, 1.12, 1.19, 1.21, 1.16,
  1.1, 1.04, 0.97, 0.9,
];
const WEEKEND = [
  0.84, 0.79, 0.76, 0.75, 0.75, 0.78, 0.83, 0.9, 0.95, 0.96, 0.95, 0.94, 0.94, 0.93, 0.94, 0.96, 1.02, 1.1, 1.13, 1.1,
  1.05, 1.0, 0.94, 0.88,
];
const STEPS_PER_HOUR = STEPS_PER_DAY / 24;
const COMFORT = { warmest: 24, coldest: 16 };
/** 1970-01-01 was a Thursday, which is 3 if Monday is 0. */
const EPOCH_WEEKDAY = 3;

/** On the integer grid (0.0001 MWh per interval), except for the weather. */
export interface Demand {
  readonly weather: Weather;
  /** Before rooftop solar. */
  readonly gross: DayRow;
  readonly rooftop: DayRow;
  /** After rooftop solar. */
  readonly net: DayRow;
}

export function computeDemand(region: Region, day: number): Demand {
  const weather = computeWeather(region, day);
  const { sun, clear, temperature } = weather;
  const { mean, growth, cooling, heating } = region.demand;
  const year = 1970 + day / 365.2425;
  const level = mean * (year < 2010 ? 1 - growth * (2010 - year) : 1 + 0.003 * (year - 2010));
  const seed = seedOf(region.code);
  const slow = { seed: seed + 11, period: 150, amplitude: 0.025 };
  const varied = noise(day, [slow, { seed: seed + 12, period: 4, amplitude: 0.006 }]);
  const hours = (day + EPOCH_WEEKDAY) % 7 >= 5 ? WEEKEND : WORKDAY;
  const gross = rowOf((i) => {
    const heat = Math.max(0, temperature[i]! - COMFORT.warmest) * cooling;
    const cold = Math.max(0, COMFORT.coldest - temperature[i]!) * heating;
    return gridOf(level * (varied[i]! + interpolate(hours, i / STEPS_PER_HOUR)) + 0.9 * (heat + cold));
  });
  // In MW, for every fifth year from 2010.
  const megawatts = 0.85 * interpolate(region.rooftop, Math.max(0, (year - 2010) / 5));
  const rooftop = rowOf((i) => gridOf(megawatts * sun[i]! * clear[i]!));
  return { weather, gross, rooftop, net: rowOf((i) => gross[i]! - rooftop[i]!) };
}

/** Between two values of a list, which begins again after its end. */
function interpolate(values: readonly number[], place: number): number {
  const index = Math.floor(place);
  const left = values[index % values.length]!;
  return left + (values[(index + 1) % values.length]! - left) * (place - index);
}
