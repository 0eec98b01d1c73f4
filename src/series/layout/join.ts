/** Columns that are joined to the rows of a series by its labels: from a list, not from the service's answer. */
import type { Label, Labels, TimeSeries } from "../time-series.ts";
import type { Column } from "./table.ts";

export interface Join {
  /** They stand after the labels; all are text columns. */
  readonly columns: readonly JoinedColumn[];
  /** One cell for each column; null where nothing is known. */
  readonly cellsOf: (labels: Labels) => readonly Label[];
}

export type JoinedColumn = Column & { readonly kind: "text" };

/** The names of the columns, which no label may have. */
export function nameJoined(join: Join | undefined): string[] {
  return join?.columns.map(({ name }) => name) ?? [];
}

/** The same as labels of the series, for what shows series by their labels. */
export function joinLabels(timeSeries: readonly TimeSeries[], { columns, cellsOf }: Join): TimeSeries[] {
  const widen = (labels: Labels) => {
    const cells = cellsOf(labels);
    return { ...labels, ...Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])) };
  };
  return timeSeries.map((item) => ({ ...item, series: item.series.map((one) => ({ ...one, labels: widen(one.labels) })) }));
}
