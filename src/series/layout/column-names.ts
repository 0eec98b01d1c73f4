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
  return makeUnique(labels, [...OWN_COLUMNS, ...others], (name) => `${name}_label`);
}

/** In the wide shape, a metric named as one of the columns before it gets `_metric` after its name. */
export function nameMetrics(metrics: readonly string[], others: readonly string[] = []): string[] {
  return makeUnique(metrics, [...ROW_COLUMNS, ...others], (name) => `${name}_metric`);
}

/**
 * The columns of a pivot, metric by metric: `<value>` where there is one metric, else `<metric>_<value>`. One named as another
 * column, or not at all, gets the label's name before it.
 */
export function namePivoted(metrics: readonly string[], { label, values }: Pivot, labels: readonly string[]): string[] {
  const own = metrics.length === 1 ? [""] : metrics.map((metric) => `${metric}_`);
  const names = own.flatMap((metric) => values.map((value) => metric + toText(value)));
  return makeUnique(names, ["", ...ROW_COLUMNS, ...labels], (name) => `${label}_${name}`);
}

function toText(label: Label): string {
  if (label === null) return "(none)";
  return typeof label === "string" ? label : toJsonText(label);
}

/** Makes names differ from `reserved` and from each other, by repeated renaming. A name that is fine stays, and no other is renamed to it. */
function makeUnique(names: readonly string[], reserved: readonly string[], rename: (name: string) => string): string[] {
  const taken = new Set([...reserved, ...names]);
  const kept = new Set(reserved);
  return names.map((name) => {
    let unique = name;
    if (kept.has(name)) while (taken.has(unique)) unique = rename(unique);
    taken.add(unique);
    kept.add(unique);
    return unique;
  });
}
