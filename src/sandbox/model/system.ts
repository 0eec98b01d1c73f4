import { REGIONS, type Region } from "../fleet/regions.ts";
import { type BatteryDay, computeBattery } from "./battery.ts";
import { type Capacity, computeCapacity } from "./capacity.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { computeGrossDemand, computeRooftop } from "./demand.ts";
import { computeDispatch, type Dispatch } from "./dispatch.ts";
import { computeFarms, type Farms } from "./farms.ts";
import { computeFlows, type Flows, netExportsAt } from "./flows.ts";
import { computeOutput } from "./output.ts";
import { computePrice } from "./price.ts";
import { MW_PER_GRID, type Row, RowSupply } from "./rows.ts";
import { isAvailable, type ModelUnit, REGION_STARTS, UNITS_OF_REGION } from "./units.ts";
import { computeWeather } from "./weather.ts";

/** What a region's day is before anyone trades. */
interface Conditions {
  readonly gross: Row;
  readonly rooftop: Row;
  readonly farms: Farms;
  readonly capacity: Capacity;
  readonly batteries: ReadonlyMap<number, BatteryDay>;
  readonly need: Row;
}

/** One day of the whole system; each part is worked out when first asked for. Regions are indexes into REGIONS. */
export class SystemDay {
  readonly day: number;
  readonly #rows = new RowSupply();
  readonly #conditions: (Conditions | undefined)[] = [];
  readonly #dispatches: (Dispatch | undefined)[] = [];
  readonly #prices: (Row | undefined)[] = [];
  readonly #outputs: (Row | undefined)[] = [];
  #flows: Flows[] | undefined;

  constructor(day: number) {
    this.day = day;
  }

  gross(region: number): Row {
    return this.#condition(region).gross;
  }

  rooftop(region: number): Row {
    return this.#condition(region).rooftop;
  }

  dispatch(region: number): Dispatch {
    return (this.#dispatches[region] ??= this.#computeDispatch(region));
  }

  price(region: number): Row {
    return (this.#prices[region] ??= this.#computePrice(region));
  }

  /** Nothing flows where no line ends. */
  flows(region: number): Flows {
    this.#flows ??= computeFlows(REGIONS.map((_, each) => this.#pressureOf(each)), this.day, this.#rows);
    return this.#flows[region]!;
  }

  /** Energy of a unit, on the integer grid; what a battery takes is positive in its charging unit and negative in its net. */
  output(unit: ModelUnit): Row {
    return (this.#outputs[unit.index] ??= this.#computeOutput(unit));
  }

  /** Energy held by a battery, on the integer grid. */
  level(unit: ModelUnit): Row {
    return this.#battery(unit)?.level ?? this.output(unit);
  }

  #computeOutput(unit: ModelUnit): Row {
    const { rooftop, capacity, farms } = this.#condition(unit.region);
    if (unit.facility === undefined) return rooftop;
    const battery = this.#battery(unit);
    if (battery && unit.fueltech === "battery_charging") return battery.charging;
    if (battery && unit.fueltech === "battery_discharging") return battery.discharging;
    if (battery) return battery.net;
    return computeOutput(unit, this.day, { capacity, farms, dispatch: this.dispatch(unit.region), rows: this.#rows });
  }

  #battery(unit: ModelUnit): BatteryDay | undefined {
    return this.#condition(unit.region).batteries.get(unit.battery);
  }

  #computePrice(region: number): Row {
    const { capacity } = this.#condition(region);
    const tightness = { need: this.dispatch(region).need, firm: capacity.firm, floor: 0.38 * capacity.coal };
    return computePrice(REGIONS[region]!, this.day, { tightness, rows: this.#rows });
  }

  #computeDispatch(region: number): Dispatch {
    const { capacity, farms, need } = this.#condition(region);
    const called = this.#rows.take();
    const flows = REGIONS[region]!.network === "NEM" ? this.flows(region) : undefined;
    for (let i = 0; i < called.length; i++) called[i] = need[i]! + (flows ? netExportsAt(flows, i) : 0);
    const units = UNITS_OF_REGION[region]!.filter((unit) => isAvailable(unit, this.day));
    const lineLimit = { wind: 0.82 * sumMegawatts(units, "wind"), solar: 0.9 * sumMegawatts(units, "solar_utility") };
    return computeDispatch({ need: called, wind: farms.wind, solar: farms.solar, capacity, lineLimit }, this.#rows);
  }

  #pressureOf(region: number) {
    if (REGIONS[region]!.network !== "NEM" || !this.#isOpen(region)) return { need: this.#rows.take(), firm: 0 };
    const { need, capacity } = this.#condition(region);
    return { need, firm: capacity.firm };
  }

  #isOpen(region: number): boolean {
    return REGION_STARTS[region]! < (this.day + 1) * STEPS_PER_DAY;
  }

  #condition(region: number): Conditions {
    return (this.#conditions[region] ??= computeConditions({ region: REGIONS[region]!, units: UNITS_OF_REGION[region]! }, this.day, this.#rows));
  }
}

function computeConditions(place: { region: Region; units: readonly ModelUnit[] }, day: number, rows: RowSupply): Conditions {
  const { region } = place;
  const units = place.units.filter((unit) => isAvailable(unit, day));
  const weather = computeWeather(region, day, rows);
  const gross = computeGrossDemand(region, day, { weather, rows });
  const rooftop = computeRooftop(region, day, { weather, rows });
  const farms = computeFarms(units, day, { weather, rows });
  const capacity = computeCapacity(units, day);
  const nets = units.filter((unit) => unit.fueltech === "battery");
  const batteries = new Map(nets.map((unit) => [unit.index, computeBattery(unit, day, { region, rows })]));
  const need = rows.take();
  for (let i = 0; i < need.length; i++) {
    let stored = 0;
    for (const battery of batteries.values()) stored -= battery.net[i]!;
    need[i] = (gross[i]! - rooftop[i]! + stored) * MW_PER_GRID - farms.wind[i]! - farms.solar[i]! - 0.72 * capacity.bioenergy;
  }
  return { gross, rooftop, farms, capacity, batteries, need };
}

function sumMegawatts(units: readonly ModelUnit[], fueltech: string): number {
  return units.reduce((sum, unit) => (unit.fueltech === fueltech ? sum + unit.megawatts : sum), 0);
}
