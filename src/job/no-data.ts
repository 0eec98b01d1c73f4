import type { Query } from "../query/query.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { findNearest, formatList } from "../base/suggest.ts";
import { FUELTECH_GROUP_OF, findNetwork } from "../base/vocabulary.ts";

/** A note, line by line: no data, and the unknown codes that may be why. v4.md lists no codes, so none is refused. */
export function explainNoData({ network, parameters }: Query): [string, ...string[]] {
  const groups = [...new Set(Object.values(FUELTECH_GROUP_OF))].filter((group) => group !== null);
  const known: Readonly<Record<string, readonly string[]>> = {
    network_region: findNetwork(network)?.regions ?? [],
    fueltech: Object.keys(FUELTECH_GROUP_OF),
    fueltech_group: groups,
  };
  const unknown = parameters.flatMap(({ name, values }) => values.flatMap((value) => describeUnknown(name, value, known) ?? []));
  return ["the service has no data for this query", ...unknown];
}

function describeUnknown(name: string, value: string, known: Readonly<Record<string, readonly string[]>>): string | undefined {
  const { [name]: codes = [], fueltech_group: groups = [] } = known;
  if (codes.length === 0 || codes.includes(value)) return undefined;
  const group = name === "fueltech" && groups.includes(value) ? [`or ${QUERY_FLAGS.fueltechGroup} ${value}`] : [];
  const nearest = findNearest(value, codes);
  const suggestion = group.length > 0 ? [...nearest, ...group].join(", ") : formatList(nearest, "or");
  return `unknown ${name.replaceAll("_", " ")} "${value}"${suggestion === "" ? "" : `; did you mean ${suggestion}?`}`;
}
