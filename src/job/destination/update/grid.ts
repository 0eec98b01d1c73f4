/** What each column of a file of rows holds, by its name. */
import type { LayoutOptions } from "../../../series/layout/layout.ts";

export interface Grid {
  /** All columns. */
  readonly names: readonly string[];
  readonly network: number;
  /** In the long shape. */
  readonly metric: number | undefined;
  readonly unit: number | undefined;
  readonly labels: readonly NamedColumn[];
  readonly values: readonly ValueColumn[];
}

interface NamedColumn {
  readonly name: string;
  readonly at: number;
}

export interface ValueColumn {
  readonly at: number;
  /** Undefined in the long shape, where each row names it. */
  readonly metric: string | undefined;
  /** The value of the pivot's label, as the column's name tells it. */
  readonly pivoted: string | undefined;
}

export interface GridOptions {
  readonly layout: LayoutOptions;
  /** The metrics asked for. */
  readonly metrics: readonly string[];
  /** The labels that rows of a pivot may have, as columns are named. */
  readonly labels: readonly string[];
}

/** Undefined where the columns are not of this layout. */
export function createGrid(names: readonly string[], options: GridOptions): Grid | undefined {
  const { layout } = options;
  const times = layout.intervalEnd ? ["timestamp", "interval_end"] : ["timestamp"];
  const own = [...times, "network", ...(layout.shape === "long" ? ["metric", "unit"] : [])];
  if (own.some((name, index) => names[index] !== name)) return undefined;
  const rest = names.slice(own.length).map((name, index) => ({ name, at: own.length + index }));
  const count = countValues(rest, options);
  if (count === undefined) return undefined;
  const [labels, values] = [rest.slice(0, rest.length - count), rest.slice(rest.length - count)];
  const [metric, unit] = layout.shape === "long" ? [times.length + 1, times.length + 2] : [];
  return { names, network: times.length, metric, unit, labels, values: values.map((column) => describeValue(column, options)) };
}

/** Value columns come last. */
function countValues(rest: readonly NamedColumn[], { layout, metrics, labels }: GridOptions): number | undefined {
  if (layout.shape === "long") return rest.at(-1)?.name === "value" ? 1 : undefined;
  if (layout.pivot !== undefined) {
    const first = rest.findIndex(({ name }) => !labels.includes(name) || name === layout.pivot);
    return first < 0 ? 0 : rest.length - first;
  }
  const first = rest.findIndex(({ name }) => isNamedAs(name, metrics[0] ?? ""));
  const isAsked = metrics.every((metric, index) => isNamedAs(rest[first + index]?.name ?? "", metric));
  return first >= 0 && isAsked ? rest.length - first : undefined;
}

/** A metric named as another column has `_metric` after its name (series/layout/column-names.ts). */
function isNamedAs(name: string, metric: string): boolean {
  return name === metric || (name.startsWith(metric) && /^(?:_metric)+$/.test(name.slice(metric.length)));
}

function describeValue({ name, at }: NamedColumn, { layout: { shape, pivot }, metrics }: GridOptions): ValueColumn {
  if (shape === "long") return { at, metric: undefined, pivoted: undefined };
  if (pivot === undefined) return { at, metric: metrics.find((metric) => isNamedAs(name, metric)) ?? name, pivoted: undefined };
  if (metrics.length === 1) return { at, metric: metrics[0], pivoted: name };
  const own = metrics.filter((metric) => name.startsWith(`${metric}_`)).sort((a, b) => b.length - a.length)[0];
  return { at, metric: own ?? "", pivoted: own === undefined ? name : name.slice(own.length + 1) };
}
