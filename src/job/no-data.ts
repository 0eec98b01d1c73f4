import type { Query } from "../query/query.ts";
import { findNearest } from "../base/suggest.ts";
import { FUELTECH_GROUP_OF, findNetwork } from "../base/vocabulary.ts";

/** What may be the cause of no data: a region or fueltech that ents does not know. v4.md lists none, so none is refused. */
export function explainNoData({ network, parameters }: Query): string {
  const groups = [...new Set(Object.values(FUELTECH_GROUP_OF))].filter((group) => group !== null);
  const known: Readonly<Record<string, readonly string[]>> = {
    network_region: findNetwork(network)?.regions ?? [],
    fueltech: Object.keys(FUELTECH_GROUP_OF),
    fueltech_group: groups,
  };
  const doubts = parameters.flatMap(({ name, values }) => values.flatMap((value) => doubt(name, value, known[name] ?? [])));
  return ["the service has no data for this query", ...doubts].join("; ");
}

function doubt(name: string, value: string, known: readonly string[]): string[] {
  if (known.length === 0 || known.includes(value)) return [];
  const nearest = findNearest(value, known);
  return [`"${value}" is no ${name} that ents knows${nearest.length > 0 ? ` (nearest: ${nearest.join(", ")})` : ""}`];
}
