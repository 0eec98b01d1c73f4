/** The codes of facilities and units, from the list that is kept: a completion makes no request. */
import { readFileSync } from "node:fs";
import { DEFAULT_BASE_URL } from "../../base/vocabulary.ts";
import { type Facility, listDistinct, listUnits, sumCapacity, type Unit } from "../../codes/facility.ts";
import { filterFacilities } from "../../codes/filter.ts";
import { readAddress } from "../../options/address.ts";
import { configKeyOf } from "../../settings/config-keys.ts";
import { findStorePath } from "../../settings/store-path.ts";
import { type CodeList, findCodesFile, readStoredCodes } from "../../units/stored-codes.ts";
import type { Suggestion, CompletionContext } from "./candidate.ts";
import { type TypedLine, listGiven } from "./line.ts";

export async function listFacilityCodes(line: TypedLine, around: CompletionContext): Promise<Suggestion[]> {
  const facilities = await readFacilities(line, around);
  return sort(facilities.map((facility) => ({ value: facility.code, help: describe(facility, facility.units, around) })));
}

/** The units of the facilities on the line, or of all. */
export async function listUnitCodes(line: TypedLine, around: CompletionContext): Promise<Suggestion[]> {
  const facilities = await readFacilities(line, around);
  const chosenCodes = new Set(listGiven("facility", line));
  const chosen = facilities.filter(({ code }) => chosenCodes.has(code));
  const units = listUnits(chosen.length > 0 ? chosen : facilities);
  return sort(units.map(({ facility, unit }) => ({ value: unit.code, help: describe(facility, [unit], around) })));
}

function sort(candidates: readonly Suggestion[]): Suggestion[] {
  return candidates.toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

/** `Bayswater, NSW1, coal_black, 2640 MW` */
function describe({ name, region }: Facility, units: readonly Unit[], { explains = true }: CompletionContext): string | undefined {
  if (!explains) return undefined;
  const capacity = units.length === 1 ? units[0]?.capacity : sumCapacity(units);
  const fueltechs = listDistinct(units.map(({ fueltech }) => fueltech));
  return [name, region, ...fueltechs, capacity && `${capacity} MW`].filter(Boolean).join(", ");
}

/** The facilities that match the networks, regions, fueltechs and statuses on the line. */
async function readFacilities(line: TypedLine, around: CompletionContext): Promise<Facility[]> {
  return filterFacilities((await findList(line, around))?.facilities ?? [], {
    network: listGiven("network", line),
    networkRegion: listGiven("region", line),
    fueltech: listGiven("fueltech", line),
    status: listGiven("status", line),
  });
}

/** The one that is kept, or that of the sandbox: without a request. */
async function findList(line: TypedLine, around: CompletionContext): Promise<CodeList | undefined> {
  if (line.values["sandbox"]) return (await import("../../units/list-sandbox.ts")).listSandbox({ now: Date.now });
  const service = (await findService(line, around)).href;
  return readStoredCodes(findCodesFile(service, around), service);
}

/** As findBaseUrl of src/settings, which loads zod. */
async function findService({ values }: TypedLine, { env, cwd }: CompletionContext): Promise<URL> {
  const address = values["baseUrl"]?.[0] ?? (env["ENTS_BASE_URL"] || readSetting(await findStorePath(env, cwd)));
  return readAddress(address ?? DEFAULT_BASE_URL);
}

function readSetting(path: string | undefined): string | undefined {
  try {
    const { config } = JSON.parse(readFileSync(path ?? "", "utf8")) as { readonly config?: Readonly<Record<string, string>> };
    return config?.[configKeyOf("baseUrl")];
  } catch {
    return undefined;
  }
}
