import type { Region } from "../fleet/regions.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise, seedOf } from "./noise.ts";
import { gridOf, type DayRow, type RowSupply } from "./rows.ts";
import type { Weather } from "./weather.ts";

/** Share of the mean demand, by hour of the network's clock. */
const WORKDAY = [
  0.84, 0.8, 0.78, 0.77, 0.79, 0.86, 0.97, 1.05, 1.07, 1.06, 1.05, 1.04, 1.04, 1.04, 1.05, 1.07, 1.12, 1.19, 1.21, 1.16, 1.1, 1.04, 0.97,
  0.9,
];
const WEEKEND = [
  0.84, 0.79, 0.76, 0.75, 0.75, 0.78, 0.83, 0.9, 0.95, 0.96, 0.95, 0.94, 0.94, 0.93, 0.94, 0.96, 1.02, 1.1, 1.13, 1.1, 1.05, 1.0, 0.94,
  0.88,
];
const COMFORT = { warmest: 24, coldest: 16 };
const STEPS_PER_HOUR = 12;
/** 1970-01-01 was a Thursday: 3, when Monday is 0. */
const EPOCH_WEEKDAY = 3;

/** Demand before rooftop solar, on the integer grid (0.0001 MWh an interval). */
export function computeGrossDemand(region: Region, day: number, { weather, rows }: { weather: Weather; rows: RowSupply }): DayRow {
  const first = day * STEPS_PER_DAY;
  const gross = rows.take();
  const level = region.megawatts * growthOf(region, day);
  const seed = seedOf(region.code);
  addNoise(gross, { seed: seed + 11, period: 150, amplitude: 0.025 * level }, first);
  addNoise(gross, { seed: seed + 12, period: 4, amplitude: 0.006 * level }, first);
  const { temperature } = weather;
  for (let i = 0; i < gross.length; i++) {
    const heat = Math.max(0, temperature[i]! - COMFORT.warmest) * region.cooling;
    const cold = Math.max(0, COMFORT.coldest - temperature[i]!) * region.heating;
    gross[i] = gridOf(gross[i]! + level * profileAt(first + i) + 0.9 * heat + 0.9 * cold);
  }
  return gross;
}

/** Rooftop solar on the integer grid. */
export function computeRooftop(region: Region, day: number, { weather, rows }: { weather: Weather; rows: RowSupply }): DayRow {
  const rooftop = rows.take();
  const megawatts = rooftopCapacity(region, day) * 0.85;
  const { sun, clear } = weather;
  for (let i = 0; i < rooftop.length; i++) rooftop[i] = gridOf(megawatts * sun[i]! * clear[i]!);
  return rooftop;
}

function profileAt(step: number): number {
  const day = Math.floor(step / STEPS_PER_DAY);
  const weekday = (day + EPOCH_WEEKDAY) % 7;
  return (weekday >= 5 ? WEEKEND_TABLE : WORKDAY_TABLE)[step - day * STEPS_PER_DAY]!;
}

/** Relative to 2010. */
function growthOf(region: Region, day: number): number {
  const year = 1970 + day / 365.2425;
  return year < 2010 ? 1 - region.growth * (2010 - year) : 1 + 0.003 * (year - 2010);
}

/** MW, interpolated between every fifth year from 2010. */
function rooftopCapacity(region: Region, day: number): number {
  const place = Math.max(0, (1970 + day / 365.2425 - 2010) / 5);
  const index = Math.min(Math.floor(place), region.rooftop.length - 2);
  const left = region.rooftop[index]!;
  return left + (region.rooftop[index + 1]! - left) * (place - index);
}

const WORKDAY_TABLE = tabulate(WORKDAY);
const WEEKEND_TABLE = tabulate(WEEKEND);

function tabulate(hours: readonly number[]): DayRow {
  return Float64Array.from({ length: STEPS_PER_DAY }, (_, i) => {
    const hour = Math.floor(i / STEPS_PER_HOUR);
    const left = hours[hour]!;
    const right = hours[(hour + 1) % hours.length]!;
    return left + ((right - left) * (i % STEPS_PER_HOUR)) / STEPS_PER_HOUR;
  });
}
