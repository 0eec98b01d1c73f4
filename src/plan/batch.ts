import { usageError } from "../base/errors.ts";
import { formatNumber } from "../base/phrases.ts";
import type { Parameter, PickedUnit } from "../query/query.ts";
import { MAX_CODES } from "../base/vocabulary.ts";

/** Parameters with at most 30 values in one request (v4.md, Limits). */
const LIMITED: ReadonlySet<string> = new Set(["facility_code", "unit_code"]);

/** Far more than any service answers within a life of its key: two mistaken lists must not fill the memory. */
const MAX_BATCHES = 1_000_000;

/**
 * The parameters of each request: every combination of at most 30 facility and 30 unit codes. Of units that were picked, each
 * request has 30, with their facilities and no others.
 * @throws {EntsError} usage: too many combinations.
 */
export function batchParameters(parameters: readonly Parameter[], units?: readonly PickedUnit[]): (readonly Parameter[])[] {
  if (units) return share(units).map((some) => setCodes(parameters, some));
  let batches: (readonly Parameter[])[] = [[]];
  for (const parameter of parameters) {
    const shares = LIMITED.has(parameter.name) ? share(parameter.values) : [parameter.values];
    if (batches.length * shares.length > MAX_BATCHES) throw tooManyCodes(batches.length * shares.length);
    batches = batches.flatMap((batch) => shares.map((values) => [...batch, { name: parameter.name, values }]));
  }
  return batches;
}

/** Parameters with the codes of these units, and no others; codes stand last. */
export function setCodes(parameters: readonly Parameter[], units: readonly PickedUnit[]): Parameter[] {
  const codes = { facility_code: units.map(({ facility }) => facility), unit_code: units.map(({ unit }) => unit) };
  const others = parameters.filter(({ name }) => !LIMITED.has(name));
  if (units.length === 0) return others;
  return [...others, ...Object.entries(codes).map(([name, values]) => ({ name, values: [...new Set(values)] }))];
}

function share<T>(codes: readonly T[]): T[][] {
  const shares: T[][] = [];
  for (let from = 0; from < codes.length; from += MAX_CODES) shares.push(codes.slice(from, from + MAX_CODES));
  return shares;
}

function tooManyCodes(requests: number): Error {
  return usageError(
    `these codes take ${formatNumber(requests)} requests; the maximum is ${formatNumber(MAX_BATCHES)}`,
    "use facility codes or unit codes alone",
  );
}
