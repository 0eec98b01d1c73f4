/** The rows of `ents list`. */
import { LosslessNumber } from "../base/json.ts";
import { FUELTECH_GROUP_OF, NETWORKS } from "../base/vocabulary.ts";
import { type Facility, listDistinct, listUnits, sumCapacity } from "./facility.ts";

type Cell = string | LosslessNumber | null;

/** An entry of a list: its code and its row. */
export interface Entry {
  readonly code: string;
  /** By the name of the column, in the order of columns. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** Texts that it is found by, apart from its code. */
  readonly texts: readonly string[];
  /** MW. */
  readonly capacity: number;
}

export function listNetworks(): Entry[] {
  return Object.entries(NETWORKS).map(([code, { offsetMinutes, regions }]) =>
    toEntry(code, { network: code, utc_offset: formatHours(offsetMinutes), regions: regions.join(" ") }),
  );
}

export function listRegions(): Entry[] {
  return Object.entries(NETWORKS).flatMap(([network, { regions }]) => regions.map((region) => toEntry(region, { region, network })));
}

export function listFueltechs(): Entry[] {
  return Object.entries(FUELTECH_GROUP_OF).map(([fueltech, group]) => toEntry(fueltech, { fueltech, fueltech_group: group }));
}

export function listFacilities(facilities: readonly Facility[]): Entry[] {
  return facilities.map(({ code, name, network, region, units }) =>
    toEntry(code, {
      facility_code: code,
      facility_name: name,
      network,
      region: region ?? null,
      fueltechs: listDistinct(units.map(({ fueltech }) => fueltech)).join(" "),
      status: listDistinct(units.map(({ status }) => status)).join(" "),
      units: new LosslessNumber(String(units.length)),
      capacity: toNumber(sumCapacity(units)),
    }),
  );
}

export function listUnitEntries(facilities: readonly Facility[]): Entry[] {
  return listUnits(facilities).map(({ facility, unit }) =>
    toEntry(unit.code, {
      unit_code: unit.code,
      facility_code: facility.code,
      facility_name: facility.name,
      network: facility.network,
      region: facility.region ?? null,
      fueltech: unit.fueltech ?? null,
      status: unit.status ?? null,
      capacity: toNumber(unit.capacity),
      first_data: unit.firstData ?? null,
      last_data: unit.lastData ?? null,
    }),
  );
}

function toEntry(code: string, cells: Entry["cells"]): Entry {
  const { capacity } = cells;
  const texts = Object.values(cells).filter((cell) => typeof cell === "string" && cell !== code) as string[];
  return { code, cells, texts, capacity: capacity instanceof LosslessNumber ? Number(capacity.value) : 0 };
}

function toNumber(digits: string | undefined): LosslessNumber | null {
  return digits === undefined ? null : new LosslessNumber(digits);
}

/** `+10:00` */
function formatHours(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `+${hours}:${String(minutes % 60).padStart(2, "0")}`;
}
