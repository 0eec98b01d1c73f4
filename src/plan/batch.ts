import type { Parameter } from "../query/query.ts";
import { MAX_CODES } from "../base/vocabulary.ts";

/** The parameters of which one request takes at most 30 values (v4.md, Limits). */
const LIMITED: ReadonlySet<string> = new Set(["facility_code", "unit_code"]);

/** Parameters for one request each, with at most 30 codes of a kind; one batch where they are few. */
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
