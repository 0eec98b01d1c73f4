import { type Region, REGIONS } from "../fleet/regions.ts";
import { computeDemand, type Demand } from "./demand.ts";
import { gridOf, rowOf, type DayRow } from "./rows.ts";
import {
  computeDispatch,
  computeOutput,
  computePlant,
  computePrice,
  type Dispatch,
  type FarmKind,
  type Plant,
  shareLoad,
} from "./supply.ts";
import type { ModelUnit } from "./units.ts";

/** One region on one day; each part is computed on first use. */
export class RegionModel {
  readonly region: Region;
  readonly #system: SystemDay;
  readonly #outputs = new Map<string, DayRow>();
  #demand: Demand | undefined;
  #plant: Plant | undefined;
  #load: DayRow | undefined;
  #dispatch: Dispatch | undefined;
  #price: DayRow | undefined;

  constructor(region: Region, system: SystemDay) {
    this.region = region;
    this.#system = system;
  }

  get demand(): Demand {
    return (this.#demand ??= computeDemand(this.region, this.#system.day));
  }

  get plant(): Plant {
    return (this.#plant ??= computePlant(this.region, this.#system.day, this.demand));
  }

  /** Whole cents per MWh. */
  get price(): DayRow {
    return (this.#price ??= computePrice(this.plant, this.#ownLoad()));
  }

  /** On the integer grid: what it needs beyond its supply, or the reverse with -1. Neither is negative. */
  flow(sign: 1 | -1): DayRow {
    const [need, load] = [this.plant.load, this.#ownLoad()];
    return rowOf((i) => gridOf(Math.max(0, sign * (need[i]! - load[i]!))));
  }

  /** Curtailed wind or solar, on the integer grid. */
  curtailed(kind: FarmKind): DayRow {
    const [available, cut] = [this.plant.farms[kind], this.#supply().cut[kind]];
    return rowOf((i) => gridOf(available[i]! * cut[i]!));
  }

  output(unit: ModelUnit): DayRow {
    if (unit.fueltech === "solar_rooftop") return this.demand.rooftop;
    const supply = { plant: this.plant, dispatch: this.#supply() };
    const output = this.#outputs.get(unit.code) ?? computeOutput(unit, this.#system.day, supply);
    this.#outputs.set(unit.code, output);
    return output;
  }

  #ownLoad(): DayRow {
    const network = REGIONS.filter((other) => other.network === this.region.network);
    return (this.#load ??= shareLoad(
      this.plant,
      network.map(({ code }) => this.#system.region(code).plant),
    ));
  }

  #supply(): Dispatch {
    return (this.#dispatch ??= computeDispatch(this.plant, this.#ownLoad()));
  }
}

/** One day of all regions. */
export class SystemDay {
  readonly day: number;
  readonly #regions: ReadonlyMap<string, RegionModel>;

  constructor(day: number) {
    this.day = day;
    this.#regions = new Map(REGIONS.map((region) => [region.code, new RegionModel(region, this)]));
  }

  region(code: string): RegionModel {
    return this.#regions.get(code)!;
  }
}

/** A fully computed day takes about 700 kB. */
const MAX_DAYS = 40;

/** A cache of computed days, shared by requests and series. */
export class DayStore {
  readonly #days = new Map<number, SystemDay>();

  at(day: number): SystemDay {
    const known = this.#days.get(day) ?? new SystemDay(day);
    this.#days.set(day, known);
    if (this.#days.size > MAX_DAYS) this.#days.delete(this.#days.keys().next().value!);
    return known;
  }
}
