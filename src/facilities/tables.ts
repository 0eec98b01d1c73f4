/** The entries of `ents list`: their rows, and the texts that find them. */
import { listValueNames } from "../base/other-names.ts";
import { LosslessNumber } from "../base/json.ts";
import { FUELTECH_GROUP_OF, hasNoData, isRenewable } from "../base/fueltechs.ts";
import { ALL_METRICS, describeMeaning } from "../base/computed-metrics.ts";
import {
  HOME_NETWORKS,
  type NetworkFacts,
  listRegionNames,
  NETWORK_NAMES,
  NETWORKS,
  REGION_NAMES,
} from "../base/vocabulary.ts";
import { formatOffset } from "../time/local-time.ts";
import {
  type Facility,
  listDistinct,
  listUnits,
  type PlacedUnit,
  sumCapacity,
  type Unit,
  UNIT_FACTS,
} from "./facility.ts";
import type { Searched } from "./search.ts";

type TableValue = string | LosslessNumber | null;

interface ListEntry {
  readonly code: string;
  /** By column name, in column order. */
  readonly cells: Readonly<Record<string, TableValue>>;
}

export interface CodeTable {
  /** Those that are shown if none are asked for. */
  readonly columns: readonly string[];
  readonly entries: readonly Searched<ListEntry>[];
  /** What is left out. */
  readonly note?: string;
}

/** Numeric columns, with their units. */
const NUMBERS: Readonly<Record<string, { readonly unit?: string }>> = {
  units: {},
  capacity: { unit: "MW" },
  capacity_maximum: { unit: "MW" },
  capacity_storage: { unit: "MWh" },
  emissions_factor: { unit: "t/MWh" },
  latitude: { unit: "°" },
  longitude: { unit: "°" },
  max_generation: { unit: "MW" },
};
const MOMENTS: readonly string[] = ["first_data", "last_data"];
const DAYS: readonly string[] = ["commenced", "closed", "expected_closure"];

/** At most one of the flags is set. */
interface CellType {
  readonly isNumber?: true;
  readonly isTimestamp?: true;
  readonly isDate?: true;
  readonly unit?: string;
}

/** The type of a column's cells, for formats that have types. */
export function typeOfColumn(name: string): CellType {
  if (NUMBERS[name]) return { isNumber: true, ...NUMBERS[name] };
  if (MOMENTS.includes(name)) return { isTimestamp: true };
  return DAYS.includes(name) ? { isDate: true } : {};
}

/** Columns that a narrow table leaves out, in this order. If all rows have the same value, the table shows it once. */
export const HIDE_FIRST: readonly string[] = [
  "first_data",
  "last_data",
  "capacity_maximum",
  "capacity_storage",
  "network",
  "units",
  "status",
  "facility_code",
  "fueltechs",
  "fueltech",
  "region",
];

/** The columns that say something: not storage that nothing has, nor a maximum that is the capacity of every row. */
export function listTelling(columns: readonly string[], rows: readonly ListEntry["cells"][]): string[] {
  const print = (cell: TableValue | undefined) => (cell instanceof LosslessNumber ? cell.value : (cell ?? ""));
  const others: Readonly<Record<string, (cells: ListEntry["cells"]) => string>> = {
    capacity_maximum: ({ capacity }) => print(capacity),
    capacity_storage: () => "",
  };
  return columns.filter((name) => !others[name] || rows.some((cells) => print(cells[name]) !== others[name]?.(cells)));
}

export function tabulateNetworks(): CodeTable {
  const entries = Object.entries(NETWORKS).map(([network, { offsetMinutes, regions }]) => {
    const entry = toEntry({ network, time_zone: `UTC${formatOffset(offsetMinutes)}`, regions: regions.join(" ") });
    return { ...entry, texts: [...entry.texts, ...(NETWORK_NAMES[network] ?? [])] };
  });
  return { columns: ["network", "time_zone", "regions"], entries };
}

export function tabulateRegions(): CodeTable {
  const entries = [...HOME_NETWORKS].map(([region, network]) => {
    const entry = toEntry({ region, network, region_name: REGION_NAMES[region] ?? null }, region);
    // `AU` also finds them.
    const networks = Object.entries<NetworkFacts>(NETWORKS).flatMap(([code, { regions }]) =>
      regions.includes(region) ? [code] : [],
    );
    return { ...entry, texts: [...entry.texts, ...networks] };
  });
  return { columns: ["region", "network", "region_name"], entries };
}

export function tabulateMetrics(): CodeTable {
  const entries = Object.entries(ALL_METRICS).map(([metric, facts]) => {
    const entry = toEntry({
      metric,
      unit: facts.unit,
      offered_by: facts.offeredBy.join(" "),
      meaning: describeMeaning(facts),
    });
    return { ...entry, texts: [...entry.texts, ...(listValueNames("metrics")?.[metric] ?? [])] };
  });
  return { columns: ["metric", "unit", "offered_by", "meaning"], entries };
}

