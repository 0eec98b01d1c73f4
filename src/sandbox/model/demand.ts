import type { Region } from "../fleet/regions.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise, seedOf } from "./noise.ts";
import { type DayRow, gridOf, type RegionDay } from "./rows.ts";
import { computeWeather, type Weather } from "./weather.ts";

/** Demand as a share of its mean, by hour of the network's clock. */
const WORKDAY = interpolateHours([
  0.84, 0.8, 0.78, 0.77, 0.79, 0.86, 0.97, 1.05, 1.07, 1.06, 1.05, 1.04, 1.04, 1.04, 1.05, 1.07, 1.12, 1.19, 1.21, 1.16,
  1.1, 1.04, 0.97, 0.9,
]);
const WEEKEND = interpolateHours([
  0.84, 0.79, 0.76, 0.75, 0.75, 0.78, 0.83, 0.9, 0.95, 0.96, 0.95, 0.94, 0.94, 0.93, 0.94, 0.96, 1.02, 1.1, 1.13, 1.1,
  1.05, 1.0, 0.94, 0.88,
]);
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

export function computeDemand(regionDay: RegionDay): Demand {
  const { region, day, rows } = regionDay;
  const weather = computeWeather(regionDay);
  const gross = computeGrossDemand(regionDay, weather.temperature);
  const [rooftop, net] = [rows.take(), rows.take()];
  const megawatts = rooftopCapacity(region, day) * 0.85;
  for (let i = 0; i < net.length; i++) {
    rooftop[i] = gridOf(megawatts * weather.sun[i]! * weather.clear[i]!);
    net[i] = gross[i]! - rooftop[i]!;
  }
  return { weather, gross, rooftop, net };
}

function computeGrossDemand({ region, day, rows }: RegionDay, temperature: DayRow): DayRow {
  const { mean, cooling, heating } = region.demand;
  const level = mean * growthOf(region, day);
  const seed = seedOf(region.code);
  const slow = { seed: seed + 11, period: 150, amplitude: 0.025 * level };
  const gross = addNoise(rows.take(), day, slow, { seed: seed + 12, period: 4, amplitude: 0.006 * level });
  const profile = (day + EPOCH_WEEKDAY) % 7 >= 5 ? WEEKEND : WORKDAY;
  for (let i = 0; i < gross.length; i++) {
    const heat = Math.max(0, temperature[i]! - COMFORT.warmest) * cooling;
    const cold = Math.max(0, COMFORT.coldest - temperature[i]!) * heating;
    gross[i] = gridOf(gross[i]! + level * profile[i]! + 0.9 * heat + 0.9 * cold);
  }
  return gross;
}

/** Demand relative to 2010. */
function growthOf(region: Region, day: number): number {
  const year = yearOf(day);
  return year < 2010 ? 1 - region.demand.growth * (2010 - year) : 1 + 0.003 * (year - 2010);
}

/** In MW, interpolated between values for every fifth year from 2010. */
function rooftopCapacity(region: Region, day: number): number {
  const place = Math.max(0, (yearOf(day) - 2010) / 5);
  const index = Math.min(Math.floor(place), region.rooftop.length - 2);
  const left = region.rooftop[index]!;
  return left + (region.rooftop[index + 1]! - left) * (place - index);
}

function yearOf(day: number): number {
  return 1970 + day / 365.2425;
}

function interpolateHours(hours: readonly number[]): DayRow {
  const steps = STEPS_PER_DAY / hours.length;
  return Float64Array.from({ length: STEPS_PER_DAY }, (_, i) => {
    const hour = Math.floor(i / steps);
    const left = hours[hour]!;
    const right = hours[(hour + 1) % hours.length]!;
    return left + ((right - left) * (i % steps)) / steps;
  });
}
