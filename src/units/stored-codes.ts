/** The facilities of a service, kept on disk: what a completion or a warning can know without a request. */
import type { Context } from "../base/context.ts";
import type { Facility, Unit } from "../codes/facility.ts";
import { findListFile, storeList, type StoredList, readStoredList } from "../files/stored-list.ts";

export interface CodeList extends StoredList {
  readonly facilities: readonly Facility[];
}

/** The version of the file's content: a file of another one is as if there were none. */
const VERSION = 2;
/** Two hundred times a list of 1,500 units. */
const MAX_SIZE = 64 * 1024 * 1024;

/** Undefined for a user without a home directory. `service`: its base address. */
export function findCodesFile(service: string, around: Pick<Context, "env" | "cwd">): string | undefined {
  return findListFile("codes", service, around);
}

/** Undefined where there is none, or it is damaged, or of another service. */
export function readStoredCodes(path: string | undefined, service: string): CodeList | undefined {
  return readStoredList<CodeList>({ path, service, version: VERSION }, MAX_SIZE, ({ facilities }) => facilities?.every(isFacility));
}

/** A list that cannot be kept is asked for again. */
export function storeCodes(path: string | undefined, service: string, list: CodeList): void {
  storeList({ path, service, version: VERSION }, list);
}

/** Without a library of schemas: completion waits for it. */
function isFacility(one: Partial<Facility> | null): boolean {
  if (!one || !Array.isArray(one.units)) return false;
  return [one.code, one.name, one.network].every(isText) && isTextOrNone(one.region) && one.units.every(isUnit);
}

function isUnit(one: Partial<Unit> | null): boolean {
  if (!one || !isText(one.code) || typeof one.isLoad !== "boolean") return false;
  const { fueltech, status, firstData, lastData, capacity, storage } = one;
  const texts = [fueltech, status, firstData, lastData, capacity, storage];
  return texts.every(isTextOrNone) && [capacity, storage].every((number) => Number.isFinite(Number(number ?? 0)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}
