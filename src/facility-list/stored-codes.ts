/** The facilities of a service, stored on disk for completion and warnings, which make no request. */
import type { Facility, Unit } from "../facilities/facility.ts";
import { ListStore, type StoredList } from "../files/stored-list.ts";

export interface CodeList extends StoredList {
  readonly facilities: readonly Facility[];
}

export const storedCodes = new ListStore<CodeList>({
  folder: "codes",
  version: 4,
  // Two hundred times the size of a list of 1,500 units.
  maxSize: 64 * 1024 * 1024,
  isWhole: ({ facilities }) => facilities?.every(isFacility),
});

/** Without a schema library, whose loading would delay completion. */
function isFacility(facility: Partial<Facility> | null): boolean {
  if (!facility || !Array.isArray(facility.units)) return false;
  return (
    [facility.code, facility.name, facility.network].every(isText) &&
    isTextOrNone(facility.region) &&
    facility.units.every(isUnit)
  );
}

function isUnit(unit: Partial<Unit> | null): boolean {
  if (!unit || !isText(unit.code) || typeof unit.isLoad !== "boolean") return false;
  const { fueltech, status, firstData, lastData, capacity, capacityMaximum, storage, facts } = unit;
  const numbers = [capacity, capacityMaximum, storage];
  if (typeof facts !== "object" || facts === null) return false;
  const texts = [...Object.values(facts), fueltech, status, firstData, lastData, ...numbers];
  return texts.every(isTextOrNone) && numbers.every((number) => Number.isFinite(Number(number ?? 0)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}