/** Those without data only for words that search for them. */
export function tabulateFueltechs(words: readonly string[]): CodeTable {
  const all = Object.entries(FUELTECH_GROUP_OF);
  const left = words.length > 0 ? [] : all.filter(([code]) => hasNoData(code)).map(([code]) => code);
  const entries = all
    .filter(([code]) => !left.includes(code))
    .map(([fueltech, group]) => toEntry({ fueltech, fueltech_group: group, renewable: String(isRenewable(fueltech)) }));
  const note = `without those that the public service has no data of: ${left.join(", ")}`;
  return { columns: ["fueltech", "fueltech_group", "renewable"], entries, ...(left.length > 0 ? { note } : {}) };
}

export function tabulateFacilities(facilities: readonly Facility[]): CodeTable {
  const entries = facilities.map(({ code, name, network, region, units }) => {
    const cells = {
      facility_code: code,
      facility_name: name,
      network,
      region: region ?? null,
      fueltechs: listDistinct(units.map(({ fueltech }) => fueltech)).join(" ") || null,
      status: listDistinct(units.map(({ status }) => status)).join(" ") || null,
      units: new LosslessNumber(String(units.length)),
      capacity: toLossless(sumCapacity(units)),
      capacity_maximum: toLossless(sumCapacity(units, "capacityMaximum")),
      capacity_storage: toLossless(sumCapacity(units, "storage")),
      ...tabulateFacts(units),
    };
    const entry = toEntry(cells, region);
    return { ...entry, texts: [...entry.texts, ...units.map((unit) => unit.code)] };
  });
  const start = ["facility_code", "facility_name", "network", "region", "fueltechs", "status", "units"];
  return { columns: [...start, "capacity", "capacity_maximum", "capacity_storage"], entries };
}

export function tabulateUnits(facilities: readonly Facility[]): CodeTable {
  const entries = listUnits(facilities).map(({ facility: { code, name, network, region }, unit }) => {
    const cells = {
      unit_code: unit.code,
      facility_code: code,
      facility_name: name,
      network,
      region: region ?? null,
      fueltech: unit.fueltech ?? null,
      status: unit.status ?? null,
      capacity: toLossless(unit.capacity),
      capacity_maximum: toLossless(unit.capacityMaximum),
      capacity_storage: toLossless(unit.storage),
      first_data: unit.firstData ?? null,
      last_data: unit.lastData ?? null,
      ...tabulateFacts([unit]),
    };
    return toEntry(cells, region);
  });
  const start = ["unit_code", "facility_code", "facility_name", "network", "region"];
  return {
    columns: [
      ...start,
      "fueltech",
      "status",
      "capacity",
      "capacity_maximum",
      "capacity_storage",
      "first_data",
      "last_data",
    ],
    entries,
  };
}

/** What all of the units have in common; null for the others. */
function tabulateFacts(units: readonly Unit[]): Record<string, TableValue> {
  return Object.fromEntries(
    UNIT_FACTS.map((name) => {
      const [value, ...others] = new Set(units.map(({ facts }) => facts[name]));
      if (value === undefined || others.length > 0) return [name, null];
      return [name, NUMBERS[name] ? new LosslessNumber(value) : value];
    }),
  );
}

/** The cells of units that are added up: sums of capacities, and what they have in common. */
export function tabulateSum(placed: readonly PlacedUnit[]): ListEntry["cells"] {
  const units = placed.map(({ unit }) => unit);
  const common = (of: (one: PlacedUnit) => string | undefined) => {
    const [value, ...others] = new Set(placed.map(of));
    return others.length > 0 ? null : (value ?? null);
  };
  return {
    facility_code: common(({ facility }) => facility.code),
    facility_name: common(({ facility }) => facility.name),
    region: common(({ facility }) => facility.region),
    fueltech: common(({ unit }) => unit.fueltech),
    status: common(({ unit }) => unit.status),
    units: new LosslessNumber(String(units.length)),
    capacity: toLossless(sumCapacity(units)),
    capacity_maximum: toLossless(sumCapacity(units, "capacityMaximum")),
    capacity_storage: toLossless(sumCapacity(units, "storage")),
    ...tabulateFacts(units),
  };
}

/** The first cell is the code. */
function toEntry(cells: ListEntry["cells"], region?: string): Searched<ListEntry> {
  // Dates are not searched.
  const named = Object.entries(cells).filter(([name]) => ![...MOMENTS, ...DAYS].includes(name));
  const texts = named.flatMap(([, cell]) => (typeof cell === "string" ? cell : []));
  const [code = ""] = texts;
  const { capacity, facility_name: name } = cells;
  return {
    item: { code, cells },
    name: typeof name === "string" ? name : undefined,
    // `SA` finds SA1 before names that start with it.
    texts: [...texts, ...(region === undefined ? [] : listRegionNames(region))],
    weight: capacity instanceof LosslessNumber ? Number(capacity.value) : 0,
  };
}

function toLossless(digits: string | undefined): LosslessNumber | null {
  return digits === undefined ? null : new LosslessNumber(digits);
}
