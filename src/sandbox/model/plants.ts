import { meridianOf, STEPS_PER_DAY } from "./clock.ts";
import { addNoise, hashUnit } from "./noise.ts";
import { addRow, gridOf, type DayRow, type RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";
import type { Weather } from "./weather.ts";
import type { Region } from "../fleet/regions.ts";

export interface Farms {
  /** Available MW of each wind or solar unit, by unit index. */
  readonly available: ReadonlyMap<number, DayRow>;
  readonly wind: DayRow;
  readonly solar: DayRow;
}

interface Sky {
  readonly weather: Weather;
  readonly rows: RowSupply;
}

export function computeFarms(units: readonly ModelUnit[], day: number, sky: Sky): Farms {
  const available = new Map<number, DayRow>();
  const wind = sky.rows.take();
  const solar = sky.rows.take();
  for (const unit of units) {
    const isWind = unit.fueltech === "wind";
    if (!isWind && unit.fueltech !== "solar_utility") continue;
    const output = isWind ? computeWindFarm(unit, day, sky) : computeSolarFarm(unit, day, sky);
    available.set(unit.index, output);
    addRow(isWind ? wind : solar, output);
  }
  return { available, wind, solar };
}

function computeWindFarm(unit: ModelUnit, day: number, sky: Sky): DayRow {
  const output = sky.rows.take();
  addNoise(output, { seed: unit.seed, period: 90, amplitude: 0.25 }, day * STEPS_PER_DAY);
  addNoise(output, { seed: unit.seed + 1, period: 5, amplitude: 0.06 }, day * STEPS_PER_DAY);
  const regional = sky.weather.wind;
  for (let i = 0; i < output.length; i++) {
    const speed = Math.min(1, Math.max(0, 0.47 + 0.45 * (regional[i]! + output[i]!)));
    output[i] = unit.megawatts * 0.97 * speed * speed * (3 - 2 * speed);
  }
  return output;
}

/** The square root: tracking panels reach full output well before noon. */
function computeSolarFarm(unit: ModelUnit, day: number, sky: Sky): DayRow {
  const output = sky.rows.take();
  addNoise(output, { seed: unit.seed, period: 9, amplitude: 0.08 }, day * STEPS_PER_DAY);
  const { sun, clear } = sky.weather;
  for (let i = 0; i < output.length; i++) {
    const share = Math.min(1, 1.2 * Math.sqrt(sun[i]!) * Math.max(0, clear[i]! + output[i]!));
    output[i] = unit.megawatts * share;
  }
  return output;
}

/** A battery's day on the integer grid; `level` is the stored energy at the end of the interval. */
export interface BatteryDay {
  readonly charging: DayRow;
  readonly discharging: DayRow;
  readonly net: DayRow;
  readonly level: DayRow;
}

const ROUND_TRIP = 0.86;
const FLOOR_SHARE = 0.1;
const STEPS_PER_DEGREE = STEPS_PER_DAY / 360;
/** Solar time, in intervals of the day: 9:30 to 15:00 and 17:15 to 21:15. */
const CHARGE = { from: 114, to: 180 };
const DISCHARGE = { from: 207, to: 255 };

/** Charges around noon and discharges in the evening, back to the same level by midnight, so that days are independent. */
export function computeBattery(unit: ModelUnit, day: number, place: { region: Region; rows: RowSupply }): BatteryDay {
  const { rows, region } = place;
  const battery = { charging: rows.take(), discharging: rows.take(), net: rows.take(), level: rows.take() };
  const storage = (unit.storage ?? 0) * (0.55 + 0.35 * hashUnit(unit.seed, day));
  const shift = Math.round((meridianOf(region.network) - region.longitude) * STEPS_PER_DEGREE + 12 * hashUnit(unit.seed + 1, day) - 6);
  spread(battery.charging, { span: CHARGE, shift }, Math.min(storage / ROUND_TRIP, unit.megawatts * 3.4));
  spread(battery.discharging, { span: DISCHARGE, shift }, Math.min(storage, unit.megawatts * 3.4 * ROUND_TRIP));
  let level = gridOf((unit.storage ?? 0) * FLOOR_SHARE * 12);
  for (let i = 0; i < STEPS_PER_DAY; i++) {
    const charged = battery.charging[i]!;
    const discharged = battery.discharging[i]!;
    battery.net[i] = discharged - charged;
    level += Math.round(charged * ROUND_TRIP) - discharged;
    battery.level[i] = level;
  }
  return battery;
}

/** Spreads `energy` MWh over a span as a parabola. */
function spread(row: DayRow, when: { span: { from: number; to: number }; shift: number }, energy: number): void {
  const { from, to } = when.span;
  const length = to - from;
  const scale = (energy * 12 * 6) / (length * length * length);
  for (let i = 0; i < length; i++) {
    const index = from + when.shift + i;
    if (index >= 0 && index < STEPS_PER_DAY) row[index] = gridOf(scale * (i + 0.5) * (length - i - 0.5));
  }
}
