import { REGIONS, type Region } from "../fleet/regions.ts";
import { type BatteryDay, computeBattery, computeFarms, type Farms } from "./plants.ts";
import { BIOENERGY_USE, type Capacity, COAL_FLOOR, computeCapacity } from "./capacity.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { computeGrossDemand, computeRooftop } from "./demand.ts";
import { computeDispatch, type Dispatch } from "./dispatch.ts";
import { computeFlows, computePrice, type Flows, netExportsAt } from "./market.ts";
import { computeOutput } from "./output.ts";
import { gridOf, MW_PER_GRID, type DayRow, RowSupply, type SlabPool } from "./rows.ts";
import { isAvailable, type ModelUnit, REGION_STARTS, UNITS_OF_REGION } from "./units.ts";
import { computeWeather, type Weather } from "./weather.ts";

/** Weather and demand of a region. */
interface Setting {
  readonly weather: Weather;
  readonly gross: DayRow;
  readonly rooftop: DayRow;
  readonly demand: DayRow;
}

/** Available plant of a region, and the load on it before trade. */
interface Conditions {
  readonly farms: Farms;
  readonly capacity: Capacity;
  readonly batteries: ReadonlyMap<number, BatteryDay>;
  readonly need: DayRow;
}

/** One day of the whole system; each part is computed on first use. Regions are indexes into REGIONS. */
export class SystemDay {
  readonly day: number;
  readonly #rows: RowSupply;
  readonly #settings: (Setting | undefined)[] = [];
  readonly #conditions: (Conditions | undefined)[] = [];
  readonly #dispatches: (Dispatch | undefined)[] = [];
  readonly #prices: (DayRow | undefined)[] = [];
  readonly #outputs: (DayRow | undefined)[] = [];
  #flows: Flows[] | undefined;

  constructor(day: number, pool: SlabPool) {
    this.day = day;
    this.#rows = new RowSupply(pool);
  }

  /** Returns the day's memory to the pool. */
  release(): void {
    this.#rows.release();
  }

  gross(region: number): DayRow {
    return this.#setting(region).gross;
  }

  /** Gross demand less rooftop solar. */
  demand(region: number): DayRow {
    return this.#setting(region).demand;
  }

  /** Curtailed wind or solar, on the integer grid. */
  curtailed(region: number, kind: "wind" | "solar"): DayRow {
    const curtailed = this.#rows.take();
    const available = this.#condition(region).farms[kind];
    const cut = this.dispatch(region).cut[kind];
    for (let i = 0; i < curtailed.length; i++) curtailed[i] = gridOf(available[i]! * cut[i]!);
    return curtailed;
  }

  dispatch(region: number): Dispatch {
    return (this.#dispatches[region] ??= this.#computeDispatch(region));
  }

  price(region: number): DayRow {
    return (this.#prices[region] ??= this.#computePrice(region));
  }

  /** Zero without an interconnector. */
  flows(region: number): Flows {
    this.#flows ??= computeFlows(
      REGIONS.map((_, each) => this.#pressureOf(each)),
      this.day,
      this.#rows,
    );
    return this.#flows[region]!;
  }

  /** Energy of a unit, on the integer grid; charging is positive in the charging unit and negative in the net. */
  output(unit: ModelUnit): DayRow {
    return (this.#outputs[unit.index] ??= this.#computeOutput(unit));
  }

  /** Energy stored in a battery, on the integer grid. */
  level(unit: ModelUnit): DayRow {
    return this.#battery(unit)?.level ?? this.output(unit);
  }

  #computeOutput(unit: ModelUnit): DayRow {
    if (unit.facility === undefined) return this.#setting(unit.region).rooftop;
    const { capacity, farms } = this.#condition(unit.region);
    const battery = this.#battery(unit);
    if (battery && unit.fueltech === "battery_charging") return battery.charging;
    if (battery && unit.fueltech === "battery_discharging") return battery.discharging;
    if (battery) return battery.net;
    return computeOutput(unit, this.day, { capacity, farms, dispatch: this.dispatch(unit.region), rows: this.#rows });
  }

  #battery(unit: ModelUnit): BatteryDay | undefined {
    return this.#condition(unit.region).batteries.get(unit.battery);
  }

  #computePrice(region: number): DayRow {
    const { capacity } = this.#condition(region);
    const tightness = { need: this.dispatch(region).need, firm: capacity.firm, floor: COAL_FLOOR * capacity.coal };
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
    return (this.#conditions[region] ??= computeConditions(region, this.#setting(region), { day: this.day, rows: this.#rows }));
  }

  #setting(region: number): Setting {
    return (this.#settings[region] ??= computeSetting(REGIONS[region]!, this.day, this.#rows));
  }
}

function computeSetting(region: Region, day: number, rows: RowSupply): Setting {
  const weather = computeWeather(region, day, rows);
  const gross = computeGrossDemand(region, day, { weather, rows });
  const rooftop = computeRooftop(region, day, { weather, rows });
  const demand = rows.take();
  for (let i = 0; i < demand.length; i++) demand[i] = gross[i]! - rooftop[i]!;
  return { weather, gross, rooftop, demand };
}

function computeConditions(index: number, setting: Setting, { day, rows }: { day: number; rows: RowSupply }): Conditions {
  const region = REGIONS[index]!;
  const units = UNITS_OF_REGION[index]!.filter((unit) => isAvailable(unit, day));
  const farms = computeFarms(units, day, { weather: setting.weather, rows });
  const capacity = computeCapacity(units, day);
  const nets = units.filter((unit) => unit.fueltech === "battery");
  const batteries = new Map(nets.map((unit) => [unit.index, computeBattery(unit, day, { region, rows })]));
  const need = computeNeed({ demand: setting.demand, farms, capacity, batteries }, rows.take());
  return { farms, capacity, batteries, need };
}

function computeNeed(conditions: Omit<Conditions, "need"> & Pick<Setting, "demand">, need: DayRow): DayRow {
  const { demand, farms, capacity, batteries } = conditions;
  for (const battery of batteries.values()) for (let i = 0; i < need.length; i++) need[i]! -= battery.net[i]!;
  const steady = BIOENERGY_USE * capacity.bioenergy;
  for (let i = 0; i < need.length; i++) need[i] = (need[i]! + demand[i]!) * MW_PER_GRID - farms.wind[i]! - farms.solar[i]! - steady;
  return need;
}

function sumMegawatts(units: readonly ModelUnit[], fueltech: string): number {
  return units.reduce((sum, unit) => (unit.fueltech === fueltech ? sum + unit.megawatts : sum), 0);
}
