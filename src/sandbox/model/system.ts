import { type Region, REGIONS } from "../fleet/regions.ts";
import { computeDemand, type Demand } from "./demand.ts";
import { computeDispatch, computeOutput, type Dispatch } from "./dispatch.ts";
import { computePrice, computeTrade, type Trade } from "./market.ts";
import { computePlant, type FarmKind, type Plant } from "./plants.ts";
import { type DayRow, gridOf, type RegionDay, RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";

/** One region on one day; each part is computed on first use. */
export class RegionModel implements RegionDay {
  readonly region: Region;
  readonly day: number;
  readonly rows: RowSupply;
  readonly #system: SystemDay;
  #demand: Demand | undefined;
  #plant: Plant | undefined;
  #trade: Trade | undefined;
  #dispatch: Dispatch | undefined;
  #price: DayRow | undefined;

  constructor(region: Region, system: SystemDay) {
    this.region = region;
    this.day = system.day;
    this.rows = system.rows;
    this.#system = system;
  }

  get demand(): Demand {
    return (this.#demand ??= computeDemand(this));
  }

  get plant(): Plant {
    return (this.#plant ??= computePlant(this, this.demand));
  }

  get trade(): Trade {
    return (this.#trade ??= computeTrade(this, (code) => this.#system.region(code).plant));
  }

  get dispatch(): Dispatch {
    return (this.#dispatch ??= computeDispatch(this, this.plant, this.trade.load));
  }

  /** Whole cents per MWh. */
  get price(): DayRow {
    return (this.#price ??= computePrice(this, this.plant, this.trade.load));
  }

  /** Curtailed wind or solar, on the integer grid. */
  curtailed(kind: FarmKind): DayRow {
    const curtailed = this.rows.take();
    const available = this.plant.farms[kind];
    const cut = this.dispatch.cut[kind];
    for (let i = 0; i < curtailed.length; i++) curtailed[i] = gridOf(available[i]! * cut[i]!);
    return curtailed;
  }

  output(unit: ModelUnit): DayRow {
    if (unit.fueltech === "solar_rooftop") return this.demand.rooftop;
    const { outputs } = this.#system;
    const output = outputs.get(unit.code) ?? computeOutput(unit, this);
    outputs.set(unit.code, output);
    return output;
  }
}

/** One day of all regions. */
export class SystemDay {
  readonly day: number;
  readonly rows: RowSupply;
  readonly outputs = new Map<string, DayRow>();
  readonly #regions = new Map<string, RegionModel>();

  constructor(day: number, rows: RowSupply) {
    this.day = day;
    this.rows = rows;
    for (const region of REGIONS) this.#regions.set(region.code, new RegionModel(region, this));
  }

  region(code: string): RegionModel {
    return this.#regions.get(code)!;
  }
}

/** A fully computed day takes about 700 kB. */
const MAX_DAYS = 40;

/**
 * A cache of computed days, shared by requests and series.
 * A day is valid until the next call of `at`, which may evict it and reuse its memory.
 */
export class DayStore {
  readonly #days = new Map<number, SystemDay>();
  readonly #freeSlabs: DayRow[] = [];

  at(day: number): SystemDay {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= MAX_DAYS) this.#evict();
    const created = new SystemDay(day, new RowSupply(this.#freeSlabs));
    this.#days.set(day, created);
    return created;
  }

  #evict(): void {
    const [oldest, evicted] = this.#days.entries().next().value!;
    evicted.rows.release();
    this.#days.delete(oldest);
  }
}
