/** Codes of facilities and units from the stored list, since completion makes no request. */
import { attempt } from "../../base/errors.ts";
import { DEFAULT_BASE_URL } from "../../base/vocabulary.ts";
import { type Facility, listDistinct, listUnits, sumCapacity, type Unit } from "../../facilities/facility.ts";
import { filterFacilities } from "../../facilities/filter.ts";
import { readAddress } from "../../options/address.ts";
import { configKeyOf, findStorePath, readStore } from "../../settings/config-keys.ts";
import { type CodeList, storedCodes } from "../../facility-list/stored-codes.ts";
import type { Suggestion } from "./candidate.ts";
import { type TypedLine, listTypedValues } from "./line.ts";

export async function listFacilityCodes(line: TypedLine): Promise<Suggestion[]> {
  const facilities = await readFacilities(line);
  return sort(
    facilities.map((facility) => ({ value: facility.code, help: describeFacility(facility, facility.units, line) })),
  );
}

/** The units of the facilities on the line, or of all. */
export async function listUnitCodes(line: TypedLine): Promise<Suggestion[]> {
  const facilities = await readFacilities(line);
  const chosenCodes = new Set(listTypedValues("facility", line));
  const chosen = facilities.filter(({ code }) => chosenCodes.has(code));
  const units = listUnits(chosen.length > 0 ? chosen : facilities);
  return sort(
    units.map(({ facility, unit }) => ({ value: unit.code, help: describeFacility(facility, [unit], line) })),
  );
}

function sort(candidates: readonly Suggestion[]): Suggestion[] {
  return candidates.toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

/** `Bayswater, NSW1, coal_black, 2640 MW` */
function describeFacility(
  { name, region }: Facility,
  units: readonly Unit[],
  { context }: TypedLine,
): string | undefined {
  if (!context.explains) return undefined;
  const capacity = units.length === 1 ? units[0]?.capacity : sumCapacity(units);
  const fueltechs = listDistinct(units.map(({ fueltech }) => fueltech));
  return [name, region, ...fueltechs, capacity && `${capacity} MW`].filter(Boolean).join(", ");
}

async function readFacilities(line: TypedLine): Promise<Facility[]> {
  return filterFacilities((await findKnownList(line))?.facilities ?? [], {
    network: listTypedValues("network", line),
    networkRegion: listTypedValues("region", line),
    fueltech: listTypedValues("fueltech", line),
    status: listTypedValues("status", line),
  });
}

/** The stored list, or the sandbox's. Makes no request. */
async function findKnownList({ values, context }: TypedLine): Promise<CodeList | undefined> {
  if (values["sandbox"])
    return (await import("../../facility-list/parse-facilities.ts")).listSandbox({ now: Date.now });
  const { env, cwd, uid } = context;
  // Like findBaseUrl in src/settings, but without loading zod.
  const address = values["baseUrl"]?.[0] ?? (env["ENTS_BASE_URL"] || readBaseUrl(await findStorePath(env, cwd), uid));
  return storedCodes.read(readAddress(address ?? DEFAULT_BASE_URL).href, context);
}

function readBaseUrl(path: string | undefined, uid: number | undefined): string | undefined {
  const stored = attempt(
    () => JSON.parse(readStore(path ?? "", uid)) as { readonly config?: Readonly<Record<string, string>> },
  );
  return stored?.config?.[configKeyOf("baseUrl")];
}
