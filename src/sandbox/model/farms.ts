import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise } from "./noise.ts";
import { addRow, type Row, type RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";
import type { Weather } from "./weather.ts";

export interface Farms {
  /** Available MW of each wind or solar unit, by unit index. */
  readonly available: ReadonlyMap<number, Row>;
  readonly wind: Row;
  readonly solar: Row;
}

interface Sky {
  readonly weather: Weather;
  readonly rows: RowSupply;
}

export function computeFarms(units: readonly ModelUnit[], day: number, sky: Sky): Farms {
  const available = new Map<number, Row>();
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

function computeWindFarm(unit: ModelUnit, day: number, sky: Sky): Row {
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
function computeSolarFarm(unit: ModelUnit, day: number, sky: Sky): Row {
  const output = sky.rows.take();
  addNoise(output, { seed: unit.seed, period: 9, amplitude: 0.08 }, day * STEPS_PER_DAY);
  const { sun, clear } = sky.weather;
  for (let i = 0; i < output.length; i++) {
    const share = Math.min(1, 1.2 * Math.sqrt(sun[i]!) * Math.max(0, clear[i]! + output[i]!));
    output[i] = unit.megawatts * share;
  }
  return output;
}
