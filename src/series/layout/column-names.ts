/** The names of the columns that the service names: labels, and in the wide shape metrics. */

/** The columns that ents names itself, in one shape or the other: a label has the same name in both. */
const OWN_COLUMNS = ["timestamp", "network", "metric", "unit", "value"];

/** A label named as a column of ents or as one of `others` gets `_label` after its name, however often it takes to be unique. */
export function nameLabels(labels: readonly string[], others: readonly string[] = []): string[] {
  return appendSuffix(labels, new Set([...OWN_COLUMNS, ...others]), "_label");
}

/** The same for the metrics of the wide shape, beside `timestamp` and `network`. */
export function nameMetrics(metrics: readonly string[]): string[] {
  return appendSuffix(metrics, new Set(["timestamp", "network"]), "_metric");
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
