import type { Parameter } from "../query/query.ts";
import { MAX_CODES } from "../base/vocabulary.ts";

/** Parameters with at most 30 values in one request (v4.md, Limits). */
const LIMITED: ReadonlySet<string> = new Set(["facility_code", "unit_code"]);

/** The parameters of each request: every combination of at most 30 facility and 30 unit codes. */
export function batchParameters(parameters: readonly Parameter[]): (readonly Parameter[])[] {
  let batches: (readonly Parameter[])[] = [[]];
  for (const parameter of parameters) {
    const shares = LIMITED.has(parameter.name) ? share(parameter.values) : [parameter.values];
    batches = batches.flatMap((batch) => shares.map((values) => [...batch, { name: parameter.name, values }]));
  }
  return batches;
}

function share(codes: readonly string[]): string[][] {
  const shares: string[][] = [];
  for (let from = 0; from < codes.length; from += MAX_CODES) shares.push(codes.slice(from, from + MAX_CODES));
  return shares;
}
