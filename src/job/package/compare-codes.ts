/** Whether an output is continued with the codes that it was written with: a list of units that changes picks others. */
import { usageError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { QUERY_FLAGS } from "../../options/query-options.ts";

const CODES = { facility_code: QUERY_FLAGS.facilityCode, unit_code: QUERY_FLAGS.unitCode };

export function isCodes(parameter: string): parameter is keyof typeof CODES {
  return Object.hasOwn(CODES, parameter);
}

/** @throws {EntsError} usage: both have codes of the same kinds, and they differ. */
export function checkCodes(output: string, found: JsonObject, asked: JsonObject): void {
  const [was, now] = [found, asked].map((origin) => listCodes(origin["parameters"] as JsonObject | undefined)) as [Codes, Codes];
  const kinds = Object.keys({ ...was, ...now }).filter(isCodes);
  if (kinds.some((kind) => !was[kind] || !now[kind])) return;
  const added = kinds.flatMap((kind) => describe(CODES[kind], without(now[kind], was[kind])));
  const gone = kinds.flatMap((kind) => describe(CODES[kind], without(was[kind], now[kind])));
  const changes = [...(added.length > 0 ? [`new: ${added.join(", ")}`] : []), ...(gone.length > 0 ? [`gone: ${gone.join(", ")}`] : [])];
  if (changes.length === 0) return;
  throw usageError(
    `${output} was written for other units; ${changes.join("; ")}`,
    `to fetch the units of this command, use another file with ${OUTPUT_OPTIONS.output.short}\nto continue with the units of ${output}, pass the codes in its datapackage.json with ${kinds.map((kind) => CODES[kind]).join(" and ")}`,
  );
}

type Codes = Readonly<Partial<Record<keyof typeof CODES, readonly string[]>>>;

function listCodes(parameters: JsonObject = {}): Codes {
  const lists = Object.entries(parameters).filter(([name]) => isCodes(name));
  return Object.fromEntries(lists.map(([name, values]: [string, Json]) => [name, [values].flat().map(String)]));
}

const MAX_NAMED = 5;

function describe(flag: string, codes: readonly string[]): string[] {
  const rest = codes.length - MAX_NAMED;
  return codes.length === 0 ? [] : [`${flag} ${codes.slice(0, MAX_NAMED).join(" ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

function without(codes: readonly string[] = [], others: readonly string[] = []): string[] {
  const known = new Set(others);
  return codes.filter((code) => !known.has(code));
}
