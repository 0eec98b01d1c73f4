import { type CommandName, type Metric, METRICS } from "../../base/vocabulary.ts";
import { MEASURES } from "../series/measures.ts";

/** `GET /v4/metrics`. */
export function listMetrics() {
  const names = Object.keys(METRICS) as Metric[];
  const described = names.map((name) => {
    const { unit, meaning } = METRICS[name];
    return [
      name,
      { name, unit, description: meaning, default_aggregation: MEASURES[name].aggregate === "sum" ? "sum" : "avg", precision: 4 },
    ];
  });
  return {
    metrics: Object.fromEntries(described) as Record<Metric, object>,
    total: names.length,
    endpoints: { market: listOffered("market"), data: listOffered("network") },
  };
}

function listOffered(command: CommandName): Metric[] {
  return (Object.keys(METRICS) as Metric[]).filter((name) => METRICS[name].offeredBy.includes(command));
}
