/** The facilities of a service, stored on disk for completion and warnings, which make no request. */
import type { Facility, Unit } from "../facilities/facility.ts";
import { ListStore, type StoredList } from "../files/stored-list.ts";

export interface CodeList extends StoredList {
  readonly facilities: readonly Facility[];
}

export const storedCodes = new ListStore<CodeList>({
  folder: "codes",
  version: 3,
  // Two hundred times the size of a list of 1,500 units.
  maxSize: 64 * 1024 * 1024,
  isWhole: ({ facilities }) => facilities?.every(isFacility),
});

/** Without a schema library, whose loading would delay completion. */
function isFacility(one: Partial<Facility> | null): boolean {
  if (!one || !Array.isArray(one.units)) return false;
  return [one.code, one.name, one.network].every(isText) && isTextOrNone(one.region) && one.units.every(isUnit);
}

function isUnit(one: Partial<Unit> | null): boolean {
  if (!one || !isText(one.code) || typeof one.isLoad !== "boolean") return false;
  const { fueltech, status, firstData, lastData, capacity, capacityMaximum, storage } = one;
  const numbers = [capacity, capacityMaximum, storage];
  const texts = [fueltech, status, firstData, lastData, ...numbers];
  return texts.every(isTextOrNone) && numbers.every((number) => Number.isFinite(Number(number ?? 0)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}
