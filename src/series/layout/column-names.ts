/** The names of the columns that the service names: labels, and in the wide shape metrics. */
import { toJsonText } from "../../base/json.ts";
import type { Label } from "../time-series.ts";
import type { Pivot } from "./columns.ts";

/** The columns that ents names itself, in one shape or the other: a label has the same name in both. */
const TIME_COLUMNS = ["timestamp", "timestamp_local", "interval_end"];
const ROW_COLUMNS = [...TIME_COLUMNS, "network"];
const OWN_COLUMNS = [...ROW_COLUMNS, "metric", "unit", "value"];

/** A label named as a column of ents or as one of `others` gets `_label` after its name, however often it takes to be unique. */
export function nameLabels(labels: readonly string[], others: readonly string[] = []): string[] {
  return appendSuffix(labels, new Set([...OWN_COLUMNS, ...others]), "_label");
}

/** The same for the metrics of the wide shape, beside `timestamp` and `network`. */
export function nameMetrics(metrics: readonly string[]): string[] {
  return appendSuffix(metrics, new Set(ROW_COLUMNS), "_metric");
}

/**
 * The columns of a pivot, metric by metric: `<value>` where there is one metric, else `<metric>_<value>`. One named as another
 * column gets the label's name before it.
 */
export function namePivoted(metrics: readonly string[], { label, values }: Pivot, labels: readonly string[]): string[] {
  const own = metrics.length === 1 ? [""] : metrics.map((metric) => `${metric}_`);
  const names = own.flatMap((metric) => values.map((value) => metric + toText(value)));
  const used = new Set([...ROW_COLUMNS, ...labels]);
  const taken = new Set([...used, ...names]);
  return names.map((name) => {
    let unique = name;
    // Equal names: the first keeps it.
    if (used.has(name)) while (taken.has(unique)) unique = `${label}_${unique}`;
    used.add(name);
    taken.add(unique);
    return unique;
  });
}

function toText(label: Label): string {
  if (label === null) return "(none)";
  if (label === "") return "(empty)";
  return typeof label === "string" ? label : toJsonText(label);
}

/** A name that needs no suffix is not taken by another's. */
function appendSuffix(names: readonly string[], reserved: ReadonlySet<string>, suffix: string): string[] {
  const taken = new Set([...reserved, ...names]);
  return names.map((name) => {
    if (!reserved.has(name)) return name;
    let unique = name;
    while (taken.has(unique)) unique += suffix;
    taken.add(unique);
    return unique;
  });
}
